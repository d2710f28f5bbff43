"""Numbers of a suite over its cases, from what is known of each of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from skill_evaluator.grading.suites import plain_sum
from skill_evaluator.metrics.intervals import Share, bootstrap_interval
from skill_evaluator.metrics.limits import above_a_tenth
from skill_evaluator.metrics.stability import unstable_share
from skill_evaluator.metrics.suite_claims import ClaimResult, by_skill, never_fired, silent_runs
from skill_evaluator.metrics.suite_notes import Ending, as_measured, ending_of, if_not_interrupted, notes_of
from skill_evaluator.metrics.trigger import case_metrics, confusion, run_metrics
from skill_evaluator.results import Metric, Note
from skill_evaluator.results.suite_result import CaseOfSuite, CaseStability, OtherSkill, SuiteMeasures


@dataclass(frozen=True, kw_only=True, slots=True)
class Facts:
    """What is known of a suite beside its cases.

    Attributes:
        version: Version of this product.
        agent: Name of the agent.
        notes: What else a reader must know; it comes first.
        is_partial: Whether some run of the plan is missing.
        models: The models that its runs used; empty where not known.
        other_skill: Whether another skill than those asked for was called; None where not known.
    """

    version: str = ""
    agent: str = ""
    notes: tuple[Note, ...] = ()
    is_partial: bool = False
    models: tuple[str, ...] = ()
    other_skill: OtherSkill | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """A case beside what came of its claims."""

    case: CaseOfSuite
    claims: Sequence[ClaimResult]

    @property
    def score(self) -> float | None:
        """Its score, where it was measured."""
        return if_not_interrupted(self.case.numbers.score, self.case.with_plugin)

    def claims_that(self, *, fires: bool) -> bool:
        """Whether it says of some skill that it should fire, or that it should not."""
        return any(claim.claim.fires is fires for claim in self.claims)


def put_together(
    cases: Sequence[CaseOfSuite], claims: Sequence[Sequence[ClaimResult]], facts: Facts, *, seed: int = 0
) -> SuiteMeasures:
    """Work out the numbers of a suite.

    Args:
        cases: The cases that were loaded, in order.
        claims: For each of them what came of its claims.
        facts: What else is known.
        seed: For the intervals that are drawn.
    """
    told = [Told(case=case, claims=made) for case, made in zip(cases, claims, strict=True)]
    listed = [claim for made in claims for claim in made]
    results = [claim.told for claim in listed]
    share = unstable_share(results)
    compared = [case for case in cases if case.numbers.delta is not None]
    deltas = [if_not_interrupted(case.numbers.delta, case.with_plugin, case.without_plugin) for case in compared]
    runs = [run for case in cases for run in case.with_plugin]
    scores = [one.score for one in told] if as_measured(1.0, runs) else [None for _ in told]
    return SuiteMeasures(
        version=facts.version,
        agent=facts.agent,
        counts=confusion(results),
        trigger=case_metrics(results, seed=seed),
        trigger_by_run=run_metrics(results, seed=seed),
        score=_mean_metric("score", scores, seed),
        delta=_mean_metric("delta", deltas, seed),
        positive_score=_mean([one.score for one in told if one.claims_that(fires=True)]),
        negative_score=_mean([one.score for one in told if one.claims_that(fires=False)]),
        error_runs=sum(map(silent_runs, claims)),
        without_claim=sum(not made for made in claims),
        never_fired=never_fired(results),
        is_unstable=above_a_tenth(share.numerator or 0, share.denominator) if share.denominator else None,
        cases=tuple(_stability(one) for one in told),
        notes=(*facts.notes, *notes_of(cases, claims, is_partial=facts.is_partial)),
        models=facts.models,
        by_skill=by_skill(listed, seed=seed),
        other_skill=facts.other_skill,
    )


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


def _stability(one: Told) -> CaseStability:
    case, first = one.case, next(iter(one.claims), None)
    whole = [run for run in case.with_plugin if run.graders and ending_of(run) is not Ending.INTERRUPTED]
    scores = [run.score for run in whole if run.score is not None]
    return CaseStability(
        name=case.name,
        folder=case.folder,
        expect_trigger=first.claim.fires if first else None,
        fired=first.told.triggered_runs if first else 0,
        valid=first.told.valid_runs if first else 0,
        fluctuation=first.told.fluctuation if first else None,
        score_min=min(scores, default=None),
        score_max=max(scores, default=None),
        claims=tuple(claim.entry for claim in one.claims),
    )
