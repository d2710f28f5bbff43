"""A report in each of its formats. All of them read the same `Report`, so they cannot disagree."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from skill_evaluator.errors import InputError
from skill_evaluator.model import Finding, Level
from skill_evaluator.report.ci.csv_rows import report_to_csv
from skill_evaluator.report.ci.junit import report_to_junit
from skill_evaluator.report.ci.pull_request import report_to_comment
from skill_evaluator.report.headline import missing, summed_up
from skill_evaluator.report.markdown import comparison_to_markdown, report_to_markdown
from skill_evaluator.report.page.document import report_to_html
from skill_evaluator.report.phrases import phrases
from skill_evaluator.report.serialize import report_to_json
from skill_evaluator.report.stopping import gate_words
from skill_evaluator.report.words import Lang
from skill_evaluator.results import Comparison, Report
from skill_evaluator.texts import tr

Renderer = Callable[[Report, Lang], str]

RENDERERS: Mapping[str, Renderer] = MappingProxyType(
    {
        "md": report_to_markdown,
        "html": report_to_html,
        "json": lambda report, _lang: report_to_json(report),
        "junit": report_to_junit,
        "csv": lambda report, _lang: report_to_csv(report),
        "github": report_to_comment,
    }
)


def render(report: Report, format: str, lang: Lang) -> str:  # noqa: A002 - the option's own name
    """Write a report out.

    Args:
        report: The report.
        format: A name of `RENDERERS`.
        lang: The language of the words; formats for machines have none.

    Raises:
        InputError: If there is no such format.
    """
    if format not in RENDERERS:
        message = tr(
            "--format: {format!r} is not known; choose one of {renderers}",
            format=format,
            renderers=", ".join(RENDERERS),
        )
        raise InputError([Finding(level=Level.FAIL, code="option", message=message)])
    return RENDERERS[format](report, lang)


def render_comparison(new: Report, old: Report, comparison: Comparison, lang: Lang) -> str:
    """Write a comparison out as Markdown.

    Args:
        new: The later report.
        old: The earlier one.
        comparison: What `compare` made of both.
        lang: The language of the words.
    """
    return comparison_to_markdown(new, old, comparison, lang)


def gate_line(comparison: Comparison, lang: Lang) -> str:
    """Say in one line of plain text which regressions stop the build; empty where none was asked to."""
    return gate_words(comparison, phrases(lang, "plain")) or ""


def summary(report: Report, lang: Lang) -> str:
    """Sum a report up in one line of plain text: the verdict, its main figures, and what is missing from it."""
    say = phrases(lang, "plain")
    return summed_up(report, say) + missing(report, say)
