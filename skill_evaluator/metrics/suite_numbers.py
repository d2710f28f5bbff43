"""Numbers of a suite over its cases, from what is known of each of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from skill_evaluator.grading.suites import plain_sum
from skill_evaluator.metrics.cases import VALID
from skill_evaluator.metrics.intervals import Share, bootstrap_interval
from skill_evaluator.metrics.limits import above_a_tenth
from skill_evaluator.metrics.stability import unstable_share
from skill_evaluator.metrics.suite_notes import Ending, as_measured, ending_of, notes_of
from skill_evaluator.metrics.trigger import case_metrics, confusion, run_metrics
from skill_evaluator.results import CaseResult, Metric
from skill_evaluator.results.suite_result import CaseOfSuite, CaseStability, SuiteMeasures


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """A case beside what it tells of triggering; None where it does not say whether the skill should fire."""

    case: CaseOfSuite
    trigger: CaseResult | None

    @property
    def score(self) -> float | None:
        """Its score, where it was measured."""
        return as_measured(self.case.numbers.score, self.case.with_plugin)

    @property
    def expected(self) -> bool | None:
        """Whether the skill should fire."""
        return None if self.trigger is None else self.trigger.expect_trigger


def put_together(
    cases: Sequence[CaseOfSuite],
    triggers: Sequence[CaseResult | None],
    *,
    version: str,
    agent: str,
    notes: Sequence[str] = (),
    seed: int = 0,
) -> SuiteMeasures:
    """Work out the numbers of a suite.

    Args:
        cases: The cases that were loaded, in order.
        triggers: For each of them what its runs with the plugin tell of triggering, or None.
        version: Version of this product.
        agent: Name of the agent.
        notes: What else a reader must know; it comes first.
        seed: For the intervals that are drawn.
    """
    told = [Told(case=case, trigger=trigger) for case, trigger in zip(cases, triggers, strict=True)]
    results = [trigger for trigger in triggers if trigger is not None]
    share = unstable_share(results)
    compared = [case for case in cases if case.numbers.delta is not None]
    deltas = [as_measured(case.numbers.delta, case.with_plugin, case.without_plugin) for case in compared]
    return SuiteMeasures(
        version=version,
        agent=agent,
        counts=confusion(results),
        trigger=case_metrics(results, seed=seed),
        trigger_by_run=run_metrics(results, seed=seed),
        score=_mean_metric("score", [one.score for one in told], seed),
        delta=_mean_metric("delta", deltas, seed),
        positive_score=_mean([one.score for one in told if one.expected is True]),
        negative_score=_mean([one.score for one in told if one.expected is False]),
        error_runs=sum(run.state not in VALID for result in results for run in result.runs),
        without_claim=len(cases) - len(results),
        never_fired=never_fired(results),
        is_unstable=above_a_tenth(share.numerator or 0, share.denominator) if share.denominator else None,
        cases=tuple(_stability(one) for one in told),
        notes=(*notes, *notes_of(cases, triggers)),
    )


def never_fired(results: Sequence[CaseResult]) -> bool:
    """Whether the skill should have fired in some valid runs, and did in none of them."""
    positives = [result for result in results if result.expect_trigger and result.valid_runs]
    return bool(positives) and not any(result.triggered_runs for result in positives)


def _mean(values: Sequence[float | None]) -> float | None:
    """The mean; None without values, and where one is unknown."""
    known = [value for value in values if value is not None]
    return plain_sum(known) / len(known) if known and len(known) == len(values) else None


def _mean_metric(name: str, values: Sequence[float | None], seed: int) -> Metric | None:
    """The mean over cases, with the interval over cases drawn again; None without cases."""
    if not values:
        return None
    mean = _mean(values)
    shares = [Share(value, 1, 1) for value in values if value is not None]
    interval = None if mean is None else bootstrap_interval(shares, seed=seed)
    return Metric(name=name, value=mean, interval=interval, denominator=len(values))


def _stability(told: Told) -> CaseStability:
    trigger, case = told.trigger, told.case
    whole = [run for run in case.with_plugin if run.graders and ending_of(run) is not Ending.INTERRUPTED]
    scores = [run.score for run in whole if run.score is not None]
    return CaseStability(
        name=case.name,
        folder=case.folder,
        expect_trigger=told.expected,
        fired=trigger.triggered_runs if trigger else 0,
        valid=trigger.valid_runs if trigger else 0,
        fluctuation=trigger.fluctuation if trigger else None,
        score_min=min(scores, default=None),
        score_max=max(scores, default=None),
    )
