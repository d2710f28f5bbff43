"""What lies below the scores: tags, and how steady the repetitions are."""

from skill_evaluator.metrics.stability import is_unstable
from skill_evaluator.model import Split
from skill_evaluator.report.escape import Md, table
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.report.scores import TRIGGER_METRICS, cases_of, counts, shown
from skill_evaluator.results import Confusion, Metric, Report

_SPREADS = ("f1", "recall", "false_trigger_rate")


def tag_table(report: Report, say: Phrases) -> Md | None:
    """The metrics of triggering by split and tag; None without tags."""
    rows = [
        [
            say.name(split, "split"),
            say.quote(tag),
            Md(_cases(result.confusion)),
            *(_counted(result.metrics.get(name), say) for name in TRIGGER_METRICS),
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
            counts(report.splits[split].unstable_share, say),
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


def _counted(metric: Metric | None, say: Phrases) -> Md:
    if metric is None or metric.value is None:
        return say("page.undefined")
    value = shown(metric.value, metric.unit, say)
    return value if metric.numerator is None else say("page.tag_value", value=value, counts=counts(metric, say))


def _cases(confusion: Confusion) -> int:
    decided = confusion.true_positives + confusion.false_negatives
    return decided + confusion.false_positives + confusion.true_negatives + confusion.unmeasured
