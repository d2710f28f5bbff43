"""What a report says, worded once for every format that shows it to people."""

from collections.abc import Iterator, Mapping
from functools import partial

from skill_evaluator.model import Finding, Split
from skill_evaluator.report import footer, headline
from skill_evaluator.report.advice import advice_view
from skill_evaluator.report.breakdown import stability_table, tag_table, unstable_cases
from skill_evaluator.report.changes import comparison_view
from skill_evaluator.report.escape import Md
from skill_evaluator.report.failures import cause_table, error_table, failed_heading, failed_splits
from skill_evaluator.report.judge import judge_view
from skill_evaluator.report.moments import moment
from skill_evaluator.report.output_only import is_output_only
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.report.scores import cases_of, split_scores
from skill_evaluator.report.siblings import fired_tables
from skill_evaluator.results import Report, ReportVerdict

_SMALL_CLASS = "class-too-small"
_MOST_WARNINGS = 20


def report_content(report: Report, say: Phrases) -> dict[str, object]:
    """Word everything that a report says.

    Args:
        report: Any report; of an INVALID one there is no score.
        say: The words.

    Returns:
        By the names that the templates use; views, tables and words, all of them safe.
    """
    scored = report.verdict is not ReportVerdict.INVALID
    return {**_head(report, say), **_body(report, say), **(_scores(report, say) if scored else {})}


def _head(report: Report, say: Phrases) -> dict[str, object]:
    return {
        "estimate": report.agent.estimate,
        "title": say("page.title", name=report.skill.name),
        "head": (
            say(
                "page.head",
                time=moment(report.timestamp, say),
                model=footer.model(report, say),
                cases=report.testset.cases,
            ),
            say(
                "page.head_more",
                version=report.skill.version,
                agent=report.agent.name,
                runs=report.config.runs,
            ),
        ),
        "result": headline.result(report, say),
        "reasons": (*_reasons(report, say), *_small_classes(report, say)),
    }


def _reasons(report: Report, say: Phrases) -> tuple[Md, ...]:
    reasons = (say.coded("note", note.code, note.values) for note in report.reasons)
    if report.verdict is not ReportVerdict.PASS:
        return tuple(reasons)
    return (say("page.pass_reason_output" if is_output_only(report) else "page.pass_reason"), *reasons)


def _small_classes(report: Report, say: Phrases) -> Iterator[Md]:
    """How little the score can show belongs where the score is; without one it stays a warning among others."""
    for finding in report.warnings:
        if _is_told_above(finding, report):
            yield say.coded("brief", finding.code, finding.values, partial(say.finding, finding))


def _is_told_above(finding: Finding, report: Report) -> bool:
    return finding.code == _SMALL_CLASS and report.verdict is not ReportVerdict.INVALID


def _scores(report: Report, say: Phrases) -> Mapping[str, object]:
    """What an INVALID report does not show."""
    return {
        "metrics": {split: split_scores(report, split, say) for split in _shown_splits(report)},
        "comparison": comparison_view(report, report.comparison, say, latency=report.volatile.comparison)
        if report.comparison
        else None,
        "fired": fired_tables(report, say),
        "stability": stability_table(report, say),
        "unstable": unstable_cases(report, say),
        "tags": tag_table(report, say),
    }


def _shown_splits(report: Report) -> tuple[Split, ...]:
    """Both; but where nothing is learnt from tuning cases, and there are none, that needs no saying."""
    if is_output_only(report) and not cases_of(report, Split.TUNING):
        return (Split.ACCEPTANCE,)
    return tuple(Split)


def _body(report: Report, say: Phrases) -> Mapping[str, object]:
    return {
        "metrics": None,
        "comparison": None,
        "fired": (),
        "stability": None,
        "tags": None,
        "judge": judge_view(report, say),
        "invalid": report.verdict is ReportVerdict.INVALID,
        "failed_heading": failed_heading(report, say),
        "failed": failed_splits(report, say),
        "seen": any(case.runs for case in report.cases),
        "advice": advice_view(report, say),
        "errors": error_table(report, say),
        "causes": cause_table(report, say),
        "warnings": tuple(_warnings(report, say)),
        "notes": tuple(say.coded("note", note.code, note.values) for note in report.notes),
        "definitions": tuple(footer.definitions(report, say)),
        "measured": tuple(footer.measured(report, say)),
        "command": footer.command(report, say),
        "neighbours": footer.neighbours(report, say),
    }


def _warnings(report: Report, say: Phrases) -> Iterator[Md]:
    warnings = [finding for finding in report.warnings if not _is_told_above(finding, report)]
    for finding in warnings[:_MOST_WARNINGS]:
        yield _warning(finding, say)
    if len(warnings) > _MOST_WARNINGS:
        yield say("page.more_warnings", more=len(warnings) - _MOST_WARNINGS)


def _warning(finding: Finding, say: Phrases) -> Md:
    what = say.finding(finding)
    place = ":".join(str(part) for part in (finding.file, finding.line) if part is not None)
    return say("page.warning_place", what=what, place=place) if place else what
