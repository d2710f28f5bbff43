"""Where the answer of a suite goes: said before money is spent, and shown when it is there."""

import os
import sys
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Final

from skill_evaluator.api.plugin_eval.options import EvaluatedSuite, SuiteOptions
from skill_evaluator.api.plugin_eval.writable import in_the_way_of, problem_of_file, problem_of_folder
from skill_evaluator.cli.console import forget, outliving_its_reader, say, show, show_json, width_of
from skill_evaluator.cli.github import tell_suite
from skill_evaluator.cli.github_log import log_text
from skill_evaluator.cli.language import spoken
from skill_evaluator.cli.plugin_eval_advice import advice
from skill_evaluator.cli.plugin_eval_options import STANDARD_OUTPUT
from skill_evaluator.cli.plugin_eval_side_files import may_write_side_files, write_side_files
from skill_evaluator.cli.plugin_eval_table import summary_text
from skill_evaluator.errors import EvaluatorError
from skill_evaluator.model import one_line
from skill_evaluator.reasons import reason_of
from skill_evaluator.report.files import write_whole
from skill_evaluator.report.suite.files import suite_result_to_json
from skill_evaluator.texts import Language, changed, localized, tr

_MOST_NAMED: Final = 5  # a folder may hold a thousand links


def is_somewhere(target: str) -> bool:
    """Say that the working folder is gone, where a target is looked for below it."""
    try:
        return Path(target).is_absolute() or bool(Path.cwd())
    except OSError as error:
        _tell(
            tr(
                "FAIL {target}: the working folder cannot be found ({reason}); change into one that exists",
                target=target,
                reason=reason_of(error),
            )
        )
        return False


def report_file(wanted: Path | None) -> Path | None:
    """Give where the HTML report goes in place of the folder of results; a bad report never stops a run.

    Args:
        wanted: As `--report`, or None.
    """
    problem = None if wanted is None else problem_of_file(wanted)
    if problem is None:
        return wanted
    _tell(
        tr(
            "WARN {file}: the report cannot be written there: {problem}; it goes to the other results",
            file=wanted,
            problem=problem,
        )
    )
    return None


def may_write(asked: SuiteOptions, *, is_json: bool) -> bool:
    """Say what cannot be written, or must not be, before anything is run.

    Args:
        asked: What was asked, with the places of results.
        is_json: Whether the result goes elsewhere too, so that it would not be lost.
    """
    folder = asked.output_dir
    links = tuple(dict.fromkeys(in_the_way_of(asked)))
    for line in links[:_MOST_NAMED]:
        _tell(tr("FAIL {line}, or name another folder with --output-dir", line=line))
    if links:
        return False
    if not may_write_side_files(asked):
        return False
    problem = problem_of_folder(folder)
    if problem is None:
        return True
    values = {"folder": folder, "problem": problem}
    if is_json:
        _tell(
            tr(
                "WARN {folder}: the result cannot be written there: {problem}; the run goes on, since --json was given",
                **values,
            )
        )
        return True
    _tell(
        tr(
            "FAIL {folder}: the result cannot be written there: {problem}; name a folder with --output-dir",
            **values,
        )
    )
    return False


def show_answer(
    evaluated: EvaluatedSuite,
    asked: SuiteOptions,
    *,
    json: str | None,
    lang: Language = "en",
    told: Collection[str] = (),
) -> int:
    """Show the answer, write it where `--json` says, and return the exit status.

    Args:
        evaluated: The answer.
        asked: What was asked.
        json: As `--json`: None where it was not given.
        lang: The language of what is written besides.
        told: What was said already.
    """
    status, result = evaluated.exit_status, evaluated.result
    if result is not None:
        status = write_side_files(result, asked, lang) or status
    if result is not None and json is not None:
        status = _give_json(suite_result_to_json(result), json) or status
    elif result is not None and (evaluated.had_cases or asked.suite.refused):
        text = summary_text(result, refused=len(asked.suite.refused), width=width_of(sys.stdout))
        status = _shown(log_text(text)) or status
    for reason in (*evaluated.reasons, *evaluated.remarks):
        if not any(reason in line for line in told):
            _tell(reason)
    for line in advice(result, asked) if result is not None else ():
        _tell(line)
    for folder in evaluated.kept if json is not None else ():
        _tell(tr("kept {folder}", folder=folder))
    if evaluated.report is not None:
        _tell(tr("Report: {file}", file=os.path.abspath(evaluated.report)))  # noqa: PTH100 - resolve would follow links
    if result is not None:
        tell_suite(result, lang)
    return status


def _shown(text: str, put: Callable[[str], None] = show) -> int:
    """Put a text on standard output; where that is full, say so and go on, and give the status that this makes."""
    try:
        with outliving_its_reader():
            put(text)
    except OSError as error:
        forget(sys.stdout)
        say(tr("FAIL standard output cannot be written: {reason}", reason=reason_of(error)))
        return 1
    return 0


def _give_json(document: str, where: str) -> int:
    if where == STANDARD_OUTPUT:
        return _shown(document, show_json)
    try:
        write_whole({Path(where): document})
    except EvaluatorError as error:
        say(error.worded(spoken()))
        return 1
    return _shown(localized(changed(tr("Wrote {file}", file=where), one_line), spoken()))


def _tell(text: str) -> None:
    say(changed(text, one_line))
