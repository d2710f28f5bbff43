"""The metrics of a split as a table, and why something is missing from it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from skill_evaluator.metrics.aspects import open_runs
from skill_evaluator.metrics.output import OUTPUT_PASS_RATE, PASS_RATES
from skill_evaluator.metrics.rubric import RUBRIC_PASS_RATE
from skill_evaluator.metrics.siblings import EXPECTED_SKILL_RATE
from skill_evaluator.metrics.standing import Standing, standing
from skill_evaluator.metrics.votes import JUDGED_PASS_RATE, judged
from skill_evaluator.model import Aspect, Split
from skill_evaluator.report import numbers
from skill_evaluator.report.escape import Md, Table, table
from skill_evaluator.report.output_only import assertion_table, failure_codes, fired_line, is_output_only
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.report.siblings import names_siblings
from skill_evaluator.results import CaseResult, Metric, Report, Unit

TRIGGER_METRICS = ("precision", "recall", "f1", "false_trigger_rate")
SHOWN_METRICS = (
    *("precision", "recall", "f1", "output_pass_rate", "params_pass_rate", "tool_order_pass_rate"),
    *(
        JUDGED_PASS_RATE,
        EXPECTED_SKILL_RATE,
        RUBRIC_PASS_RATE,
        "false_trigger_rate",
        "pass_hat_k",
        "latency_p95",
        "latency_p50",
        "input_tokens",
        "output_tokens",
        "cost_usd",
    ),
)
_BOOTSTRAPPED = ("f1", "pass_hat_k", RUBRIC_PASS_RATE)  # no interval where all resamples agree
_NO_MODEL = "no_model"
_UNSCORED = {found: f"judge_{found}" for found in (Standing.UNFIT, Standing.UNANSWERED, Standing.UNASKED)}
_ASPECTS = {
    "output_pass_rate": Aspect.OUTPUT,
    "params_pass_rate": Aspect.PARAMS,
    "tool_order_pass_rate": Aspect.TOOL_ORDER,
}
# Of cases without an expectation there are neither triggers nor, as a rule, checks of anything but the output.
_OF_TRIGGERS = frozenset({*TRIGGER_METRICS, "params_pass_rate", "tool_order_pass_rate"})
_NEVER_FIRES = 4  # its column
_UNDEFINED = {
    "precision": "nothing_triggered",
    "recall": "no_positives",
    "f1": "no_positives",
    "false_trigger_rate": "no_negatives",
    EXPECTED_SKILL_RATE: "no_siblings",
    "pass_hat_k": "too_few_runs",
    "latency_p50": "no_times",
    "latency_p95": "no_times",
    "input_tokens": "not_reported",
    "output_tokens": "not_reported",
    "cost_usd": "not_reported",
}


def cases_of(report: Report, split: Split) -> Sequence[CaseResult]:
    """The cases of one split, in the order of the test set."""
    return [case for case in report.cases if case.split is split]


@dataclass(frozen=True, kw_only=True, slots=True)
class ScoresView:
    """The metrics of a split in words.

    Attributes:
        table: All that have a value.
        lines: Why something is missing from the table; and how often the skill fired where that is not scored.
        assertions: What each kind of assertion found; None without any.
    """

    table: Md | Table
    lines: tuple[Md, ...] = ()
    assertions: Table | None = None


def split_scores(report: Report, split: Split, say: Phrases) -> ScoresView:
    """All metrics of a split; one without cases is said to have none."""
    if not cases_of(report, split):
        return ScoresView(table=say(f"page.no_cases_{split}"))
    lines = (
        *failure_codes(report, split, say),
        *_without_interval(report, split, say),
        *_without_value(report, split, say),
        *fired_line(report, split, say),
    )
    assertions = assertion_table(report, split, say)
    return ScoresView(table=_metric_table(report, split, say), lines=lines, assertions=assertions)


def _metric_table(report: Report, split: Split, say: Phrases) -> Table:
    """Every metric that has a value, and the four of triggering in any case; they have no say about outputs alone."""
    rows = [
        _metric_row(name, metric, report, split, say)
        for name, metric in _metrics(report, split).items()
        if metric.value is not None or name in TRIGGER_METRICS
    ]
    if is_output_only(report):  # the column of a skill that never fires says nothing here
        return table(
            say.cells("page.metrics_header_output"), [[*row[:_NEVER_FIRES], *row[_NEVER_FIRES + 1 :]] for row in rows]
        )
    return table(say.cells("page.metrics_header"), rows)


def _without_interval(report: Report, split: Split, say: Phrases) -> Iterator[Md]:
    """The metrics in the table whose interval is a dash although it could have been drawn."""
    bootstrapped = [metric for name, metric in _metrics(report, split).items() if name in _BOOTSTRAPPED]
    found = [metric.name for metric in bootstrapped if metric.value is not None and metric.interval is None]
    if found:
        key = "page.no_interval_output" if is_output_only(report) else "page.no_interval"
        yield say(key, names=say.join(say.name(name, "metric") for name in found))


def _without_value(report: Report, split: Split, say: Phrases) -> Iterator[Md]:
    """The other metrics, gathered by the reason why they have no value."""
    groups: dict[str, list[Md]] = {}
    for name, metric in _metrics(report, split).items():
        if metric.value is None and name not in TRIGGER_METRICS:
            groups.setdefault(why_undefined(name, report, split), []).append(say.name(name, "metric"))
    if split is not Split.ACCEPTANCE and cases_of(report, Split.ACCEPTANCE):
        groups.pop(_NO_MODEL, None)  # holds for the whole report, and stands with acceptance
    for why, names in groups.items():
        yield say("page.metrics_group", names=say.join(names), why=say(f"undefined.{why}"))


def shown(value: float | None, unit: Unit, say: Phrases) -> Md:
    """Show a value in its unit; an undefined one is a dash, never a 0."""
    if value is None:
        return say("page.undefined")
    match unit:
        case "ratio":
            return Md(numbers.ratio(value))
        case "s":
            return say("page.seconds", number=Md(numbers.seconds(value)))
        case "tokens":
            return Md(numbers.tokens(value))
        case "usd":
            return Md(numbers.usd(value))
        case "score":
            return Md(numbers.score(value))


def counts(metric: Metric, say: Phrases) -> Md:
    """Show what a share was made of; a dash where it is no share."""
    if metric.numerator is None or metric.denominator is None:
        return say("page.undefined")
    return Md(f"{metric.numerator}/{metric.denominator}")


def _metrics(report: Report, split: Split) -> Mapping[str, Metric]:
    """All metrics of a split in the order shown; those that this version does not know come last.

    Without a judge there is no word of rubrics, none of votes where no grader took any, and none of siblings
    where no case names one that counts; a note tells where a test set has some.
    """
    found = {**report.splits[split].metrics, **report.volatile.latency.get(split, {})}
    if report.judge is None:
        found.pop(RUBRIC_PASS_RATE, None)
    if not any(judged(run.verdicts) for case in report.cases for run in case.runs):
        found.pop(JUDGED_PASS_RATE, None)
    if not names_siblings(report):
        found.pop(EXPECTED_SKILL_RATE, None)
    if is_output_only(report):
        found = {name: metric for name, metric in found.items() if name not in _OF_TRIGGERS}
    known = [name for name in SHOWN_METRICS if name in found]
    return {name: found[name] for name in (*known, *sorted(found.keys() - set(known)))}


def _metric_row(name: str, metric: Metric, report: Report, split: Split, say: Phrases) -> list[Md]:
    if metric.value is None:
        said = say(f"undefined.{why_undefined(name, report, split)}")
    else:
        values = {"n": metric.numerator, "d": metric.denominator, "k": report.config.runs}
        key = "output_alone" if name == OUTPUT_PASS_RATE and is_output_only(report) else name
        said = say.coded("said", key, values, lambda: say("page.undefined"))
        if left_open := _left_open(name, report, split):
            said = say("page.left_open", said=said, cases=left_open)
    return [
        say.name(name, "metric"),
        shown(metric.value, metric.unit, say),
        counts(metric, say),
        Md(numbers.interval(metric.interval)) if metric.interval else say("page.undefined"),
        _value(report.splits[split].do_nothing, name, say),
        said,
    ]


def _value(metrics: Mapping[str, Metric], name: str, say: Phrases) -> Md:
    return shown(metrics[name].value if name in metrics else None, "ratio", say)


def why_undefined(name: str, report: Report, split: Split) -> str:
    """Why a metric of a split has no value: a code of the family `undefined`."""
    if report.agent.estimate and name not in (*TRIGGER_METRICS, "pass_hat_k"):
        return _NO_MODEL
    if name == OUTPUT_PASS_RATE and is_output_only(report):
        return "nothing_decided"
    if name in _ASPECTS:
        return "not_run" if _not_run(_ASPECTS[name], cases_of(report, split)) else "no_checks"
    if name == JUDGED_PASS_RATE:
        return "votes_missing" if _not_run(Aspect.JUDGED, cases_of(report, split)) else "nothing_voted"
    if name == RUBRIC_PASS_RATE and report.judge is not None:
        return _UNSCORED.get(standing(report.judge), "nothing_judged")
    return _UNDEFINED.get(name, "unknown")


def _left_open(name: str, report: Report, split: Split) -> int:
    """How many cases that triggered were to be checked and have no answer, so that a rate does not cover them."""
    aspect = PASS_RATES.get(name)
    return sum(
        aspect not in case.aspects and bool(open_runs(case.runs, aspect, expected=case.expect_trigger))
        for case in cases_of(report, split)
        if aspect is not None and (case.expect_trigger is None or (case.expect_trigger and case.decision))
    )


def _not_run(aspect: Aspect, cases: Sequence[CaseResult]) -> bool:
    verdicts = (verdict for case in cases for run in case.runs for verdict in run.verdicts)
    return any(verdict.aspect is aspect and verdict.outcome.passed is None for verdict in verdicts)
