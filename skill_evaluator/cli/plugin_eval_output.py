"""Where the answer of a suite goes: said before money is spent, and shown when it is there."""

import os
from collections.abc import Collection
from pathlib import Path

from skill_evaluator.api.plugin_eval.options import EvaluatedSuite, SuiteOptions
from skill_evaluator.api.plugin_eval.writable import problem_of_file, problem_of_folder
from skill_evaluator.cli.console import outliving_its_reader, say, show
from skill_evaluator.cli.plugin_eval_advice import advice
from skill_evaluator.cli.plugin_eval_options import STANDARD_OUTPUT
from skill_evaluator.cli.plugin_eval_table import summary_text
from skill_evaluator.errors import EvaluatorError
from skill_evaluator.model import one_line
from skill_evaluator.report.files import write_whole
from skill_evaluator.report.suite.files import REPORT_FILE, suite_result_to_json


def report_file(wanted: Path | None) -> Path | None:
    """Give where the HTML report goes in place of the folder of results; a bad report never stops a run.

    Args:
        wanted: As `--report`, or None.
    """
    problem = None if wanted is None else problem_of_file(wanted)
    if problem is None:
        return wanted
    say(one_line(f"WARN {wanted}: the report cannot be written there: {problem}; it goes to the other results"))
    return None


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


def show_answer(evaluated: EvaluatedSuite, asked: SuiteOptions, *, json: str | None, told: Collection[str] = ()) -> int:
    """Show the answer, write it where `--json` says, and return the exit status.

    Args:
        evaluated: The answer.
        asked: What was asked.
        json: As `--json`: None where it was not given.
        told: What was said already.
    """
    status, result = evaluated.exit_status, evaluated.result
    if result is not None and json is not None:
        status = _give_json(suite_result_to_json(result), json) or status
    elif result is not None and (evaluated.had_cases or asked.suite.refused):
        with outliving_its_reader():
            show(summary_text(result, refused=len(asked.suite.refused)))
    for reason in evaluated.reasons:
        if not any(reason in line for line in told):
            say(one_line(reason))
    for line in advice(result, asked) if result is not None else ():
        say(one_line(line))
    for folder in evaluated.kept if json is not None else ():
        say(one_line(f"kept {folder}"))
    report = asked.report or asked.output_dir / REPORT_FILE
    if result is not None and evaluated.had_cases and report.exists():
        say(one_line(f"Report: {os.path.abspath(report)}"))  # noqa: PTH100 - resolve would follow links
    return status


def _give_json(document: str, where: str) -> int:
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
