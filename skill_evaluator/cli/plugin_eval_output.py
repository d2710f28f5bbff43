"""Where the answer of a suite goes: said before money is spent, and shown when it is there."""

import argparse
import os
from pathlib import Path

from skill_evaluator.api.plugin_eval.options import EvaluatedSuite, SuiteOptions
from skill_evaluator.api.plugin_eval.writable import problem_of_folder
from skill_evaluator.cli.console import outliving_its_reader, say, show
from skill_evaluator.cli.plugin_eval_options import STANDARD_OUTPUT
from skill_evaluator.cli.plugin_eval_table import summary_text
from skill_evaluator.errors import EvaluatorError
from skill_evaluator.model import one_line
from skill_evaluator.report.files import write_whole

RESULT_FILE = "aggregate-result.json"
REPORT_FILE = "report.html"


def may_write(folder: Path, *, is_json: bool) -> bool:
    """Say what cannot be written, before anything is run.

    Args:
        folder: Where the result goes.
        is_json: Whether the result goes elsewhere too, so that it would not be lost.
    """
    problem = problem_of_folder(folder)
    if problem is None:
        return True
    remedy = "the run goes on, since --json was given" if is_json else "name a folder with --output-dir"
    say(one_line(f"{'WARN' if is_json else 'FAIL'} {folder}: the result cannot be written there: {problem}; {remedy}"))
    return is_json


def show_answer(evaluated: EvaluatedSuite, asked: SuiteOptions, options: argparse.Namespace) -> int:
    """Show the answer, write it where `--json` says, and return the exit status."""
    status = evaluated.exit_status
    if options.json is not None:
        status = _give_json(asked.output_dir / RESULT_FILE, options.json) or status
    elif evaluated.result is not None:
        text = summary_text(evaluated.result, refused=len(asked.suite.refused), is_kept=asked.keep_temp)
        with outliving_its_reader():
            show(text)
    for reason in evaluated.reasons:
        say(one_line(reason))
    report = asked.report or asked.output_dir / REPORT_FILE
    if evaluated.result is not None and report.exists():
        say(f"Report: {os.path.abspath(report)}")  # noqa: PTH100 - resolve would follow links
    return status


def _give_json(result: Path, where: str) -> int:
    try:
        document = result.read_text(encoding="utf-8")
    except OSError as error:
        say(f"FAIL {result}: {error.strerror}")
        return 1
    if where == STANDARD_OUTPUT:
        with outliving_its_reader():
            show(document)
        return 0
    try:
        write_whole({Path(where): document})
    except EvaluatorError as error:
        say(str(error))
        return 1
    with outliving_its_reader():
        show(one_line(f"Wrote {where}"))
    return 0
