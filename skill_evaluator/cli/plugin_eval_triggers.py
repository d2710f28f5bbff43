"""How surely the skills of a suite fire and stay quiet, in lines for a terminal."""

from collections.abc import Iterator

from skill_evaluator.cli.plugin_eval_numbers import score_text
from skill_evaluator.cli.wording import names_listed, together
from skill_evaluator.model import one_line
from skill_evaluator.results import Confusion, Metric
from skill_evaluator.results.suite_result import SkillTriggers, SuiteMeasures, SuiteResult
from skill_evaluator.texts import changed, ntr, tr

_MOST_NAMED = 5


def trigger_lines(result: SuiteResult, measures: SuiteMeasures) -> Iterator[str]:
    """Say it over all claims, skill by skill where there are several, and which other skill fired."""
    rates = [measures.trigger.get(name) for name in ("recall", "false_trigger_rate")]
    told = together(_rates(measures.counts, rates, is_partial=result.is_partial))
    if told:
        yield tr("Triggers, each case by most of its runs, a tie against the skill: {told}", told=told)
        yield from (changed(line, one_line) for line in _by_skill(measures, is_partial=result.is_partial))
    yield from (changed(line, one_line) for line in (*_other(measures), *_never(measures)))
    if told and _is_unscored(result):
        yield tr(
            "Whether a skill fires does not count in the score here, as no run without the plugin can pass that: "
            "`arm: both` in the grader or --ablation none lets it count."
        )


def _rates(counts: Confusion, rates: list[Metric | None], *, is_partial: bool) -> Iterator[str]:
    positive = counts.true_positives + counts.false_negatives
    negative = counts.false_positives + counts.true_negatives
    if not positive and not negative:
        return
    if positive:
        share = f"{counts.true_positives}/{positive}"
        yield tr("recall {share}{interval}", share=share, interval=_interval(rates[0]))
    elif not is_partial:
        yield tr("no case where it should fire")
    if negative:
        share = f"{counts.false_positives}/{negative}"
        yield tr("false triggers {share}{interval}", share=share, interval=_interval(rates[1]))
    elif not is_partial:
        yield tr("no case where it should not")
    if counts.unmeasured:
        yield tr("{n} unmeasured", n=counts.unmeasured)


def _interval(metric: Metric | None) -> str:
    if metric is None or metric.interval is None:
        return ""
    return tr(" (95% CI {low} to {high})", low=score_text(metric.interval.low), high=score_text(metric.interval.high))


def _by_skill(measures: SuiteMeasures, *, is_partial: bool) -> Iterator[str]:
    if len(measures.by_skill) < 2:  # noqa: PLR2004 - the line above tells of a single one
        return
    for skill in measures.by_skill:
        rates = [skill.trigger.get(name) for name in ("recall", "false_trigger_rate")]
        told = together(_rates(skill.counts, rates, is_partial=is_partial)) or tr("no run tells")
        yield tr("  {skill}: {told}", skill=skill.skill or tr("several skills, or one not known"), told=told)


def _other(measures: SuiteMeasures) -> Iterator[str]:
    other = measures.other_skill
    if other is None or not other.cases:
        return
    names = {case.folder: case.name for case in measures.cases}
    named = _listed([names.get(folder, folder) for folder in other.cases])
    of = ntr("{n} case", "{n} cases", other.of)
    yield tr(
        "  another skill than the one asked for fired in {cases} of {of}: {named}",
        cases=len(other.cases),
        of=of,
        named=named,
    )


def _never(measures: SuiteMeasures) -> Iterator[str]:
    silent = [skill for skill in measures.by_skill if skill.never_fired]
    for skill in silent:
        name = tr("The skill") if skill.skill is None else tr("The skill {skill}", skill=skill.skill)
        where = _where(measures, skill)
        yield tr("{skill} never fired where it should{where}: {hint}", skill=name, where=where, hint=_HINT)
    if measures.never_fired and not silent:
        yield tr("The skill never fired: {hint}", hint=_HINT)


_HINT = tr("its description may not fit the words of the prompts.")


def _where(measures: SuiteMeasures, skill: SkillTriggers) -> str:
    cases = [
        case.name
        for case in measures.cases
        if any(claim.skill == skill.skill and claim.expect_trigger and claim.valid for claim in case.claims)
    ]
    return tr(" ({cases})", cases=_listed(cases)) if cases else ""


def _listed(names: list[str]) -> str:
    more = len(names) - _MOST_NAMED
    named = names_listed(names[:_MOST_NAMED])
    return tr("{named} and {more} more", named=named, more=more) if more > 0 else named


def _is_unscored(result: SuiteResult) -> bool:
    runs = (run for case in result.cases for run in case.with_plugin)
    return any(grader.is_with_only and not grader.is_scored for run in runs for grader in run.graders)
