"""Graders of an eval suite on one run: verdicts, which of them count, and the score.

Source: Suites recorded with Claude Code 2.1.332.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from skill_evaluator.graders.suite import Llm, Regex, ToolUsed
from skill_evaluator.grading.runs import VotesOfRun
from skill_evaluator.model import (
    Arm,
    Case,
    Check,
    Completion,
    FailureKind,
    Grader,
    GraderArm,
    JudgedCheck,
    Outcome,
    Run,
)
from skill_evaluator.skill_names import SKILL_TOOL

_NO_VOTES: Final[VotesOfRun] = MappingProxyType({})
_API_FAILURES: Final = frozenset({FailureKind.API, FailureKind.AUTH, FailureKind.RATE_LIMIT})
_WENT_ON: Final = frozenset({"ok", "tool_error"})  # verdicts of a stand-in after which the session goes on


@dataclass(frozen=True, kw_only=True, slots=True)
class SuiteVerdict:
    """What one grader found in one run.

    Attributes:
        name: The grader.
        outcome: What it found.
        weight: Its share of the score.
        is_scored: Whether it counts.
        is_with_only: Whether it is left out of the score since only the arm with the plugin could pass it.
        votes: What the judge's answers were read as, None for a call that failed; None where it was not asked.
    """

    name: str
    outcome: Outcome
    weight: float
    is_scored: bool
    is_with_only: bool
    votes: tuple[bool | None, ...] | None = None

    @property
    def passed(self) -> bool:
        """Whether it passed; a grader that could not look failed."""
        return self.outcome.passed is True


@dataclass(frozen=True, kw_only=True, slots=True)
class GradedRun:
    """One run of a case of a suite with what its graders found.

    Attributes:
        run: The run.
        verdicts: In the order of the case; empty where the run said nothing that could be graded.
        score: 0..1; 0.0 where nothing could be graded, and None where no grader counts, where those that count weigh
            nothing, or where weights are too large to be added up.
        has_skipped_judges: Whether graders failed since there was no money left to ask the judge.
    """

    run: Run
    verdicts: tuple[SuiteVerdict, ...]
    score: float | None
    has_skipped_judges: bool = False

    @property
    def passed(self) -> bool:
        """Whether everything that counts passed, whatever the threshold of the suite."""
        return self.score == 1


def grade_suite_run(case: Case, run: Run, *, has_two_arms: bool, votes: VotesOfRun = _NO_VOTES) -> GradedRun:
    """Look at one run with every grader of its case, whether or not the skill fired.

    Args:
        case: A case of a suite.
        run: One of its runs.
        has_two_arms: Whether the case is run without the plugin too: graders that could never pass there are left out.
        votes: The judge's answers about this run; a judged grader without any counts as failed.
    """
    if not is_gradable(run):
        return GradedRun(run=run, verdicts=(), score=0.0)
    excluded = left_out(case) if has_two_arms else frozenset()
    verdicts = tuple(
        _verdict(grader, run, votes.get(grader.name), is_left_out=grader.name in excluded)
        for grader in case.graders
        if run.arm is Arm.WITH or grader.name not in excluded
    )
    return GradedRun(run=run, verdicts=verdicts, score=_score(verdicts))


def is_gradable(run: Run) -> bool:
    """Whether a run left something to grade.

    It did not where the model's service gave an error, where a stand-in ended it, and where it never started or its
    trace cannot be trusted (a failure without a trace). One that ran out of turns or time did.
    """
    if was_aborted(run):
        return False
    return run.failure is None or (run.failure.kind not in _API_FAILURES and run.trace is not None)


def was_aborted(run: Run) -> bool:
    """Whether a stand-in ended the run."""
    return any(call.verdict not in _WENT_ON for call in run.mock_calls or ())


def ended_on_api_error(run: Run) -> bool:
    """Whether the model's service ended the run, which then says nothing of the plugin."""
    return run.failure is not None and run.failure.kind in _API_FAILURES


def left_out(case: Case) -> frozenset[str]:
    """Give the graders that do not count where a case is run with and without the plugin.

    They are those that no run without the plugin could pass. Where that is all of them, all count.
    """
    names = frozenset(grader.name for grader in case.graders if _needs_plugin(grader, case))
    return frozenset() if len(names) == len(case.graders) else names


def _needs_plugin(grader: Grader, case: Case) -> bool:
    if grader.arm is not None:
        return grader.arm is GraderArm.WITH_ONLY
    match grader.check:
        case ToolUsed(tool=tool):
            return tool == SKILL_TOOL
        case Regex(target="mock_calls") | Llm(focus="mock_calls"):
            servers = case.setup.mocks if case.setup else ()
            return bool(servers) and all(server.is_declared for server in servers)
        case _:
            return False


def _verdict(grader: Grader, run: Run, votes: Sequence[Completion] | None, *, is_left_out: bool) -> SuiteVerdict:
    outcome = _outcome(grader.check, run, votes)
    return SuiteVerdict(
        name=grader.name,
        outcome=outcome,
        weight=grader.weight,
        is_scored=not is_left_out,
        is_with_only=is_left_out,
        votes=_read_votes(outcome),
    )


def _outcome(check: Check | JudgedCheck, run: Run, votes: Sequence[Completion] | None) -> Outcome:
    if not isinstance(check, JudgedCheck):
        return check.check(run)
    asked = check.ask(run)
    if isinstance(asked, Outcome):
        return asked
    if votes is None:
        message = "The judge was not asked about this run."
        return Outcome(passed=False, code="judge_not_asked", message=message, evidence={"answers": []})
    return check.decide(asked, votes)


def _read_votes(outcome: Outcome) -> tuple[bool | None, ...] | None:
    listed = outcome.evidence.get("votes")
    return (
        tuple(vote for vote in listed if vote is None or isinstance(vote, bool)) if isinstance(listed, list) else None
    )


def _score(verdicts: Iterable[SuiteVerdict]) -> float | None:
    scored = [verdict for verdict in verdicts if verdict.is_scored]
    top = plain_sum(verdict.weight for verdict in scored if verdict.passed)
    bottom = plain_sum(verdict.weight for verdict in scored)
    return None if math.isinf(top) or bottom == 0 else top / bottom


def plain_sum(numbers: Iterable[float]) -> float:
    """Add one after the other, as JavaScript does; `sum` corrects its error from Python 3.12 on.

    >>> plain_sum([0.1, 0.2, 0.3])
    0.6000000000000001
    """
    total = 0.0
    for number in numbers:
        total += number
    return total
