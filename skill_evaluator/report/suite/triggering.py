"""Did the skill fire when it should, as tables: the rates, and how steady each case is."""

from collections.abc import Iterator
from dataclasses import dataclass

from skill_evaluator.metrics.limits import above_a_tenth
from skill_evaluator.report.escape import Md, Table, table
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.report.suite.figures import UNDEFINED, between, fraction, share
from skill_evaluator.results import Metric
from skill_evaluator.results.suite_result import CaseStability, SkillTriggers, SuiteMeasures

_RATES = ("precision", "recall", "f1", "false_trigger_rate")


@dataclass(frozen=True, kw_only=True, slots=True)
class TriggerView:
    """How surely skills fire.

    Attributes:
        fired: The confusion table.
        rates: The rates over cases, by the majority of their runs, and over single runs.
        skills: Each skill over the claims that speak of it, where there are several.
        other: How often another skill than the one asked for fired, and where.
        left_out: What does not count.
    """

    fired: Table
    rates: Table
    skills: Table | None
    other: Md | None
    left_out: tuple[Md, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class StabilityRow:
    """One case that does not do the same in all of its runs."""

    name: str
    fired: Md
    scores: Md


def trigger_view(measures: SuiteMeasures, say: Phrases) -> TriggerView | None:
    """Lay triggering out; None where no case tells of it."""
    counts = measures.counts
    told = (counts.true_positives, counts.false_negatives, counts.false_positives, counts.true_negatives)
    if not any((*told, counts.unmeasured)):
        return None
    return TriggerView(
        fired=_fired_table(measures, say),
        rates=_rate_table(measures, say),
        skills=_skill_table(measures, say) if len(measures.by_skill) > 1 else None,
        other=_other(measures, say),
        left_out=tuple(_left_out(measures, say)),
    )


def stability_rows(measures: SuiteMeasures, say: Phrases) -> tuple[StabilityRow, ...]:
    """Give the cases that are not steady: in whether the skill fires, or in their score."""
    return tuple(
        StabilityRow(
            name=case.name,
            fired=Md(f"{case.fired}/{case.valid}") if case.valid else UNDEFINED,
            scores=say("suite.from_to", low=share(case.score_min), high=share(case.score_max)),
        )
        for case in measures.cases
        if _wavers(case)
    )


def stability_table(measures: SuiteMeasures, say: Phrases) -> Table | None:
    """The same as a table; None where every case is steady."""
    rows = [[say.quote(row.name), row.fired, row.scores] for row in stability_rows(measures, say)]
    return table(say.cells("suite.wavering_header"), rows) if rows else None


def _wavers(case: CaseStability) -> bool:
    return case.score_min != case.score_max or above_a_tenth(min(case.fired, case.valid - case.fired), case.valid)


def _fired_table(measures: SuiteMeasures, say: Phrases) -> Table:
    counts = measures.counts
    rows = [
        [say("suite.fired_row"), Md(counts.true_positives), Md(counts.false_positives)],
        [say("suite.quiet_row"), Md(counts.false_negatives), Md(counts.true_negatives)],
    ]
    return table(say.cells("suite.fired_header"), rows)


def _rate_table(measures: SuiteMeasures, say: Phrases) -> Table:
    """The last column is left out where no rate over runs has an interval."""
    rows = [_rate(name, measures, say) for name in _RATES]
    header = say.cells("suite.rates_header")
    shown = header if any(row[-1] != UNDEFINED for row in rows) else header[:-1]
    return table(shown, (row[: len(shown)] for row in rows))


def _rate(name: str, measures: SuiteMeasures, say: Phrases) -> list[Md]:
    by_case, by_run = measures.trigger.get(name), measures.trigger_by_run.get(name)
    cells = [cell for metric in (by_case, by_run) for cell in (fraction(metric), _interval(metric, say))]
    return [say.name(name, "suite_rate"), *cells]


def _skill_table(measures: SuiteMeasures, say: Phrases) -> Table:
    return table(say.cells("suite.skills_header"), (_skill(skill, say) for skill in measures.by_skill))


def _skill(skill: SkillTriggers, say: Phrases) -> list[Md]:
    rates = [skill.trigger.get(name) for name in ("recall", "false_trigger_rate")]
    name = say("suite.some_skill") if skill.skill is None else say.quote(skill.skill)
    return [name, *(cell for rate in rates for cell in (fraction(rate), _interval(rate, say)))]


def _interval(metric: Metric | None, say: Phrases) -> Md:
    return (metric and between(metric.interval, say)) or UNDEFINED


def _other(measures: SuiteMeasures, say: Phrases) -> Md | None:
    other = measures.other_skill
    if other is None or not other.of:
        return None
    names = {case.folder: case.name for case in measures.cases}
    named = [names.get(folder, folder) for folder in other.cases]
    return say("suite.other_fired", fired=len(named), cases=other.of, names=named)


def _left_out(measures: SuiteMeasures, say: Phrases) -> Iterator[Md]:
    if measures.counts.unmeasured:
        yield say("suite.untold_cases", cases=measures.counts.unmeasured)
    if measures.error_runs:
        yield say("suite.untold_runs", runs=measures.error_runs)
