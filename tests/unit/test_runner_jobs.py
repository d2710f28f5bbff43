"""Jobs that are worked off several at once."""

import asyncio
import contextlib

import pytest

from skill_evaluator.runner.jobs import work_off


def _work(jobs: list[int], concurrency: int, most: int = 99) -> tuple[list[int], int]:
    done: list[int] = []
    under_way, most_under_way = set[int](), 0

    async def do(job: int) -> None:
        nonlocal most_under_way
        under_way.add(job)
        most_under_way = max(most_under_way, len(under_way))
        await asyncio.sleep(0)
        under_way.remove(job)
        done.append(job)

    async def go() -> None:
        await work_off(jobs, do, concurrency=concurrency, may_start=lambda job: job < most, on_cancelled=lambda _: None)

    asyncio.run(go())
    return done, most_under_way


@pytest.mark.parametrize(("concurrency", "most"), [(1, 1), (3, 3), (8, 5)])
def test_every_job_is_done_once(concurrency: int, most: int) -> None:
    done, most_under_way = _work([0, 1, 2, 3, 4], concurrency)
    assert (sorted(done), most_under_way) == ([0, 1, 2, 3, 4], most)


def test_one_at_a_time_keeps_the_order() -> None:
    assert _work([3, 1, 2], 1)[0] == [3, 1, 2]


def test_nothing_is_started_after_the_first_job_that_may_not_be() -> None:
    assert sorted(_work([0, 5, 1, 2], 2, most=4)[0]) == [0]


def test_nothing_to_do_is_done_at_once() -> None:
    assert _work([], 4) == ([], 0)


def test_jobs_under_way_are_told_when_all_is_cancelled() -> None:
    cancelled: list[int] = []

    async def never(_: int) -> None:
        await asyncio.Event().wait()

    async def go() -> None:
        work = work_off([1, 2, 3], never, concurrency=2, may_start=lambda _: True, on_cancelled=cancelled.append)
        task = asyncio.ensure_future(work)
        await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.wait((task,))
        assert task.cancelled()

    asyncio.run(go())
    assert sorted(cancelled) == [1, 2]


def test_a_job_that_fails_ends_the_others() -> None:
    async def do(job: int) -> None:
        if job == 2:
            raise ValueError("bad job")
        await asyncio.Event().wait()

    async def go() -> None:
        await work_off([1, 2, 3], do, concurrency=2, may_start=lambda _: True, on_cancelled=lambda _: None)

    with pytest.raises(ExceptionGroup):
        asyncio.run(go())


def test_a_job_that_catches_its_cancellation_is_the_last_one() -> None:
    done: list[int] = []

    async def do(job: int) -> None:
        if job == 2:
            raise ValueError("bad job")
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        done.append(job)

    async def go() -> None:
        await work_off([1, 2, 3], do, concurrency=2, may_start=lambda _: True, on_cancelled=lambda _: None)

    with pytest.raises(ExceptionGroup):
        asyncio.run(go())
    assert done == [1]
