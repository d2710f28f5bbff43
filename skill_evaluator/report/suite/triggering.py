"""Did the skill fire when it should, as tables: the rates, and how steady each case is."""

from dataclasses import dataclass

from skill_evaluator.metrics.limits import above_a_tenth
from skill_evaluator.report.escape import Md
from skill_evaluator.report.suite.figures import UNDEFINED, between, count, fraction, share
from skill_evaluator.results import Metric
from skill_evaluator.results.suite_result import CaseStability, SkillTriggers, SuiteMeasures

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
class SkillRow:
    """One skill over the claims that speak of it."""

    skill: str
    recall: Md
    recall_interval: Md
    false: Md
    false_interval: Md


@dataclass(frozen=True, kw_only=True, slots=True)
class TriggerTable:
    """The confusion table and the rates, of all claims and of each skill where there are several.

    `lines` say what is left out; `other` says how often another skill than the one asked for fired, and where.
    """

    fired: tuple[int, int]
    quiet: tuple[int, int]
    rates: tuple[RateRow, ...]
    lines: tuple[Md, ...]
    skills: tuple[SkillRow, ...] = ()
    other: tuple[Md, tuple[str, ...]] | None = None

    @property
    def has_run_intervals(self) -> bool:
        """Whether any rate over runs has an interval."""
        return any(rate.run_interval != UNDEFINED for rate in self.rates)


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
        skills=tuple(map(_skill, measures.by_skill)) if len(measures.by_skill) > 1 else (),
        other=_other(measures),
    )


def _skill(skill: SkillTriggers) -> SkillRow:
    recall, false = skill.trigger.get("recall"), skill.trigger.get("false_trigger_rate")
    return SkillRow(
        skill=Md("several, or not known") if skill.skill is None else skill.skill,
        recall=fraction(recall),
        recall_interval=_interval(recall),
        false=fraction(false),
        false_interval=_interval(false),
    )


def _other(measures: SuiteMeasures) -> tuple[Md, tuple[str, ...]] | None:
    other = measures.other_skill
    if other is None or not other.of:
        return None
    names = {case.folder: case.name for case in measures.cases}
    words = f"Another skill than the one asked for fired in {len(other.cases)} of {count(other.of, 'case')}"
    return Md(words + (": " if other.cases else ".")), tuple(names.get(folder, folder) for folder in other.cases)


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
