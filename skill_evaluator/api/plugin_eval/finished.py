"""A run of a suite that ended: what graders found in it, as results tell of it."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from skill_evaluator.api.plugin_eval.grader_options import json_number
from skill_evaluator.api.plugin_eval.options import PlannedCase
from skill_evaluator.api.plugin_eval.votes import RunVotes
from skill_evaluator.graders.suite import Llm
from skill_evaluator.graders.suite.calls import calls_of
from skill_evaluator.grading import GradedRun, SuiteVerdict, grade_suite_run
from skill_evaluator.grading.suites import ended_on_api_error
from skill_evaluator.metrics.suite_models import model_named_by
from skill_evaluator.model import VOTES, Arm, AskedRun, Case, Failure, FailureKind, Outcome, Run
from skill_evaluator.redaction import blacken
from skill_evaluator.results.suite_result import GraderResult, RunOfCase
from skill_evaluator.skill_names import SKILL_TOOL
from skill_evaluator.texts import changed, tr

_SKIPPED = tr("Not asked: so much was spent before that the cost ceiling is reached.")


@dataclass(frozen=True, kw_only=True, slots=True)
class FinishedRun:
    """One run of a case, asked and graded.

    Attributes:
        planned: Its case.
        asked: What came of it.
        graded: What graders found, for scores; after `without_bulk` without the verdicts, which `entry` has too.
        entry: The same, as results tell of it.
    """

    planned: PlannedCase
    asked: AskedRun
    graded: GradedRun
    entry: RunOfCase

    @property
    def place(self) -> tuple[Arm, int]:
        """Which arm, and which repetition."""
        return self.asked.run.arm, self.asked.run.index


def without_bulk(run: FinishedRun) -> FinishedRun:
    """Keep of a run what numbers of the suite are worked out from: hundreds of whole sessions would fill the memory.

    Of the session that is the lines that call skills and name the model, and of answers of stand-ins how each ended.
    """
    whole = run.asked.run
    light = replace(
        whole,
        output=None if whole.output is None else "",
        raw_response=None,
        tool_calls=whole.tool_calls and tuple(call for call in whole.tool_calls if call.name == SKILL_TOOL),
        trace=whole.trace
        and tuple(line for line in whole.trace if model_named_by(line) or _tells_of_skills(whole, line)),
        created_files=None,
        seen_files={},
        mock_calls=whole.mock_calls and tuple(replace(call, arguments={}, output="") for call in whole.mock_calls),
    )
    asked, graded = replace(run.asked, run=light, distrusted=None), replace(run.graded, run=light, verdicts=())
    return replace(run, asked=asked, graded=graded)


def _tells_of_skills(run: Run, line: str) -> bool:
    """Whether a line calls a skill, or cannot be read and so leaves open whether any was called."""
    calls = calls_of(replace(run, trace=(line,)), SKILL_TOOL)
    return isinstance(calls, Outcome) or any(call.tool == SKILL_TOOL for call in calls)


def failed_run(case: Case, arm: Arm, index: int, error: str) -> AskedRun:
    """Make a run that left nothing to grade.

    Args:
        case: Its case.
        arm: With or without the plugin.
        index: Repetition.
        error: Why.
    """
    failure = Failure(kind=FailureKind.CRASH, message=error)
    return AskedRun(run=Run(case_id=case.id, arm=arm, index=index, failure=failure), error=error)


def broken_run(asked: AskedRun, fault: Exception) -> AskedRun:
    """Make a run whose evidence could not be dealt with; what it cost stays, and nothing of it is graded.

    Args:
        asked: What came of it, as far as that is known.
        fault: What was raised; it is a bug more often than not, so its type is named.
    """
    run = asked.run
    error = f"a fault of skill-evaluator itself ended this run: {type(fault).__name__}: {fault}"
    failure = Failure(kind=FailureKind.CRASH, message=error)
    bare = Run(case_id=run.case_id, arm=run.arm, index=run.index, failure=failure)
    return replace(asked, run=bare, error=error)


def grade(
    planned: PlannedCase,
    asked: AskedRun,
    *,
    votes: RunVotes,
    skipped: Collection[str] = (),
    trace_path: str = "",
    secrets: Sequence[str] = (),
) -> FinishedRun:
    """Grade a run.

    Args:
        planned: Its case.
        asked: What came of it.
        votes: What the judge said.
        skipped: Graders that did not ask the judge since the cost ceiling was reached; they fail.
        trace_path: Where its trace was kept, or "".
        secrets: What must not stand in results.
    """
    graded = grade_suite_run(planned.case, asked.run, has_two_arms=planned.has_two_arms, votes=votes.by_grader)
    graded = replace(graded, has_skipped_judges=bool(skipped))
    cost = asked.cost_usd + votes.cost_usd + (asked.stand_ins.cost_usd if asked.stand_ins else 0.0)
    entry = RunOfCase(
        score=graded.score,
        passed=graded.passed,
        turns=asked.turns,
        cost_usd=cost,
        judge_cost_usd=votes.cost_usd,
        duration_s=asked.duration_s,
        started_at=asked.started_at,
        error=None if asked.error is None else blacken(asked.error, secrets),
        is_api_error=ended_on_api_error(asked.run),
        aborted=asked.aborted and replace(asked.aborted, reason=blacken(asked.aborted.reason, secrets)),
        trace_path=trace_path,
        skipped_paid_graders=bool(skipped),
        graders=tuple(_results(planned.case, graded.verdicts, skipped, secrets)),
        stand_ins=asked.stand_ins,
    )
    return FinishedRun(planned=planned, asked=asked, graded=graded, entry=entry)


def _results(
    case: Case, verdicts: Sequence[SuiteVerdict], skipped: Collection[str], secrets: Sequence[str]
) -> Iterator[GraderResult]:
    showing = {
        grader.name for grader in case.graders if isinstance(grader.check, Llm)
    }  # what `baseline` saw is a trace
    masked = partial(blacken, secrets=secrets)
    for verdict in verdicts:
        outcome, votes = verdict.outcome, _whole(verdict.votes)
        shown = outcome.evidence.get("shown") if votes and verdict.name in showing else None
        yield GraderResult(
            name=verdict.name,
            passed=verdict.passed,
            weight=json_number(verdict.weight),
            explanation=_SKIPPED if verdict.name in skipped else changed(outcome.message, masked),
            is_with_only=verdict.is_with_only,
            is_scored=verdict.is_scored,
            judge_votes=votes,
            evidence=blacken(shown, secrets) if isinstance(shown, str) else None,
        )


def _whole(votes: tuple[bool | None, ...] | None) -> tuple[bool, ...] | None:
    """Give the votes where all were cast."""
    cast = tuple(vote for vote in votes or () if vote is not None)
    return cast if len(cast) == VOTES else None
