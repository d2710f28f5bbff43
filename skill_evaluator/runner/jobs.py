"""Works a list of jobs off, several at once, in the order of the list."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Generic, TypeVar

J = TypeVar("J")


async def work_off(
    jobs: Sequence[J],
    do: Callable[[J], Awaitable[None]],
    *,
    concurrency: int,
    may_start: Callable[[J], bool],
    on_cancelled: Callable[[J], None],
) -> None:
    """Do every job, until one may not be started any more; what is under way then still ends.

    Args:
        jobs: What is to be done, in order.
        do: Does one.
        concurrency: Jobs under way at once, >= 1.
        may_start: Asked before each job is started; the first False ends it all.
        on_cancelled: Told of each job that was under way when the whole was cancelled.
    """
    work = _Work(jobs, do, may_start, on_cancelled)
    async with asyncio.TaskGroup() as group:
        for _ in range(min(concurrency, len(jobs))):
            group.create_task(work.one_after_another())


class _Work(Generic[J]):
    """Jobs on their way; used once."""

    def __init__(
        self,
        jobs: Sequence[J],
        do: Callable[[J], Awaitable[None]],
        may_start: Callable[[J], bool],
        on_cancelled: Callable[[J], None],
    ) -> None:
        self._pending: Iterator[J] = iter(jobs)
        self._do, self._may_start, self._on_cancelled = do, may_start, on_cancelled
        self._is_over = False

    async def one_after_another(self) -> None:
        """Do jobs as long as there are any."""
        for job in self._pending:
            if self._is_over or _is_cancelled() or not self._may_start(job):
                self._is_over = True
                return
            try:
                await self._do(job)
            except asyncio.CancelledError:
                self._on_cancelled(job)
                raise
            await asyncio.sleep(0)  # an agent that never waits must still let signals through


def _is_cancelled() -> bool:
    """Whether this task was cancelled, though a job that was to end something first has caught it."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
