"""Did it fire when it should, and stay quiet when it should not: precision, recall, F1, false-trigger rate."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from skill_evaluator.metrics.intervals import Share, bootstrap_interval, wilson_interval
from skill_evaluator.results import CaseResult, Confusion, Interval, Metric


@dataclass(frozen=True, kw_only=True, slots=True)
class TriggerRate:
    """A rate as what one confusion table adds to it; `clustered` ones have no Wilson interval."""

    name: str
    share: Callable[[Confusion], Share]
    higher_is_better: bool = True
    clustered: bool = False


def _precision(counts: Confusion) -> Share:
    fired = counts.true_positives + counts.false_positives
    return Share(counts.true_positives, fired, fired)


def _recall(counts: Confusion) -> Share:
    positives = counts.true_positives + counts.false_negatives
    return Share(counts.true_positives, positives, positives)


def _f1(counts: Confusion) -> Share:
    """2TP / (2TP + FP + FN); without positives there is nothing to find, so it means nothing."""
    doubled = 2 * counts.true_positives
    bottom = doubled + counts.false_positives + counts.false_negatives
    return Share(doubled, bottom, counts.true_positives + counts.false_negatives)


def _false_trigger_rate(counts: Confusion) -> Share:
    negatives = counts.false_positives + counts.true_negatives
    return Share(counts.false_positives, negatives, negatives)


PRECISION = TriggerRate(name="precision", share=_precision)
RECALL = TriggerRate(name="recall", share=_recall)
F1 = TriggerRate(name="f1", share=_f1, clustered=True)
FALSE_TRIGGER_RATE = TriggerRate(name="false_trigger_rate", share=_false_trigger_rate, higher_is_better=False)
TRIGGER_RATES = (PRECISION, RECALL, F1, FALSE_TRIGGER_RATE)


def with_trigger(cases: Iterable[CaseResult]) -> list[CaseResult]:
    """The cases that say whether the skill should fire."""
    return [case for case in cases if case.expect_trigger is not None]


def confusion(cases: Iterable[CaseResult]) -> Confusion:
    """Count cases by expectation and decision."""
    return add_up(by_decision(case) for case in cases)


def by_decision(case: CaseResult) -> Confusion:
    """The table of one case, by its majority; a case without a valid run is `unmeasured`.

    One that does not say whether the skill should fire stands in no field.
    """
    if case.expect_trigger is None:
        return add_up(())
    if case.decision is None:
        return tally(expected=case.expect_trigger, triggered=0, quiet=0, unmeasured=1)
    return tally(expected=case.expect_trigger, triggered=int(case.decision), quiet=int(not case.decision))


def by_run(case: CaseResult) -> Confusion:
    """The table of one case's valid runs; empty for one that does not say whether the skill should fire."""
    if case.expect_trigger is None:
        return add_up(())
    quiet = case.valid_runs - case.triggered_runs
    return tally(expected=case.expect_trigger, triggered=case.triggered_runs, quiet=quiet)


def tally(*, expected: bool, triggered: int, quiet: int, unmeasured: int = 0) -> Confusion:
    """The table of some answers to questions of one class."""
    return Confusion(
        true_positives=triggered if expected else 0,
        false_negatives=quiet if expected else 0,
        false_positives=0 if expected else triggered,
        true_negatives=0 if expected else quiet,
        unmeasured=unmeasured,
    )


def add_up(tables: Iterable[Confusion]) -> Confusion:
    """The sum of confusion tables."""
    rows = tuple(tables)
    return Confusion(
        true_positives=sum(row.true_positives for row in rows),
        false_negatives=sum(row.false_negatives for row in rows),
        false_positives=sum(row.false_positives for row in rows),
        true_negatives=sum(row.true_negatives for row in rows),
        unmeasured=sum(row.unmeasured for row in rows),
    )


def case_metrics(cases: Iterable[CaseResult], *, seed: int) -> dict[str, Metric]:
    """The four rates over case decisions, each with its 95 % interval: bootstrap for F1, Wilson for the others."""
    tables = [by_decision(case) for case in with_trigger(cases) if case.decision is not None]
    return {rate.name: _over_cases(rate, tables, seed) for rate in TRIGGER_RATES}


def run_metrics(cases: Iterable[CaseResult], *, seed: int) -> dict[str, Metric]:
    """The four rates over single valid runs.

    Runs of one case depend on each other, so all four have the bootstrap interval that keeps cases whole.
    """
    tables = [by_run(case) for case in with_trigger(cases) if case.valid_runs]
    return {
        rate.name: rate_metric(rate, add_up(tables), bootstrap_interval([rate.share(row) for row in tables], seed=seed))
        for rate in TRIGGER_RATES
    }


def do_nothing_metrics(cases: Iterable[CaseResult]) -> dict[str, Metric]:
    """The four rates of a skill that never fires, over the same measured cases.

    They are known, not estimated, so they have no interval.
    """
    silent = add_up(
        tally(expected=case.expect_trigger, triggered=0, quiet=1)
        for case in cases
        if case.expect_trigger is not None and case.decision is not None
    )
    return {rate.name: rate_metric(rate, silent, None) for rate in TRIGGER_RATES}


def _over_cases(rate: TriggerRate, tables: Sequence[Confusion], seed: int) -> Metric:
    total = add_up(tables)
    if rate.clustered:
        return rate_metric(rate, total, bootstrap_interval([rate.share(row) for row in tables], seed=seed))
    share = rate.share(total)
    return rate_metric(rate, total, wilson_interval(int(share.top), int(share.bottom)))


def rate_metric(rate: TriggerRate, total: Confusion, interval: Interval | None) -> Metric:
    """Give one rate of a confusion table; None where it is undefined.

    F1 is no share of cases: it has no numerator, and says over how many cases or runs it goes.
    """
    share = rate.share(total)
    return Metric(
        name=rate.name,
        value=share.top / share.bottom if share.support else None,
        interval=interval,
        numerator=None if rate.clustered else int(share.top),
        denominator=_measured(total) if rate.clustered else int(share.bottom),
        higher_is_better=rate.higher_is_better,
    )


def _measured(total: Confusion) -> int:
    return total.true_positives + total.false_negatives + total.false_positives + total.true_negatives
