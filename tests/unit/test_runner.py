"""Every case is asked as often as planned, and a signal loses only what is under way."""

import asyncio
import os
import signal
from collections import Counter

import pytest

from skill_evaluator.model import AgentInfo, Arm, Case, Run, Source, Split
from skill_evaluator.runner import Asked, execute, plan_runs


def case(number: int) -> Case:
    return Case(
        id=f"c{number}",
        prompt=f"prompt {number}",
        split=Split.TUNING,
        expect_trigger=True,
        sha256=f"{number}",
        prompt_sha256=f"{number}",
        source=Source(path="t"),
    )


CASES = tuple(case(number) for number in range(10))


class Scripted:
    """Answers after a moment; counts how many runs are under way."""

    def __init__(self, *, wait_s: float = 0.001, signal_after: int | None = None, number: int = 0) -> None:
        self.info = AgentInfo(name="scripted")
        self.asked: list[tuple[str, int]] = []
        self.under_way = self.most_under_way = 0
        self._wait_s, self._signal_after, self._number = wait_s, signal_after, number

    async def run(self, case: Case, arm: Arm, index: int) -> Run:
        self.asked.append((case.id, index))
        if len(self.asked) == self._signal_after:
            os.kill(os.getpid(), self._number)
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        await asyncio.sleep(self._wait_s)
        self.under_way -= 1
        return Run(case_id=case.id, arm=arm, index=index, triggered=index != 1)


class Impatient(Scripted):
    """Answers without ever waiting, as an agent that only computes does."""

    async def run(self, case: Case, arm: Arm, index: int) -> Run:
        self.asked.append((case.id, index))
        if len(self.asked) == self._signal_after:
            os.kill(os.getpid(), self._number)
        return Run(case_id=case.id, arm=arm, index=index, triggered=True)


def keep(_case: Case, asked: Asked) -> Run:
    return asked.run


@pytest.mark.parametrize("concurrency", [1, 3, 100])
def test_each_case_is_asked_as_often_as_planned(concurrency: int) -> None:
    agent = Scripted()
    executed = execute(plan_runs(CASES, runs=3, seed=0), agent, concurrency=concurrency, on_finished=keep)

    assert Counter(agent.asked) == {(case.id, index): 1 for case in CASES for index in range(3)}
    assert len(executed.runs) == 30
    assert executed.stopped_by is None
    assert agent.most_under_way == min(concurrency, 30)


def test_the_order_hangs_on_the_seed_alone() -> None:
    def order(seed: int) -> list[tuple[str, int]]:
        return [(planned.case.id, planned.index) for planned in plan_runs(CASES, runs=3, seed=seed)]

    assert order(0) == order(0)
    assert order(0) != order(1)
    assert sorted(order(0)) == sorted(order(1))


@pytest.mark.parametrize("agent_type", [Scripted, Impatient])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_run_and_keeps_what_had_finished(agent_type: type[Scripted], number: signal.Signals) -> None:
    agent = agent_type(signal_after=5, number=number)
    before = signal.getsignal(number)

    executed = execute(plan_runs(CASES, runs=3, seed=0), agent, concurrency=1, on_finished=keep)

    assert executed.stopped_by == number.name
    assert 4 <= len(executed.runs) < 30
    assert [(case.id, run.index) for case, run in executed.runs] == agent.asked[: len(executed.runs)]
    assert signal.getsignal(number) == before


def test_a_bug_in_an_agent_is_not_swallowed() -> None:
    class Broken(Scripted):
        async def run(self, case: Case, arm: Arm, index: int) -> Run:  # noqa: ARG002 - the protocol has them
            raise ZeroDivisionError

    with pytest.raises(ExceptionGroup) as caught:
        execute(plan_runs(CASES, runs=3, seed=0), Broken(), concurrency=2, on_finished=keep)
    assert caught.group_contains(ZeroDivisionError)


def test_an_empty_plan_ends_at_once() -> None:
    assert execute((), Scripted(), concurrency=4, on_finished=keep).runs == ()
