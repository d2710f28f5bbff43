"""How surely the skills of a suite fire and stay quiet, in lines for a terminal."""

from collections.abc import Iterator

from skill_evaluator.cli.plugin_eval_numbers import count_text, score_text
from skill_evaluator.model import one_line
from skill_evaluator.results import Confusion, Metric
from skill_evaluator.results.suite_result import SkillTriggers, SuiteMeasures, SuiteResult

_MOST_NAMED = 5


def trigger_lines(result: SuiteResult, measures: SuiteMeasures) -> Iterator[str]:
    """Say it over all claims, skill by skill where there are several, and which other skill fired."""
    rates = [measures.trigger.get(name) for name in ("recall", "false_trigger_rate")]
    told = "; ".join(_rates(measures.counts, rates, is_partial=result.is_partial))
    if told:
        yield f"Triggers, each case by most of its runs: {told}"
        yield from (one_line(line) for line in _by_skill(measures, is_partial=result.is_partial))
    yield from (one_line(line) for line in (*_other(measures), *_never(measures)))
    if told and _is_unscored(result):
        yield (
            "Whether a skill fires does not count in the score here, as no run without the plugin can pass that: "
            "`arm: both` in the grader or --ablation none lets it count."
        )


def _rates(counts: Confusion, rates: list[Metric | None], *, is_partial: bool) -> Iterator[str]:
    positive = counts.true_positives + counts.false_negatives
    negative = counts.false_positives + counts.true_negatives
    if not positive and not negative:
        return
    if positive:
        yield f"recall {counts.true_positives}/{positive}{_interval(rates[0])}"
    elif not is_partial:
        yield "no case where it should fire"
    if negative:
        yield f"false triggers {counts.false_positives}/{negative}{_interval(rates[1])}"
    elif not is_partial:
        yield "no case where it should not"
    if counts.unmeasured:
        yield f"{counts.unmeasured} unmeasured"


def _interval(metric: Metric | None) -> str:
    if metric is None or metric.interval is None:
        return ""
    return f" (95% CI {score_text(metric.interval.low)} to {score_text(metric.interval.high)})"


def _by_skill(measures: SuiteMeasures, *, is_partial: bool) -> Iterator[str]:
    if len(measures.by_skill) < 2:  # noqa: PLR2004 - the line above tells of a single one
        return
    for skill in measures.by_skill:
        rates = [skill.trigger.get(name) for name in ("recall", "false_trigger_rate")]
        told = "; ".join(_rates(skill.counts, rates, is_partial=is_partial)) or "no run tells"
        yield f"  {skill.skill or 'several skills, or one not known'}: {told}"


def _other(measures: SuiteMeasures) -> Iterator[str]:
    other = measures.other_skill
    if other is None or not other.cases:
        return
    names = {case.folder: case.name for case in measures.cases}
    named = _listed([names.get(folder, folder) for folder in other.cases])
    of = count_text(other.of, "case")
    yield f"  another skill than the one asked for fired in {len(other.cases)} of {of}: {named}"


def _never(measures: SuiteMeasures) -> Iterator[str]:
    silent = [skill for skill in measures.by_skill if skill.never_fired]
    for skill in silent:
        name = "The skill" if skill.skill is None else f"The skill {skill.skill}"
        yield f"{name} never fired where it should{_where(measures, skill)}: {_HINT}"
    if measures.never_fired and not silent:
        yield f"The skill never fired: {_HINT}"


_HINT = "its description may not fit the words of the prompts."


def _where(measures: SuiteMeasures, skill: SkillTriggers) -> str:
    cases = [
        case.name
        for case in measures.cases
        if any(claim.skill == skill.skill and claim.expect_trigger and claim.valid for claim in case.claims)
    ]
    return f" ({_listed(cases)})" if cases else ""


def _listed(names: list[str]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _is_unscored(result: SuiteResult) -> bool:
    runs = (run for case in result.cases for run in case.with_plugin)
    return any(grader.is_with_only and not grader.is_scored for run in runs for grader in run.graders)
