"""A report as Markdown: what stands where is in the template, the words are in `words`."""

from collections.abc import Iterator, Mapping

from skill_evaluator.model import Finding, Split
from skill_evaluator.report import footer, numbers
from skill_evaluator.report.changes import comparison_view
from skill_evaluator.report.escape import Md
from skill_evaluator.report.failures import cause_table, error_table, failed_heading, failed_splits
from skill_evaluator.report.moments import moment
from skill_evaluator.report.phrases import Phrases, phrases
from skill_evaluator.report.scores import (
    cases_of,
    metric_table,
    metrics_without_value,
    stability_table,
    tag_table,
    unstable_cases,
)
from skill_evaluator.report.words import Lang
from skill_evaluator.results import Comparison, Report, ReportVerdict

_ICONS = {ReportVerdict.PASS: "✅", ReportVerdict.FAIL: "❌", ReportVerdict.INVALID: "❌"}
_MOST_WARNINGS = 20


def report_to_markdown(report: Report, lang: Lang) -> str:
    """Lay a report out for people.

    Args:
        report: Any report; an INVALID one shows no score.
        lang: The language of everything but quoted text.
    """
    say = phrases(lang)
    template = say.environment.get_template("report.md.j2")
    scored = report.verdict is not ReportVerdict.INVALID
    return template.render({**_head(report, say), **_body(report, say), **(_scores(report, say) if scored else {})})


def comparison_to_markdown(comparison: Comparison, lang: Lang) -> str:
    """Lay a comparison out for people."""
    say = phrases(lang)
    return say.environment.get_template("comparison.md.j2").render(comparison=comparison_view(comparison, say))


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
        "result": _result(report, say),
        "reasons": _reasons(report, say),
    }


def _result(report: Report, say: Phrases) -> Md:
    if report.verdict is ReportVerdict.INVALID:
        return say("page.result_invalid")
    threshold = report.config.pass_threshold
    f1 = report.splits[Split.ACCEPTANCE].metrics["f1"].value
    return say(
        "page.result",
        icon=Md(_ICONS.get(report.verdict, "⚠️")),
        verdict=say.name(report.verdict, "verdict"),
        f1=say("page.undefined") if f1 is None else Md(numbers.apart(f1, threshold)),
        threshold=Md(numbers.exactly(threshold)),
    )


def _reasons(report: Report, say: Phrases) -> tuple[Md, ...]:
    if report.verdict is ReportVerdict.PASS and not report.reasons:
        return (say("page.pass_reason"),)
    return tuple(say.coded("note", note.code, note.values) for note in report.reasons)


def _scores(report: Report, say: Phrases) -> Mapping[str, object]:
    """What an INVALID report does not show."""
    positives = sum(case.expect_trigger for case in cases_of(report, Split.ACCEPTANCE))
    return {
        "metrics": {
            split: {
                "table": metric_table(report, split, say),
                "undefined": tuple(metrics_without_value(report, split, say)),
            }
            for split in Split
            if cases_of(report, split) or split is Split.ACCEPTANCE
        },
        "comparison": comparison_view(report.comparison, say, latency=report.volatile.comparison, positives=positives)
        if report.comparison
        else None,
        "stability": stability_table(report, say),
        "unstable": unstable_cases(report, say),
        "tags": tag_table(report, say),
    }


def _body(report: Report, say: Phrases) -> Mapping[str, object]:
    return {
        "metrics": None,
        "comparison": None,
        "stability": None,
        "tags": None,
        "invalid": report.verdict is ReportVerdict.INVALID,
        "failed_heading": failed_heading(report, say),
        "failed": failed_splits(report, say),
        "errors": error_table(report, say),
        "causes": cause_table(report, say),
        "warnings": tuple(_warnings(report, say)),
        "notes": tuple(say.coded("note", note.code, note.values) for note in report.notes),
        "definitions": tuple(footer.definitions(say)),
        "measured": tuple(footer.measured(report, say)),
        "command": footer.command(report),
    }


def _warnings(report: Report, say: Phrases) -> Iterator[Md]:
    for finding in report.warnings[:_MOST_WARNINGS]:
        yield _warning(finding, say)
    if len(report.warnings) > _MOST_WARNINGS:
        yield say("page.more_warnings", more=len(report.warnings) - _MOST_WARNINGS)


def _warning(finding: Finding, say: Phrases) -> Md:
    what = say.finding(finding)
    place = ":".join(str(part) for part in (finding.file, finding.line) if part is not None)
    return say("page.warning_place", what=what, place=place) if place else what
