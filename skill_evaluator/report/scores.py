"""The numbers of a split as tables: metrics, tags, stability."""

from collections.abc import Iterator, Mapping, Sequence

from skill_evaluator.metrics.stability import is_unstable
from skill_evaluator.model import Aspect, Split
from skill_evaluator.report import numbers
from skill_evaluator.report.escape import Md, table
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.results import CaseResult, Confusion, Metric, Report, Unit

TRIGGER_METRICS = ("precision", "recall", "f1", "false_trigger_rate")
SHOWN_METRICS = (
    *("precision", "recall", "f1", "output_pass_rate", "params_pass_rate", "tool_order_pass_rate"),
    *("false_trigger_rate", "pass_hat_k", "latency_p95", "latency_p50", "input_tokens", "output_tokens", "cost_usd"),
)
_SPREADS = ("f1", "recall", "false_trigger_rate")
_ASPECTS = {
    "output_pass_rate": Aspect.OUTPUT,
    "params_pass_rate": Aspect.PARAMS,
    "tool_order_pass_rate": Aspect.TOOL_ORDER,
}
_UNDEFINED = {
    "precision": "nothing_triggered",
    "recall": "no_positives",
    "f1": "no_positives",
    "false_trigger_rate": "no_negatives",
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


def metric_table(report: Report, split: Split, say: Phrases) -> Md:
    """Every metric that has a value, and the four of triggering in any case."""
    rows = [
        _metric_row(name, metric, report, split, say)
        for name, metric in _metrics(report, split).items()
        if metric.value is not None or name in TRIGGER_METRICS
    ]
    return table(say.cells("page.metrics_header"), rows)


def metrics_without_value(report: Report, split: Split, say: Phrases) -> Iterator[Md]:
    """The other metrics, gathered by the reason why they have no value."""
    groups: dict[str, list[Md]] = {}
    for name, metric in _metrics(report, split).items():
        if metric.value is None and name not in TRIGGER_METRICS:
            groups.setdefault(_why_undefined(name, report, split), []).append(say.name(name, "metric"))
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


def tag_table(report: Report, say: Phrases) -> Md | None:
    """The metrics of triggering by split and tag; None without tags."""
    rows = [
        [
            say.name(split, "split"),
            say.quote(tag),
            Md(_cases(result.confusion)),
            *(_value(result.metrics, name, say) for name in TRIGGER_METRICS),
        ]
        for split in Split
        for tag, result in sorted(report.splits[split].tags.items())
    ]
    return table(say.cells("page.tags_header"), rows) if rows else None


def stability_table(report: Report, say: Phrases) -> Md:
    """How many cases waver, and how far the rates of the repetitions lie apart."""
    rows = [
        [
            say.name(split, "split"),
            _count(report.splits[split].unstable_share, say),
            shown(report.splits[split].unstable_share.value, "ratio", say),
            *(shown(report.splits[split].spread.get(name), "ratio", say) for name in _SPREADS),
        ]
        for split in Split
        if cases_of(report, split)
    ]
    return table(say.cells("page.stability_header"), rows)


def unstable_cases(report: Report, say: Phrases) -> Md | None:
    """The cases whose runs disagree, acceptance first; None without any."""
    unstable = [case for split in Split for case in cases_of(report, split) if is_unstable(case)]
    named = [say("page.stability_case", id=case.id, n=case.triggered_runs, d=case.valid_runs) for case in unstable]
    return say("page.stability_cases", cases=say.join(named)) if named else None


def _metrics(report: Report, split: Split) -> Mapping[str, Metric]:
    """All metrics of a split in the order shown; those that this version does not know come last."""
    found = {**report.splits[split].metrics, **report.volatile.latency.get(split, {})}
    known = [name for name in SHOWN_METRICS if name in found]
    return {name: found[name] for name in (*known, *sorted(found.keys() - set(known)))}


def _metric_row(name: str, metric: Metric, report: Report, split: Split, say: Phrases) -> list[Md]:
    if metric.value is None:
        said = say(f"undefined.{_why_undefined(name, report, split)}")
    else:
        counts = {"n": metric.numerator, "d": metric.denominator, "k": report.config.runs}
        said = say.coded("said", name, counts, lambda: say("page.undefined"))
    return [
        say.name(name, "metric"),
        shown(metric.value, metric.unit, say),
        _count(metric, say),
        Md(numbers.interval(metric.interval)) if metric.interval else say("page.undefined"),
        _value(report.splits[split].do_nothing, name, say),
        said,
    ]


def _value(metrics: Mapping[str, Metric], name: str, say: Phrases) -> Md:
    return shown(metrics[name].value if name in metrics else None, "ratio", say)


def _count(metric: Metric, say: Phrases) -> Md:
    if metric.numerator is None or metric.denominator is None:
        return say("page.undefined")
    return Md(f"{metric.numerator}/{metric.denominator}")


def _cases(confusion: Confusion) -> int:
    decided = confusion.true_positives + confusion.false_negatives
    return decided + confusion.false_positives + confusion.true_negatives + confusion.unmeasured


def _why_undefined(name: str, report: Report, split: Split) -> str:
    if report.agent.estimate and name not in (*TRIGGER_METRICS, "pass_hat_k"):
        return "no_model"
    if name in _ASPECTS:
        return "not_run" if _not_run(_ASPECTS[name], cases_of(report, split)) else "no_checks"
    return _UNDEFINED.get(name, "unknown")


def _not_run(aspect: Aspect, cases: Sequence[CaseResult]) -> bool:
    verdicts = (verdict for case in cases for run in case.runs for verdict in run.verdicts)
    return any(verdict.aspect is aspect and verdict.outcome.passed is None for verdict in verdicts)
