"""Did the skill fire in an eval suite when it should, told by the suite's own graders of the tool `Skill`.

A case is positive with a Skill grader that asks for a call and negative with one that allows none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from skill_evaluator.formats.suite.expected import claim_of
from skill_evaluator.formats.suite.suite import expected_trigger
from skill_evaluator.formats.suite_claims import skill_checks
from skill_evaluator.graders.suite import ToolUsed
from skill_evaluator.grading.suites import is_gradable
from skill_evaluator.metrics.cases import case_result
from skill_evaluator.metrics.trigger import case_metrics, confusion, run_metrics
from skill_evaluator.model import Arm, Case, Run
from skill_evaluator.results import CaseResult, Confusion, Metric, RunState


@dataclass(frozen=True, kw_only=True, slots=True)
class SuiteTrigger:
    """How well the skill fired over the cases of a suite.

    Attributes:
        cases: Cases that say whether the skill should fire, over their runs with the plugin.
        without_claim: How many cases do not say it, for want of a Skill grader; they are in no number.
        error_runs: How many runs of `cases` say nothing, since they failed or were ended from outside.
        counts: The confusion table over the decisions of cases.
        by_case: Precision, recall, F1 and false-trigger rate over those decisions, with their intervals.
        by_run: The same over single runs.
    """

    cases: tuple[CaseResult, ...]
    without_claim: int
    error_runs: int
    counts: Confusion
    by_case: Mapping[str, Metric]
    by_run: Mapping[str, Metric]


def suite_trigger(cases: Sequence[tuple[Case, Sequence[Run]]], *, seed: int) -> SuiteTrigger:
    """Measure the triggering of a suite.

    Args:
        cases: Its cases with their finished runs; those without the plugin are left out.
        seed: For the intervals that are drawn.
    """
    claims = [(case, runs, expected_trigger(case)) for case, runs in cases]
    results = tuple(_result(case, runs, expected=claim) for case, runs, claim in claims if claim is not None)
    silent = (RunState.ERROR, RunState.UNKNOWN)
    return SuiteTrigger(
        cases=results,
        without_claim=len(claims) - len(results),
        error_runs=sum(run.state in silent for case in results for run in case.runs),
        counts=confusion(results),
        by_case=case_metrics(results, seed=seed),
        by_run=run_metrics(results, seed=seed),
    )


def skill_fired(case: Case, run: Run) -> bool | None:
    """Say whether the call that the Skill graders of a case speak of was made at least once.

    A grader that wants no call speaks of the same call as one that wants it. Where a case has both, those that agree
    with what it claims decide.

    Returns:
        None where the run failed, was ended by a stand-in, or cannot tell.
    """
    if run.failure is not None or not is_gradable(run):
        return None
    expected = expected_trigger(case)
    found = [_was_called(check, run) for check in skill_checks(case) if claim_of(check) is expected]
    return True if True in found else None if None in found else False if found else None


def _was_called(check: ToolUsed, run: Run) -> bool | None:
    """Whether there is one call that the selector matches; None where its pattern cannot be used."""
    at_least_once = ToolUsed(tool=check.tool, input_match=check.input_match, min=1).check(run)
    none_at_all = ToolUsed(tool=check.tool, input_match=check.input_match, min=0, max=0).check(run)
    return at_least_once.passed if at_least_once.passed is not none_at_all.passed else None


def _result(case: Case, runs: Sequence[Run], *, expected: bool) -> CaseResult:
    with_plugin = [run for run in runs if run.arm is Arm.WITH]
    told = [(replace(run, triggered=skill_fired(case, run)), ()) for run in with_plugin]
    planned = max((run.index + 1 for run in with_plugin), default=case.limits.runs if case.limits else 1)
    return case_result(replace(case, expect_trigger=expected), told, planned_runs=planned)
