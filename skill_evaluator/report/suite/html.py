"""A suite's answer as one page for people."""

from skill_evaluator.results.suite_result import SuiteResult


def suite_result_to_html(result: SuiteResult) -> str:
    """Lay an answer out as one page that asks for nothing from outside."""
    del result
    return "<!doctype html>\n"
