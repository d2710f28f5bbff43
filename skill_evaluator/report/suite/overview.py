"""The top of a suite's page: what came of it, its main numbers, and what to know before believing them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from skill_evaluator.grading.suites import plain_sum
from skill_evaluator.metrics.suite_models import model_words
from skill_evaluator.metrics.suite_notes import as_measured, ended_on_api_error
from skill_evaluator.report import numbers
from skill_evaluator.report.escape import Md
from skill_evaluator.report.suite.figures import UNDEFINED, between, count, duration, fraction, money, share, signed
from skill_evaluator.results import Confusion
from skill_evaluator.results.suite_result import CaseOfSuite, RunOfCase, SuiteMeasures, SuiteResult

State = Literal["pass", "fail", "partial"]
_PARTIAL = {
    "cost_ceiling": Md("the cost ceiling was reached before all runs were started"),
    "interrupted": Md("it was interrupted"),
    "auth_failed": Md("the model's service refused the credentials"),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """The line that a reader sees first."""

    state: State
    word: Md
    words: Md


@dataclass(frozen=True, kw_only=True, slots=True)
class Tile:
    """One main number; `detail` says how far it can be trusted, or is None."""

    label: Md
    value: Md
    detail: Md | None = None


def suite_name(result: SuiteResult) -> str:
    """Name the plugins under test, or the folder of the suite where there is none."""
    return ", ".join(plugin.name for plugin in result.settings.plugins) or result.settings.root


def measured(result: SuiteResult, measures: SuiteMeasures) -> Iterator[str]:
    """Say what was measured, and by what."""
    settings = result.settings
    yield measures.agent + (f" {result.claude_version}" if result.claude_version else "")
    yield from (f"{plugin.name} {plugin.version}" for plugin in settings.plugins if plugin.version)
    given = (
        ("judge", settings.judge_model),
        ("cases", settings.case_filter),
        ("tags", settings.tag_filters and ", ".join(settings.tag_filters)),
    )
    model = model_words(settings.model, measures.models)
    yield Md("model not recorded") if model is None else f"model {model}"
    yield from (f"{what} {value}" for what, value in given if value)
    yield Md("with and without the plugin" if settings.ablation == "with-without" else "with the plugin only")


def problems(result: SuiteResult) -> Iterator[str]:
    """Say what was left out or cannot be used."""
    for plugin in result.settings.plugins:
        if plugin.problem is not None:
            yield f"The plugin {plugin.name} cannot be used as it is: {plugin.problem.replace('_', ' ')}."
    if result.refused:
        yield f"Left out, since they do not load: {', '.join(result.refused)}."


def reaches(case: CaseOfSuite, result: SuiteResult) -> bool:
    """Whether a case passes."""
    return case.numbers.score is not None and case.numbers.score >= result.settings.threshold


def verdict(result: SuiteResult) -> Verdict:
    """Say what came of a suite: it passes only if all of it ran and every case reached the threshold."""
    total, passed = result.numbers.cases_total, result.numbers.cases_passed
    reached = Md(f"{passed} of {count(total, 'case')} reached the threshold of {threshold(result)}")
    if result.refused:
        reached = Md(f"{reached}; {count(len(result.refused), 'case')} did not load")
    if not any(run.graders for run in _all_runs(result)) and any(_all_runs(result)):
        reached = Md(f"{reached}; nothing was graded")
    if result.partial_reason is not None:
        return Verdict(
            state="partial", word=Md("PARTIAL"), words=Md(f"{_PARTIAL[result.partial_reason]}; so far {reached}")
        )
    errors = sum(map(ended_on_api_error, _all_runs(result)))
    if errors:
        words = Md(f"{count(errors, 'run')} ended on an API error; {reached}")
        return Verdict(state="fail", word=Md("FAIL"), words=words)
    is_passed = total > 0 and passed == total and not result.refused
    return Verdict(state="pass" if is_passed else "fail", word=Md("PASS" if is_passed else "FAIL"), words=reached)


def threshold(result: SuiteResult) -> Md:
    """Show the threshold as somebody chose it."""
    return Md(numbers.exactly(result.settings.threshold))


def tiles(result: SuiteResult, measures: SuiteMeasures) -> Iterator[Tile]:
    """Give the main numbers."""
    scored = None if measures.score is None else between(measures.score.interval)
    score = as_measured(result.numbers.score, *(case.with_plugin for case in result.cases))
    yield Tile(label=Md("Suite score"), value=share(score), detail=scored)
    yield from _tiles_of_arms(result, measures)
    numbers_ = result.numbers
    at_threshold = Md(f"{numbers_.cases_passed}/{numbers_.cases_total}")
    yield Tile(label=Md("Cases at threshold"), value=at_threshold, detail=Md(f"score of at least {threshold(result)}"))
    runs = [run for case in result.cases for run in case.with_plugin]
    perfect = Md(f"{sum(run.passed for run in runs)}/{len(runs)}")
    yield Tile(label=Md("Perfect runs"), value=perfect, detail=Md("with the plugin, score 1.00"))
    yield from (_rate(label, name, measures) for label, name in _RATES)
    if (other := measures.other_skill) is not None and other.of:
        shown = Md(f"{len(other.cases)}/{other.of}")
        yield Tile(label=Md("Another skill fired"), value=shown, detail=Md("of the cases that ask for a skill by name"))
    yield Tile(
        label=Md("Cost"),
        value=money(result.cost_usd),
        detail=Md(f"{cost_words(result)}; {duration(result.duration_s)}"),
    )


def cost_words(result: SuiteResult) -> Md:
    """Say what the cost of a suite holds."""
    judge = plain_sum([run.judge_cost_usd for run in _all_runs(result)])
    return Md(f"list price, judge {money(judge)} of it" if judge else "list price")


def _tiles_of_arms(result: SuiteResult, measures: SuiteMeasures) -> Iterator[Tile]:
    baselines = [as_measured(case.numbers.score_without, case.without_plugin) for case in result.cases]
    compared = [baseline for baseline in baselines if baseline is not None]
    if result.settings.ablation != "with-without" and not compared:
        return
    found = None if measures.delta is None else between(measures.delta.interval, is_difference=True)
    delta = as_measured(result.numbers.mean_delta, [*_all_runs(result)])
    detail = Md("; ".join(filter(None, ("what the plugin adds", found))))
    yield Tile(label=Md("Delta"), value=signed(delta), detail=detail)
    baseline = plain_sum(compared) / len(compared) if compared else None
    yield Tile(
        label=Md("Score without"), value=share(baseline), detail=Md(f"the plugin, {count(len(compared), 'case')}")
    )


_RATES = (
    (Md("Trigger precision"), "precision"),
    (Md("Trigger recall"), "recall"),
    (Md("False triggers"), "false_trigger_rate"),
)


def _rate(label: Md, name: str, measures: SuiteMeasures) -> Tile:
    metric = measures.trigger.get(name)
    if metric is None or metric.value is None:
        return Tile(label=label, value=UNDEFINED, detail=_why_undefined(name, measures.counts))
    return Tile(label=label, value=fraction(metric), detail=between(metric.interval))


def _why_undefined(name: str, counts: Confusion) -> Md:
    positives = counts.true_positives + counts.false_negatives
    negatives = counts.false_positives + counts.true_negatives
    if positives + negatives == 0:
        return Md("no run tells" if counts.unmeasured else "no case tells")
    if name == "precision":
        return Md("nothing fired")
    return Md("no case was run that asks for it" if name == "recall" else "no case was run that forbids it")


def _all_runs(result: SuiteResult) -> Iterator[RunOfCase]:
    for case in result.cases:
        yield from case.with_plugin
        yield from case.without_plugin or ()
