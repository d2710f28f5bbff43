"""Did the skill fire when it should, as tables: the rates, and how steady each case is."""

from dataclasses import dataclass

from skill_evaluator.metrics.limits import above_a_tenth
from skill_evaluator.report.escape import Md
from skill_evaluator.report.suite.figures import UNDEFINED, between, count, fraction, share
from skill_evaluator.results import Metric
from skill_evaluator.results.suite_result import CaseStability, SuiteMeasures

_LABELS = {
    "precision": Md("Precision"),
    "recall": Md("Recall"),
    "f1": Md("F1"),
    "false_trigger_rate": Md("False-trigger rate"),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class RateRow:
    """One rate over cases, by the majority of their runs, and over single runs."""

    label: Md
    by_case: Md
    case_interval: Md
    by_run: Md
    run_interval: Md


@dataclass(frozen=True, kw_only=True, slots=True)
class TriggerTable:
    """The confusion table and the rates; `lines` say what is left out."""

    fired: tuple[int, int]
    quiet: tuple[int, int]
    rates: tuple[RateRow, ...]
    lines: tuple[Md, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class StabilityRow:
    """One case that does not do the same in all of its runs."""

    name: str
    fired: Md
    scores: Md


def trigger_table(measures: SuiteMeasures) -> TriggerTable | None:
    """Lay triggering out; None where no case tells of it."""
    counts = measures.counts
    told = (counts.true_positives, counts.false_negatives, counts.false_positives, counts.true_negatives)
    if not any((*told, counts.unmeasured)):
        return None
    return TriggerTable(
        fired=(counts.true_positives, counts.false_positives),
        quiet=(counts.false_negatives, counts.true_negatives),
        rates=tuple(_rate(label, measures, name) for name, label in _LABELS.items()),
        lines=tuple(Md(line) for line in _left_out(measures)),
    )


def stability_rows(measures: SuiteMeasures) -> tuple[StabilityRow, ...]:
    """Give the cases that are not steady: in whether the skill fires, or in their score."""
    return tuple(
        StabilityRow(
            name=case.name,
            fired=Md(f"{case.fired}/{case.valid}") if case.valid else UNDEFINED,
            scores=Md(f"{share(case.score_min)} to {share(case.score_max)}"),
        )
        for case in measures.cases
        if _wavers(case)
    )


def _wavers(case: CaseStability) -> bool:
    return case.score_min != case.score_max or above_a_tenth(min(case.fired, case.valid - case.fired), case.valid)


def _rate(label: Md, measures: SuiteMeasures, name: str) -> RateRow:
    by_case, by_run = measures.trigger.get(name), measures.trigger_by_run.get(name)
    return RateRow(
        label=label,
        by_case=fraction(by_case),
        case_interval=_interval(by_case),
        by_run=fraction(by_run),
        run_interval=_interval(by_run),
    )


def _interval(metric: Metric | None) -> Md:
    return (metric and between(metric.interval)) or UNDEFINED


def _left_out(measures: SuiteMeasures) -> list[str]:
    found = [
        (measures.counts.unmeasured, "case", "without a run that tells whether the skill fired"),
        (measures.error_runs, "run", "that failed, or whose graders leave open whether the skill fired"),
    ]
    return [f"Left out: {count(number, noun)} {what}." for number, noun, what in found if number]
