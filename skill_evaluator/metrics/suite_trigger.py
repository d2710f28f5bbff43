"""Did the skills fire in an eval suite when they should, told by the suite's own graders of the tool `Skill`.

Each of them is a claim about one call: that it should be made, or that it should not. A case that asks for one skill
and forbids another is a positive of the one and a negative of the other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from skill_evaluator.formats.suite.expected import SkillClaim, claims_of
from skill_evaluator.formats.suite_claims import NamedSkill, skill_checks
from skill_evaluator.graders.suite import ToolUsed
from skill_evaluator.grading.suites import is_gradable
from skill_evaluator.metrics.cases import case_result
from skill_evaluator.metrics.suite_claims import ClaimResult, silent_runs, skill_of
from skill_evaluator.metrics.trigger import case_metrics, confusion, run_metrics
from skill_evaluator.model import Arm, Case, Run
from skill_evaluator.results import CaseResult, Confusion, Metric


@dataclass(frozen=True, kw_only=True, slots=True)
class SuiteTrigger:
    """How well the skills fired over the cases of a suite.

    Attributes:
        cases: What cases claim, over their runs with the plugin: one entry for each claim, so a case that asks for
            one skill and forbids another stands there twice.
        without_claim: How many cases claim nothing, for want of a Skill grader; they are in no number.
        error_runs: How many runs of the others say nothing, since they failed or were ended from outside.
        counts: The confusion table over the decisions.
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
    claims = [claim_results(case, runs) for case, runs in cases]
    results = tuple(claim.told for of_case in claims for claim in of_case)
    return SuiteTrigger(
        cases=results,
        without_claim=sum(not of_case for of_case in claims),
        error_runs=sum(map(silent_runs, claims)),
        counts=confusion(results),
        by_case=case_metrics(results, seed=seed),
        by_run=run_metrics(results, seed=seed),
    )


def claim_results(case: Case, runs: Sequence[Run], skills: Sequence[NamedSkill] = ()) -> tuple[ClaimResult, ...]:
    """Give what came of each claim of a case.

    Args:
        case: The case.
        runs: Its finished runs; those without the plugin are left out.
        skills: The skills of the plugins under test, where they are known.
    """
    return tuple(
        ClaimResult(claim=claim, told=_result(case, runs, claim), skill=skill_of(claim, skills))
        for claim in claims_of(case.graders)
    )


def was_call_made(case: Case, run: Run, claim: SkillClaim) -> bool | None:
    """Say whether the call that a claim speaks of was made at least once, wanted or not.

    Returns:
        None where the run failed, was ended by a stand-in, or cannot tell.
    """
    if run.failure is not None or not is_gradable(run):
        return None
    found = [_was_called(check, run) for check in skill_checks(case) if claim.is_made_by(check)]
    return True if True in found else None if None in found else False if found else None


def _was_called(check: ToolUsed, run: Run) -> bool | None:
    """Whether there is one call that the selector matches; None where its pattern cannot be used."""
    at_least_once = ToolUsed(tool=check.tool, input_match=check.input_match, min=1).check(run)
    none_at_all = ToolUsed(tool=check.tool, input_match=check.input_match, min=0, max=0).check(run)
    return at_least_once.passed if at_least_once.passed is not none_at_all.passed else None


def _result(case: Case, runs: Sequence[Run], claim: SkillClaim) -> CaseResult:
    with_plugin = [run for run in runs if run.arm is Arm.WITH]
    told = [(replace(run, triggered=was_call_made(case, run, claim)), ()) for run in with_plugin]
    planned = max((run.index + 1 for run in with_plugin), default=case.limits.runs if case.limits else 1)
    return case_result(replace(case, expect_trigger=claim.fires), told, planned_runs=planned)
