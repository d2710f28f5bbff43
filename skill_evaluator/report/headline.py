"""What a report found, in one line or one row; an INVALID report shows no score."""

from collections.abc import Iterator

from skill_evaluator.metrics.standing import Standing, standing
from skill_evaluator.model import Split
from skill_evaluator.report import footer, numbers
from skill_evaluator.report.escape import Md, table
from skill_evaluator.report.moments import moment
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.report.scores import cases_of
from skill_evaluator.results import Report, ReportVerdict

_DECIDED_AGAINST = frozenset({ReportVerdict.FAIL, ReportVerdict.UNSTABLE, ReportVerdict.INVALID})
_UNSCORED = {Standing.UNFIT, Standing.UNANSWERED, Standing.UNASKED}
_ICONS = {ReportVerdict.PASS: "✅", ReportVerdict.FAIL: "❌"}


def result(report: Report, say: Phrases) -> Md:
    """The heading of the result: the verdict, the score and what it takes to pass."""
    if report.verdict is ReportVerdict.INVALID:
        return say("page.result_invalid")
    return say("page.result", icon=Md(_ICONS.get(report.verdict, "⚠️")), what=summed_up(report, say))


def summed_up(report: Report, say: Phrases) -> Md:
    """The verdict with what decided it: F1 and its threshold, or where F1 is not what failed, the first reason."""
    reason = _in_short(report, say)
    if report.verdict is ReportVerdict.INVALID:
        return say("page.summary_invalid_why", reason=reason) if reason else say("page.summary_invalid")
    verdict, f1 = say.name(report.verdict, "verdict"), _f1(report, say)
    if reason:
        return say("page.summary_why", verdict=verdict, reason=reason, f1=f1)
    threshold = Md(numbers.exactly(report.config.pass_threshold))
    return say("page.summary", verdict=verdict, f1=f1, threshold=threshold)


def _in_short(report: Report, say: Phrases) -> Md | None:
    """The deciding reason in a few words; None where the figures say it, or nothing was decided against the skill."""
    if report.verdict not in _DECIDED_AGAINST or not report.reasons:
        return None
    deciding = report.reasons[0]
    return say.coded("short", deciding.code, deciding.values, lambda: Md("")) or None


def missing(report: Report, say: Phrases) -> Md:
    """What the verdict does not show: that calls were left out, or that there is no score of a judge that was named."""
    if report.verdict is ReportVerdict.INVALID:
        return Md("")
    partial = say("page.summary_partial", by=say.name(report.stopped_by, "signal")) if report.stopped_by else ""
    found = standing(report.judge) if report.judge else None
    judge = say(f"page.summary_judge_{found}") if found in _UNSCORED else ""
    return Md(partial + judge)


def reports_table(new: Report, old: Report, say: Phrases) -> Md:
    """Two reports, one a row."""
    rows = [[say(f"page.compare_{which}"), *_row(report, say)] for which, report in (("new", new), ("old", old))]
    return table(say.cells("page.compare_reports_header"), rows)


def _row(report: Report, say: Phrases) -> Iterator[Md]:
    yield say.quote(report.skill.version)
    yield moment(report.timestamp, say)
    yield say.quote(report.agent.name)
    model = footer.model(report, say)
    yield model if isinstance(model, Md) else say.quote(model)
    yield say.name(report.verdict, "verdict")
    yield _f1(report, say)
    for split in Split:
        yield say("page.compare_cases", cases=len(cases_of(report, split)))


def _f1(report: Report, say: Phrases) -> Md:
    """F1 with as many decimals as it takes to tell it from the threshold."""
    f1 = report.splits[Split.ACCEPTANCE].metrics["f1"].value
    if f1 is None or report.verdict is ReportVerdict.INVALID:
        return say("page.undefined")
    return Md(numbers.apart(f1, report.config.pass_threshold))
