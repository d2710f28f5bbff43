"""The result of an eval suite as a comment of a pull request."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import PurePath

from skill_evaluator.metrics.result_measures import measures_of_result
from skill_evaluator.metrics.suite_notes import as_measured
from skill_evaluator.report import numbers
from skill_evaluator.report.ci.comment import Block, Page, fitted
from skill_evaluator.report.ci.suite_state import SuiteState, case_words, failed, suite_state
from skill_evaluator.report.escape import Md, Table, table
from skill_evaluator.report.phrases import Phrases, phrases
from skill_evaluator.report.suite.figures import signed
from skill_evaluator.report.suite.overview import suite_name
from skill_evaluator.report.words import Lang
from skill_evaluator.results import Interval, Metric
from skill_evaluator.results.suite_result import SuiteMeasures, SuiteResult

_ICONS = {"pass": Md("✅"), "fail": Md("❌"), "partial": Md("⚠️")}
_RATES = ("precision", "recall", "f1", "false_trigger_rate")


def suite_result_to_comment(result: SuiteResult, lang: Lang) -> str:
    """Lay a result out for GitHub, in less than 65,536 characters whatever it holds.

    Args:
        result: Any result.
        lang: The language of everything but quoted text.
    """
    say = phrases(lang)
    return fitted(partial(_page, result, measures_of_result(result), say), say)


def _page(result: SuiteResult, measures: SuiteMeasures, say: Phrases, most: int) -> Page:
    found: SuiteState = suite_state(result, say)
    name = suite_name(result)
    below = failed(result)
    lines = [say("ci.suite_case", name=case.name, what=case_words(case, result, say)) for case in below[:most]]
    if len(below) > most:
        lines.append(say("ci.more_cases", cases=len(below) - most))
    return Page(
        subject=("suite", name, *_place(result.settings.root)),
        heading=say("ci.heading", icon=_ICONS[found.state], name=name, what=found.words),
        reasons=found.reasons,
        table=_numbers(result, measures, say),
        flips=(),
        blocks=[Block(heading=say("ci.suite_failed", cases=len(below)), lines=lines)] if below else [],
        suggestion=None,
        command=None,
        measured=say("ci.suite_measured", agent=measures.agent, cost=Md(numbers.usd(result.cost_usd))),
    )


def _place(root: str) -> Sequence[str]:
    """Name a suite by its folder and the one above it: what is above these differs from machine to machine."""
    return PurePath(root).parts[-2:]


def _numbers(result: SuiteResult, measures: SuiteMeasures, say: Phrases) -> Table:
    dash = say("page.undefined")
    score = as_measured(result.numbers.score, *(case.with_plugin for case in result.cases))
    interval = measures.score.interval if measures.score else None
    rows = [
        [say("ci.suite_score"), dash if score is None else Md(numbers.ratio(score)), dash, _interval(interval, say)],
        [
            say("ci.suite_reached"),
            dash,
            Md(f"{result.numbers.cases_passed}/{result.numbers.cases_total}"),
            dash,
        ],
        *_delta(result, measures, say),
        *(
            _rate(measures.trigger[name], say)
            for name in _RATES
            if name in measures.trigger and measures.trigger[name].value is not None
        ),
    ]
    return table(say.cells("ci.suite_header"), rows)


def _delta(result: SuiteResult, measures: SuiteMeasures, say: Phrases) -> Iterator[list[Md]]:
    runs = [run for case in result.cases for run in (*case.with_plugin, *(case.without_plugin or ()))]
    delta = as_measured(result.numbers.mean_delta, runs)
    if delta is None:
        return
    found = measures.delta.interval if measures.delta else None
    dash = say("page.undefined")
    between = dash if found is None else Md(f"{signed(found.low)} – {signed(found.high)}")
    yield [say("ci.suite_delta"), signed(delta), dash, between]


def _rate(metric: Metric, say: Phrases) -> list[Md]:
    dash = say("page.undefined")
    has_counts = metric.numerator is not None and metric.denominator is not None
    return [
        say.name(metric.name, "metric"),
        dash if metric.value is None else Md(numbers.ratio(metric.value)),
        Md(f"{metric.numerator}/{metric.denominator}") if has_counts else dash,
        _interval(metric.interval, say),
    ]


def _interval(value: Interval | None, say: Phrases) -> Md:
    return say("page.undefined") if value is None else Md(numbers.interval(value))
