"""`report`: a saved report, or the saved answer of an eval suite, in another format or language."""

import argparse
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from skill_evaluator.api.saved import load_any
from skill_evaluator.cli.console import show_file, show_json, show_page
from skill_evaluator.cli.github_log import log_text
from skill_evaluator.report.render import render
from skill_evaluator.results import Report

if TYPE_CHECKING:
    from skill_evaluator.report.words import Lang
    from skill_evaluator.results.suite_result import SuiteResult


def _show_comment(text: str) -> None:
    show_file(log_text(text))


_SHOWN: Final[Mapping[str, Callable[[str], None]]] = {"md": show_page, "json": show_json, "github": _show_comment}


def execute(options: argparse.Namespace) -> int:
    """Print what was saved; the exit status says only whether it could be read."""
    saved = load_any(options.report)
    put = _SHOWN.get(options.format, show_file)  # what is for programs stays as it is
    if isinstance(saved, Report):
        put(render(saved, options.format, options.lang))
        return 0
    put(_renderers(options.lang)[options.format](saved))
    return 0


def _renderers(lang: "Lang") -> Mapping[str, "Callable[[SuiteResult], str]"]:
    from skill_evaluator.report.ci.suite_csv import suite_result_to_csv  # noqa: PLC0415 - as below
    from skill_evaluator.report.ci.suite_junit import suite_result_to_junit  # noqa: PLC0415
    from skill_evaluator.report.ci.suite_pull_request import suite_result_to_comment  # noqa: PLC0415
    from skill_evaluator.report.suite.files import suite_result_to_json  # noqa: PLC0415 - a report of `run` needs none
    from skill_evaluator.report.suite.html import suite_result_to_html  # noqa: PLC0415
    from skill_evaluator.report.suite.markdown import suite_result_to_markdown  # noqa: PLC0415

    return {
        "md": partial(suite_result_to_markdown, lang=lang),
        "html": partial(suite_result_to_html, lang=lang),
        "json": suite_result_to_json,
        "junit": partial(suite_result_to_junit, lang=lang),
        "csv": suite_result_to_csv,
        "github": partial(suite_result_to_comment, lang=lang),
    }
