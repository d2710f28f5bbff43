"""Writes what a suite's run leaves for people and programs, whole or not at all."""

from pathlib import Path

from skill_evaluator.report.files import write_whole
from skill_evaluator.report.suite.content import result_content
from skill_evaluator.report.suite.html import suite_result_to_html
from skill_evaluator.report.suite.javascript_layout import javascript_text
from skill_evaluator.results.suite_result import SuiteResult

RESULT_FILE = "aggregate-result.json"
REPORT_FILE = "report.html"


def suite_result_to_json(result: SuiteResult) -> str:
    """Lay an answer out as the text of its file, for `--json` too; equal answers give equal text."""
    return javascript_text(result_content(result)) + "\n"


def write_suite_result(result: SuiteResult, output_dir: Path, *, report: Path | None = None) -> tuple[Path, Path]:
    """Write `aggregate-result.json` and `report.html`.

    Args:
        result: The answer.
        output_dir: Where they go; made where it is missing, files of an earlier run are replaced.
        report: Where the report goes instead, or None.

    Returns:
        The paths of both.

    Raises:
        InputError: If one cannot be written; then both are as they were.
    """
    paths = output_dir / RESULT_FILE, report or output_dir / REPORT_FILE
    write_whole(dict(zip(paths, (suite_result_to_json(result), suite_result_to_html(result)), strict=True)))
    return paths
