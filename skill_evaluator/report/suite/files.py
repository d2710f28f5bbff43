"""The files that a suite's run leaves: their names, and the text of the one for programs."""

from skill_evaluator.report.suite.content import result_content
from skill_evaluator.report.suite.javascript_layout import javascript_text
from skill_evaluator.results.suite_result import SuiteResult

RESULT_FILE = "aggregate-result.json"
REPORT_FILE = "report.html"


def suite_result_to_json(result: SuiteResult) -> str:
    """Lay an answer out as the text of its file, for `--json` too; equal answers give equal text."""
    return javascript_text(result_content(result)) + "\n"
