"""Does the same question get the same answer: fluctuation within cases and spread between repetitions."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from skill_evaluator.metrics.aspects import VALID, aspect_passed
from skill_evaluator.metrics.cases import answers
from skill_evaluator.metrics.intervals import wilson_interval
from skill_evaluator.metrics.limits import above_a_tenth
from skill_evaluator.metrics.output import OUTPUT_PASS_RATE
from skill_evaluator.metrics.trigger import F1, FALSE_TRIGGER_RATE, RECALL, TriggerRate, add_up, tally
from skill_evaluator.model import Aspect
from skill_evaluator.results import CaseResult, Confusion, Metric, RunState

SPREAD_RATES = (F1, RECALL, FALSE_TRIGGER_RATE)


def is_unstable(case: CaseResult) -> bool:
    """Whether more than 10 % of the case's runs that have a say are off the majority; False without such a run."""
    said = answers(case.runs, expected=case.expect_trigger)
    return above_a_tenth(min(said.count(True), said.count(False)), len(said))


def unstable_share(cases: Iterable[CaseResult]) -> Metric:
    """Unstable cases, of the measured ones."""
    measured = [case for case in cases if case.decision is not None]
    unstable = sum(is_unstable(case) for case in measured)
    return Metric(
        name="unstable_share",
        value=unstable / len(measured) if measured else None,
        interval=wilson_interval(unstable, len(measured)),
        numerator=unstable,
        denominator=len(measured),
        higher_is_better=False,
    )


def spread(cases: Sequence[CaseResult]) -> dict[str, float | None]:
    """How far F1, recall and false-trigger rate lie apart between repetitions.

    Each repetition is scored by itself, over the cases in which it is valid. With cases that do not say whether the
    skill should fire, so is the share of them whose output is right.

    Returns:
        By name: the highest minus the lowest value, worked out exactly before it becomes a float; None where fewer
        than two repetitions have a value.
    """
    counts: Counter[tuple[int, bool, bool]] = Counter(
        (run.index, case.expect_trigger, run.state is RunState.TRIGGERED)
        for case in cases
        if case.expect_trigger is not None
        for run in case.runs
        if run.state in VALID
    )
    tables = [_repetition(counts, index) for index in sorted({index for index, _, _ in counts})]
    return {**{rate.name: _range(rate, tables) for rate in SPREAD_RATES}, **_output_spread(cases)}


def _output_spread(cases: Sequence[CaseResult]) -> dict[str, float | None]:
    alone = [case for case in cases if case.expect_trigger is None]
    if not alone:
        return {}
    runs = [run for case in alone for run in case.runs if run.state is not RunState.ERROR]
    said = [(run.index, passed) for run in runs if (passed := aspect_passed(run, Aspect.OUTPUT)) is not None]
    right, decided = Counter(index for index, passed in said if passed), Counter(index for index, _ in said)
    return {OUTPUT_PASS_RATE: _distance([Fraction(right[index], decided[index]) for index in decided])}


def _repetition(counts: Mapping[tuple[int, bool, bool], int], index: int) -> Confusion:
    return add_up(
        tally(
            expected=expected,
            triggered=counts.get((index, expected, True), 0),
            quiet=counts.get((index, expected, False), 0),
        )
        for expected in (True, False)
    )


def _range(rate: TriggerRate, tables: Sequence[Confusion]) -> float | None:
    shares = [rate.share(table) for table in tables]
    return _distance([Fraction(share.top) / Fraction(share.bottom) for share in shares if share.support])


def _distance(values: Sequence[Fraction]) -> float | None:
    return float(max(values) - min(values)) if len(values) > 1 else None
