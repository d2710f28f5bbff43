"""The top of a suite's page: what came of it, what was measured, and what to know before believing its numbers."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from skill_evaluator.metrics.suite_models import model_words
from skill_evaluator.metrics.suite_notes import ended_on_api_error
from skill_evaluator.report import numbers
from skill_evaluator.report.escape import Md
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.results.suite_result import CaseOfSuite, RunOfCase, SuiteMeasures, SuiteResult

State = Literal["pass", "fail", "partial"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """The line that a reader sees first."""

    state: State
    word: Md
    words: Md


def suite_name(result: SuiteResult) -> str:
    """Name the plugins under test, or the folder of the suite where there is none."""
    return ", ".join(plugin.name for plugin in result.settings.plugins) or result.settings.root


def measured(result: SuiteResult, measures: SuiteMeasures, say: Phrases) -> Iterator[Md]:
    """Say what was measured, and by what."""
    settings = result.settings
    yield say.quote(measures.agent + (f" {result.claude_version}" if result.claude_version else ""))
    yield from (say.quote(f"{plugin.name} {plugin.version}") for plugin in settings.plugins if plugin.version)
    model = model_words(settings.model, measures.models)
    yield say("suite.model_unknown") if model is None else say("suite.model", model=model)
    given = (
        ("judge", settings.judge_model),
        ("case_filter", settings.case_filter),
        ("tag_filter", settings.tag_filters),
    )
    yield from (say(f"suite.{key}", value=value) for key, value in given if value)
    yield say("suite.two_arms" if settings.ablation == "with-without" else "suite.one_arm")


def problems(result: SuiteResult, say: Phrases) -> Iterator[Md]:
    """Say what was left out or cannot be used."""
    for plugin in result.settings.plugins:
        if plugin.problem is not None:
            yield say("suite.plugin_problem", name=plugin.name, why=say.name(plugin.problem, "suite_problem"))
    if result.refused:
        yield say("suite.left_out", cases=result.refused)


def reaches(case: CaseOfSuite, result: SuiteResult) -> bool:
    """Whether a case passes."""
    return case.numbers.score is not None and case.numbers.score >= result.settings.threshold


def verdict(result: SuiteResult, say: Phrases) -> Verdict:
    """Say what came of a suite: it passes only if all of it ran and every case reached the threshold."""
    total, passed = result.numbers.cases_total, result.numbers.cases_passed
    runs = all_runs(result)
    reached = say("suite.reached", passed=passed, total=total, threshold=threshold(result))
    if result.refused:
        reached = say("suite.and_refused", reached=reached, refused=len(result.refused))
    if runs and not any(run.graders for run in runs):
        reached = say("suite.and_ungraded", reached=reached)
    if result.partial_reason is not None:
        why = say.name(result.partial_reason, "suite_partial")
        return _verdict("partial", say("suite.so_far", why=why, reached=reached), say)
    if errors := sum(map(ended_on_api_error, runs)):
        return _verdict("fail", say("suite.api_runs", runs=errors, reached=reached), say)
    is_passed = total > 0 and passed == total and not result.refused
    return _verdict("pass" if is_passed else "fail", reached, say)


def _verdict(state: State, words: Md, say: Phrases) -> Verdict:
    return Verdict(state=state, word=say.name(state, "suite_word"), words=words)


def threshold(result: SuiteResult) -> Md:
    """Show the threshold as somebody chose it."""
    return Md(numbers.exactly(result.settings.threshold))


def all_runs(result: SuiteResult) -> list[RunOfCase]:
    """The runs of both arms."""
    return [run for case in result.cases for run in (*case.with_plugin, *(case.without_plugin or ()))]
