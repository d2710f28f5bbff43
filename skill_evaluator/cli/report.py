"""`report`: a saved report, or the saved answer of an eval suite, in another format or language."""

import argparse
from typing import TYPE_CHECKING

from skill_evaluator.api.saved import load_any
from skill_evaluator.cli.console import say, show, show_page
from skill_evaluator.report.render import render
from skill_evaluator.results import Report

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from skill_evaluator.results.suite_result import SuiteResult


def execute(options: argparse.Namespace) -> int:
    """Print what was saved; the exit status says only whether it could be read."""
    saved = load_any(options.report)
    put = show_page if options.format == "md" else show
    if isinstance(saved, Report):
        put(render(saved, options.format, options.lang))
        return 0
    if options.lang != "en":
        say("WARN --lang: results of eval suites are shown in English only")
    put(_renderers()[options.format](saved))
    return 0


def _renderers() -> "Mapping[str, Callable[[SuiteResult], str]]":
    from skill_evaluator.report.suite.files import suite_result_to_json  # noqa: PLC0415 - a report of `run` needs none
    from skill_evaluator.report.suite.html import suite_result_to_html  # noqa: PLC0415
    from skill_evaluator.report.suite.markdown import suite_result_to_markdown  # noqa: PLC0415

    return {"md": suite_result_to_markdown, "html": suite_result_to_html, "json": suite_result_to_json}
