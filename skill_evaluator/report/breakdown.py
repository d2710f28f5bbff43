"""What lies below the scores: tags, and how steady the repetitions are."""

from skill_evaluator.metrics.cases import answers
from skill_evaluator.metrics.output import OUTPUT_PASS_RATE
from skill_evaluator.metrics.stability import is_unstable
from skill_evaluator.model import Split
from skill_evaluator.report.escape import Md, Table, table
from skill_evaluator.report.output_only import is_output_only
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.report.scores import TRIGGER_METRICS, cases_of, counts, shown
from skill_evaluator.results import CaseResult, Metric, Report

_SPREADS: tuple[str, ...] = ("f1", "recall", "false_trigger_rate")


def tag_table(report: Report, say: Phrases) -> Table | None:
    """The metrics of triggering, or where no case asks for a trigger of the outputs, by split and tag.

    Returns:
        None without tags.
    """
    names: tuple[str, ...] = TRIGGER_METRICS
    header = "page.tags_header"
    if is_output_only(report):
        names, header = (OUTPUT_PASS_RATE,), "page.tags_header_output"
    rows = [
        [
            say.name(split, "split"),
            say.quote(tag),
            Md(sum(tag in case.tags for case in cases_of(report, split))),
            *(_counted(result.metrics.get(name), say) for name in names),
        ]
        for split in Split
        for tag, result in sorted(report.splits[split].tags.items())
    ]
    return table(say.cells(header), rows) if rows else None


def stability_table(report: Report, say: Phrases) -> Table:
    """How many cases waver, and how far the rates of the repetitions lie apart."""
    names, header = _SPREADS, "page.stability_header"
    if is_output_only(report):
        names, header = (OUTPUT_PASS_RATE,), "page.stability_header_output"
    rows = [
        [
            say.name(split, "split"),
            counts(report.splits[split].unstable_share, say),
            shown(report.splits[split].unstable_share.value, "ratio", say),
            *(shown(report.splits[split].spread.get(name), "ratio", say) for name in names),
        ]
        for split in Split
        if cases_of(report, split)
    ]
    return table(say.cells(header), rows)


def unstable_cases(report: Report, say: Phrases) -> Md | None:
    """The cases whose runs disagree, acceptance first; None without any."""
    unstable = [case for split in Split for case in cases_of(report, split) if is_unstable(case)]
    named = [_unstable(case, say) for case in unstable]
    return say("page.stability_cases", cases=say.join(named)) if named else None


def _unstable(case: CaseResult, say: Phrases) -> Md:
    said = answers(case.runs, expected=case.expect_trigger)
    key = "page.stability_case_output" if case.expect_trigger is None else "page.stability_case"
    return say(key, id=case.id, n=sum(said), d=len(said))


def _counted(metric: Metric | None, say: Phrases) -> Md:
    if metric is None or metric.value is None:
        return say("page.undefined")
    value = shown(metric.value, metric.unit, say)
    return value if metric.numerator is None else say("page.tag_value", value=value, counts=counts(metric, say))
