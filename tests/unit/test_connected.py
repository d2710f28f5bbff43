"""An agent that holds connections has them exactly as long as it is asked."""

import asyncio
import os
import signal
from collections.abc import Sequence
from typing import Self

import pytest

from skill_evaluator.api.probe import probe_skill
from skill_evaluator.errors import UnmeasuredError
from skill_evaluator.model import AgentInfo, Arm, Case, Run
from skill_evaluator.results import CanaryState
from skill_evaluator.runner import Asked, PlannedRun, Terms, execute, plan_runs
from tests.unit.test_runner import CASES, keep

PLAN = plan_runs(CASES, runs=3, seed=0)


class Wired:
    """Answers only while it is connected, from the loop that connected it."""

    def __init__(self, *, signal_after: int | None = None) -> None:
        self.info = AgentInfo(name="wired")
        self.log: list[str] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._signal_after = signal_after

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self.log.append("in")
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.sleep(0.001)  # closing takes its time
        self._loop = None
        self.log.append("out")

    async def run(self, case: Case, arm: Arm, index: int) -> Run:
        assert self._loop is asyncio.get_running_loop()
        self.log.append(case.id)
        if len(self.log) == self._signal_after:
            os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.sleep(0.001)
        named = (probe_skill().name,) if case.id == "canary-by-name" else ()
        return Run(case_id=case.id, arm=arm, index=index, triggered=bool(named), skills_invoked=named)


def test_connections_are_open_for_canary_and_runs_and_closed_after_them() -> None:
    agent = Wired()
    for round_ in (1, 2):
        executed = execute(PLAN, agent, concurrency=4, on_finished=keep, terms=Terms(probe=probe_skill()))

        assert executed.canary.state is CanaryState.PASSED
        assert len(executed.runs) == 30
        assert len(agent.log) == round_ * (30 + 2 + 2)
        assert (agent.log[-34], agent.log[-33], agent.log[-1]) == ("in", "canary-by-name", "out")


@pytest.mark.parametrize("after", [2, 9], ids=["in the canary", "in the plan"])
def test_a_signal_closes_connections_too(after: int) -> None:
    agent = Wired(signal_after=after)

    executed = execute(PLAN, agent, concurrency=2, on_finished=keep, terms=Terms(probe=probe_skill()))

    assert executed.stopped_by == "SIGTERM"
    assert agent.log[-1] == "out"
    assert agent.log.count("out") == 1


def test_an_error_closes_connections_too() -> None:
    def full(_case: Case, _asked: Asked) -> Run:
        raise UnmeasuredError("the disk is full")

    agent = Wired()
    with pytest.raises(UnmeasuredError, match="the disk is full"):
        execute(PLAN, agent, concurrency=2, on_finished=full)
    assert agent.log[-1] == "out"


def test_a_fault_of_opening_comes_out_as_itself_and_nothing_is_asked() -> None:
    class Unreachable(Wired):
        async def __aenter__(self) -> Self:
            raise UnmeasuredError("no route")

    agent = Unreachable()
    with pytest.raises(UnmeasuredError, match="no route"):
        execute(PLAN, agent, concurrency=2, on_finished=keep)
    assert agent.log == []


def test_an_empty_plan_opens_nothing() -> None:
    agent = Wired()
    execute((), agent, concurrency=2, on_finished=keep)
    assert agent.log == []


def test_what_goes_before_the_plan_is_awaited_once_between_canary_and_runs() -> None:
    agent = Wired()

    async def before(plan: Sequence[PlannedRun]) -> None:
        await asyncio.sleep(0.001)
        agent.log.append(f"before {len(plan)}")

    execute(PLAN, agent, concurrency=4, on_finished=keep, terms=Terms(probe=probe_skill(), before_plan=before))

    assert agent.log[:4] == ["in", "canary-by-name", "canary-sum", "before 30"]
    assert len(agent.log) == 30 + 5


def test_a_signal_ends_what_goes_before_the_plan() -> None:
    agent = Wired()

    async def before(_plan: Sequence[PlannedRun]) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(60)

    executed = execute(PLAN, agent, concurrency=4, on_finished=keep, terms=Terms(before_plan=before))

    assert (executed.stopped_by, executed.runs) == ("SIGINT", ())
    assert agent.log == ["in", "out"]
