"""What is left of a suite that a signal ends."""

import asyncio
import os
import signal
import threading
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from skill_evaluator.model import INTERRUPTED, AnyQuestion, Arm, AskedRun, Case, Completion, Failure, FailureKind
from tests.unit.scripted_suites import JUDGED, ScriptedAgent, ScriptedJudge, case_files, failing, run, suite

# Windows has no such signal.
QUIT = [(number, 131) for number in signal.Signals if number.name == "SIGQUIT"]
_NEVER_S = 60.0


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), *QUIT])
def test_a_signal_ends_it_and_what_ended_before_is_written(tmp_path: Path, number: signal.Signals, status: int) -> None:
    loaded = suite(tmp_path / "p", {**case_files("a"), **case_files("b", runs=3), **case_files("c")})
    second = threading.Event()

    def gate(case: object, _arm: Arm, _index: int) -> float:
        is_second = getattr(case, "id", None) == "b"
        if is_second:
            second.set()
        return _NEVER_S if is_second else 0.0

    def interrupt() -> None:
        assert second.wait(_NEVER_S)
        os.kill(os.getpid(), number)

    killer = threading.Thread(target=interrupt)
    killer.start()
    ran = run(loaded, tmp_path / "out", agent=ScriptedAgent(gate=gate), ablation="none", concurrency=2)
    killer.join()
    result = ran.evaluated.result
    assert result is not None
    assert (ran.evaluated.exit_status, result.partial_reason) == (status, "interrupted")
    assert [case.name for case in result.cases] == ["a", "b"]
    entries = result.cases[1].with_plugin
    assert {(entry.error, entry.score, entry.started_at is None) for entry in entries} == {("interrupted", 0.0, False)}
    assert not ran.agent.is_open
    assert (tmp_path / "out" / "aggregate-result.json").is_file()
    assert ran.heard.lines[-1].startswith("done b")


@dataclass
class WaitingJudge(ScriptedJudge):
    """Answers some questions, then ends the program by a signal."""

    answered: int = 0

    async def complete(self, question: AnyQuestion) -> Completion:
        if len(self.questions) < self.answered:
            return await super().complete(question)
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.sleep(_NEVER_S)
        raise AssertionError("the signal did not come")


# Calls that are answered before the signal -> the verdicts of a1, a2 and the pattern, what the judge cost.
@pytest.mark.parametrize(
    ("answered", "passed", "cost_usd"),
    [(0, [False, False, True], 0.0), (2, [False, False, True], 0.25), (4, [True, False, True], 0.5)],
)
def test_a_run_whose_judge_is_interrupted_is_kept(
    tmp_path: Path, answered: int, passed: list[bool], cost_usd: float
) -> None:
    """Recorded: a grader that had all its votes keeps its verdict, the others fail, and the run has no error."""
    judged = {f"c/graders/{name}.md": JUDGED for name in ("a1", "a2")}
    loaded = suite(tmp_path / "p", {**case_files(), **judged, **case_files("d")})
    ran = run(loaded, tmp_path / "out", judge=WaitingJudge(answered=answered), ablation="none")
    result = ran.evaluated.result

    assert result is not None
    assert (ran.evaluated.exit_status, result.partial_reason) == (143, "interrupted")
    (entry,) = result.cases[0].with_plugin
    assert [grader.passed for grader in entry.graders] == passed
    assert (entry.error, entry.skipped_paid_graders, entry.judge_cost_usd) == (None, False, cost_usd)
    assert [asked[0] for asked in ran.agent.asked] == ["c"]


class TellingAgent(ScriptedAgent):
    """Says what it did when it is cancelled."""

    async def ask(self, case: Case, arm: Arm, index: int) -> AskedRun:
        try:
            os.kill(os.getpid(), signal.SIGINT)
            await asyncio.sleep(_NEVER_S)
        except asyncio.CancelledError:
            asked = failing(FailureKind.CRASH, INTERRUPTED)(case, arm, index)
            return replace(asked, run=replace(asked.run, failure=Failure(kind=FailureKind.CRASH, message="ended")))
        raise AssertionError("the signal did not come")


def test_what_an_agent_did_before_a_signal_is_graded_without_a_judge(tmp_path: Path) -> None:
    """Recorded: patterns are looked for in what is there, the judge is not asked any more."""
    loaded = suite(tmp_path / "p", {**case_files(runs=2), "c/graders/judged.md": JUDGED})
    judge = ScriptedJudge()
    ran = run(loaded, tmp_path / "out", agent=TellingAgent(), judge=judge, ablation="none")
    result = ran.evaluated.result

    assert result is not None
    assert (ran.evaluated.exit_status, result.partial_reason, judge.questions) == (130, "interrupted", [])
    (entry,) = result.cases[0].with_plugin
    assert (entry.error, entry.score, [grader.passed for grader in entry.graders]) == (
        "interrupted",
        0.5,
        [True, False],
    )
