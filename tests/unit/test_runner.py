"""Every case is asked as often as planned, and a signal loses only what is under way."""

import asyncio
import os
import signal
from collections import Counter
from dataclasses import replace

import pytest

from skill_evaluator.errors import UnmeasuredError
from skill_evaluator.model import AgentInfo, Arm, Case, Failure, FailureKind, Run, Source, Split
from skill_evaluator.runner import RETRIES, Asked, Terms, execute, plan_runs


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


class Limited(Scripted):
    """Fails the very first call."""

    def __init__(self, kind: FailureKind) -> None:
        super().__init__(wait_s=0)
        self._kind = kind

    async def run(self, case: Case, arm: Arm, index: int) -> Run:
        answer = await super().run(case, arm, index)
        if len(self.asked) > 1:
            return answer
        return replace(answer, triggered=None, failure=Failure(kind=self._kind, message="m"))


@pytest.mark.parametrize(("kind", "others_wait"), [(FailureKind.RATE_LIMIT, True), (FailureKind.CRASH, False)])
def test_all_wait_after_a_rate_limit_and_nobody_else_after_a_crash(kind: FailureKind, others_wait: bool) -> None:
    agent = Limited(kind)
    asked_meanwhile = []

    async def sleep(_seconds: float) -> None:
        before = len(agent.asked)
        for _ in range(50):
            await asyncio.sleep(0)
        asked_meanwhile.append(len(agent.asked) - before)

    terms = Terms(retries=RETRIES, sleep=sleep)
    executed = execute(plan_runs(CASES, runs=3, seed=0), agent, concurrency=1, on_finished=keep, terms=terms)

    assert len(asked_meanwhile) == 1
    assert (asked_meanwhile[0] == 0) is others_wait
    assert len(executed.runs) == 30
    assert agent.most_under_way == 1
    assert executed.spent.calls == 31
    assert executed.spent.retries == 1


def test_few_runs_are_opened_while_others_wait_for_a_next_attempt() -> None:
    """As many may wait as may be under way; the signal ends their waits at once."""

    class Dead(Scripted):
        async def run(self, case: Case, arm: Arm, index: int) -> Run:
            self.asked.append((case.id, index))
            return Run(case_id=case.id, arm=arm, index=index, failure=Failure(kind=FailureKind.CRASH, message="m"))

    agent = Dead()
    waiting: list[int] = []

    async def sleep(_seconds: float) -> None:
        waiting.append(len(agent.asked))
        for _ in range(100):
            await asyncio.sleep(0)
        if len(waiting) == 6:  # a second signal would have its usual effect
            waiting.append(0)
            os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(60)

    terms = Terms(retries=RETRIES, sleep=sleep)
    executed = execute(plan_runs(CASES, runs=3, seed=0), agent, concurrency=3, on_finished=keep, terms=terms)

    assert len(agent.asked) == len(set(agent.asked)) == 6
    assert executed.stopped_by == "SIGINT"
    assert executed.spent.calls == 6


def test_a_stop_ends_the_waits_of_others_and_keeps_their_last_attempt() -> None:
    """One run waits an hour when another one finds that the agent cannot sign in."""

    class Unauthorised(Scripted):
        async def run(self, case: Case, arm: Arm, index: int) -> Run:
            kind = FailureKind.AUTH if self.asked else FailureKind.CRASH
            self.asked.append((case.id, index))
            return Run(case_id=case.id, arm=arm, index=index, failure=Failure(kind=kind, message="m"))

    agent = Unauthorised()

    async def sleep(_seconds: float) -> None:
        await asyncio.sleep(3600)

    terms = Terms(retries=RETRIES, fatal=frozenset({FailureKind.AUTH}), sleep=sleep)
    executed = execute(plan_runs(CASES, runs=3, seed=0), agent, concurrency=1, on_finished=keep, terms=terms)

    assert executed.stopped_by == "auth"
    kinds = [run.failure.kind for _, run in executed.runs if run.failure]
    assert sorted(kinds) == [FailureKind.AUTH, FailureKind.CRASH]


def test_a_failure_of_the_very_last_run_leaves_nothing_out() -> None:
    class LastFails(Scripted):
        async def run(self, case: Case, arm: Arm, index: int) -> Run:
            answer = await super().run(case, arm, index)
            failure = Failure(kind=FailureKind.AUTH, message="m") if len(self.asked) == 30 else None
            return replace(answer, triggered=None if failure else True, failure=failure)

    terms = Terms(fatal=frozenset({FailureKind.AUTH}))
    executed = execute(plan_runs(CASES, runs=3, seed=0), LastFails(), concurrency=1, on_finished=keep, terms=terms)

    assert len(executed.runs) == 30
    assert executed.stopped_by is None


def test_a_signal_while_the_last_calls_are_let_go_has_the_last_word() -> None:
    class Slow(Scripted):
        async def run(self, case: Case, arm: Arm, index: int) -> Run:
            self.asked.append((case.id, index))
            if len(self.asked) == 2:
                await asyncio.sleep(0.05)  # by now the other one has met the ceiling
                os.kill(os.getpid(), signal.SIGTERM)
                await asyncio.sleep(60)
            return Run(case_id=case.id, arm=arm, index=index, triggered=True)

    agent = Slow()
    terms = Terms(max_calls=2)
    executed = execute(plan_runs(CASES, runs=3, seed=0), agent, concurrency=2, on_finished=keep, terms=terms)

    assert (len(agent.asked), len(executed.runs)) == (2, 1)
    assert executed.stopped_by == "SIGTERM"


def test_an_expected_error_of_a_listener_comes_out_as_itself() -> None:
    def full(_case: Case, _asked: Asked) -> Run:
        raise UnmeasuredError("the disk is full")

    with pytest.raises(UnmeasuredError, match="the disk is full"):
        execute(plan_runs(CASES, runs=3, seed=0), Scripted(), concurrency=2, on_finished=full)


def test_an_empty_plan_ends_at_once() -> None:
    assert execute((), Scripted(), concurrency=4, on_finished=keep).runs == ()
