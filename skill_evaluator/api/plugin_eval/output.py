"""Writes the answer of a suite where the user wants it."""

from collections.abc import Sequence
from pathlib import Path

from skill_evaluator.api.plugin_eval.options import SuiteOptions
from skill_evaluator.errors import InputError
from skill_evaluator.report.files import write_whole
from skill_evaluator.report.suite.files import REPORT_FILE, RESULT_FILE, suite_result_to_json
from skill_evaluator.report.suite.html import suite_result_to_html
from skill_evaluator.results.suite_result import SuiteResult
from skill_evaluator.texts import tr


def write_result(result: SuiteResult, options: SuiteOptions) -> Sequence[str]:
    """Write `aggregate-result.json`; give why that did not work, one sentence each."""
    try:
        write_whole({options.output_dir / RESULT_FILE: suite_result_to_json(result)})
    except InputError as error:
        return [str(finding) for finding in error.findings]
    return []


def write_report(result: SuiteResult, options: SuiteOptions) -> Sequence[str]:
    """Write the HTML report, likewise; a result is as good without it, so whatever goes wrong is said, not raised.

    A result without any run has none, unless it was asked for by name.
    """
    if options.report is None and not result.cases:
        return []
    path = report_path(options)
    try:
        write_whole({path: suite_result_to_html(result, options.lang)})
    except InputError as error:
        return [str(finding) for finding in error.findings]
    except Exception as fault:  # noqa: BLE001 - memory, a library that cannot be loaded, a bug: the result stands
        return [
            tr("{path}: the report cannot be made: {name}: {fault}", path=path, name=type(fault).__name__, fault=fault)
        ]
    return []


def report_path(options: SuiteOptions) -> Path:
    """Give where the HTML report goes."""
    return options.report or options.output_dir / REPORT_FILE
