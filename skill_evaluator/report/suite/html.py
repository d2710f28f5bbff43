"""A suite's answer as one page for people that asks for nothing from outside and needs no script."""

from typing import TYPE_CHECKING

from skill_evaluator.metrics.result_measures import measures_of_result
from skill_evaluator.report.escape import cut_middle, visible
from skill_evaluator.report.suite.cards import bar_width, cards
from skill_evaluator.report.suite.figures import moment
from skill_evaluator.report.suite.overview import measured, problems, suite_name, threshold, tiles, verdict
from skill_evaluator.report.suite.triggering import stability_rows, trigger_table
from skill_evaluator.results.suite_result import SuiteResult
from skill_evaluator.template_files import template_folder

if TYPE_CHECKING:
    from jinja2 import Environment

_LONGEST_TEXT = 20_000  # characters of a prompt, an explanation or what a judge was shown
_LONGEST_NAME = 300
_CUT = "\n[… {cut} characters are left out here; the JSON has all …]\n"


def suite_result_to_html(result: SuiteResult) -> str:
    """Lay an answer out as a page; the same answer gives the same bytes.

    Whatever others wrote is escaped, shows control characters and marks of direction by signs, and loses its middle
    where it is long.
    """
    measures = measures_of_result(result)
    return (
        _environment()
        .get_template("suite_report.html.j2")
        .render(
            result=result,
            name=suite_name(result),
            started=moment(result.started_at),
            verdict=verdict(result),
            tiles=[*tiles(result, measures)],
            threshold=threshold(result),
            tick=bar_width(result.settings.threshold),
            problems=[*problems(result)],
            notes=measures.notes,
            measured=[*measured(result, measures)],
            two_arms=any(case.without_plugin is not None for case in result.cases),
            trigger=trigger_table(measures),
            stability=stability_rows(measures),
            cards=cards(result, measures),
        )
    )


def visible_lines(text: str) -> str:
    """Show what could hide or reorder text by signs, line by line; line ends and tabs stay."""
    return "\n".join("\t".join(map(visible, line.split("\t"))) for line in text.replace("\r\n", "\n").split("\n"))


def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - heavy, loaded when needed

    environment = Environment(
        loader=FileSystemLoader(template_folder()),
        undefined=StrictUndefined,
        autoescape=True,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["line"] = lambda text: visible(cut_middle(text, _LONGEST_NAME, " […] "))
    return environment


def _shown(value: object) -> object:
    """Every value goes through here before it is escaped; one that has no agreed look is a bug."""
    if isinstance(value, str):
        return value if hasattr(value, "__html__") else visible_lines(cut_middle(value, _LONGEST_TEXT, _CUT))
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise TypeError(f"{value!r} has no agreed look: word it or format it first")
