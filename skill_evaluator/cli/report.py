"""`report`: a saved report, or the saved answer of an eval suite, in another format or language."""

import argparse
from typing import TYPE_CHECKING

from skill_evaluator.api.saved import load_any
from skill_evaluator.cli.console import show, show_page
from skill_evaluator.report.render import render
from skill_evaluator.results import Report

if TYPE_CHECKING:
    from skill_evaluator.report.words import Lang
    from skill_evaluator.results.suite_result import SuiteResult


def execute(options: argparse.Namespace) -> int:
    """Print what was saved; the exit status says only whether it could be read."""
    saved = load_any(options.report)
    put = show_page if options.format == "md" else show
    if isinstance(saved, Report):
        put(render(saved, options.format, options.lang))
        return 0
    put(_rendered(saved, options.format, options.lang))
    return 0


def _rendered(result: "SuiteResult", form: str, lang: "Lang") -> str:
    from skill_evaluator.report.suite.files import suite_result_to_json  # noqa: PLC0415 - a report of `run` needs none
    from skill_evaluator.report.suite.html import suite_result_to_html  # noqa: PLC0415
    from skill_evaluator.report.suite.markdown import suite_result_to_markdown  # noqa: PLC0415

    if form == "json":
        return suite_result_to_json(result)
    return suite_result_to_html(result, lang) if form == "html" else suite_result_to_markdown(result, lang)
