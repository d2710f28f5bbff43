"""What a report found, in one line or one row; an INVALID report shows no score."""

from collections.abc import Iterator

from skill_evaluator.metrics.cases import is_undecided
from skill_evaluator.metrics.output import OUTPUT_PASS_RATE
from skill_evaluator.metrics.standing import Standing, standing
from skill_evaluator.model import Split
from skill_evaluator.report import footer, numbers
from skill_evaluator.report.ci.outcome import stops_build
from skill_evaluator.report.escape import Md, Table, table
from skill_evaluator.report.moments import moment
from skill_evaluator.report.output_only import is_output_only, right_share
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
    return say("page.result", icon=Md(_icon(report)), what=summed_up(report, say))


def _icon(report: Report) -> str:
    """A pass that stops the build all the same, as a partial one does, has no tick."""
    doubted = report.verdict is ReportVerdict.PASS and stops_build(report)
    return "⚠️" if doubted else _ICONS.get(report.verdict, "⚠️")


def summed_up(report: Report, say: Phrases) -> Md:
    """The verdict with what decided it: the score and its threshold, or where it is not the score, the first reason.

    The score is F1, or where no case asks for a trigger the share of right outputs.
    """
    reason = _in_short(report, say)
    if report.verdict is ReportVerdict.INVALID:
        return say("page.summary_invalid_why", reason=reason) if reason else say("page.summary_invalid")
    verdict, threshold = say.name(report.verdict, "verdict"), Md(numbers.exactly(report.config.pass_threshold))
    if is_output_only(report):
        right = _right(report, say)
        if reason:
            return say("page.summary_why_output", verdict=verdict, reason=reason, **right)
        return say("page.summary_output", verdict=verdict, threshold=threshold, **right)
    f1 = _score("f1", report, say)
    if reason:
        return say("page.summary_why", verdict=verdict, reason=reason, f1=f1)
    return say("page.summary", verdict=verdict, f1=f1, threshold=threshold)


def _right(report: Report, say: Phrases) -> dict[str, Md]:
    share = right_share(report)
    right, cases = Md(share.numerator or 0), Md(share.denominator or 0)
    undecided = sum(case.split is Split.ACCEPTANCE and is_undecided(case) for case in report.cases)
    left_out = say("page.summary_undecided", undecided=undecided) if undecided else Md("")
    return {"right": right, "cases": cases, "share": _score(OUTPUT_PASS_RATE, report, say), "undecided": left_out}


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
    partial = say("page.summary_partial", by=say.name(report.stopped_by, "signal")) if report.stopped_by else Md("")
    found = standing(report.judge) if report.judge else None
    judge = say(f"page.summary_judge_{found}") if found in _UNSCORED else Md("")
    return say.together(partial, judge)


def reports_table(new: Report, old: Report, say: Phrases) -> Table:
    """Two reports, one a row."""
    score = OUTPUT_PASS_RATE if is_output_only(new) else "f1"
    rows = [[say(f"page.compare_{which}"), *_row(report, score, say)] for which, report in (("new", new), ("old", old))]
    header = "page.compare_reports_header_output" if is_output_only(new) else "page.compare_reports_header"
    return table(say.cells(header), rows)


def _row(report: Report, score: str, say: Phrases) -> Iterator[Md]:
    yield say.quote(report.skill.version)
    yield moment(report.timestamp, say)
    yield say.quote(report.agent.name)
    model = footer.model(report, say)
    yield model if isinstance(model, Md) else say.quote(model)
    yield say.name(report.verdict, "verdict")
    yield _score(score, report, say)
    for split in Split:
        yield say("page.compare_cases", cases=len(cases_of(report, split)))


def _score(name: str, report: Report, say: Phrases) -> Md:
    """A score with as many decimals as it takes to tell it from the threshold."""
    value = report.splits[Split.ACCEPTANCE].metrics[name].value
    if value is None or report.verdict is ReportVerdict.INVALID:
        return say("page.undefined")
    return Md(numbers.apart(value, report.config.pass_threshold))
