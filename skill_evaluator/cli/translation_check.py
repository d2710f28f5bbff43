"""`translation check`: what each assertion says of each translation, and what that comes to."""

import argparse
from collections.abc import Callable

from skill_evaluator.api.translation.check import TranslationCheck, check_translations
from skill_evaluator.api.translation.counts import CheckSummary, Tally
from skill_evaluator.cli.console import outliving_its_reader, say, show_line
from skill_evaluator.cli.json_array import JsonArray
from skill_evaluator.cli.language import spoken
from skill_evaluator.cli.translation_words import result_words, summary_words
from skill_evaluator.model import Finding
from skill_evaluator.results.assertion_rows import result_line
from skill_evaluator.results.assertions import AssertionResult
from skill_evaluator.texts import ntr


def execute(options: argparse.Namespace) -> int:
    """Check all pairs; the exit status is 1 if something failed that decides, or lacks its counterpart."""
    checked = check_translations(
        options.cases, options.candidates, since=options.since, include_locked=not options.without_locked
    )
    for warning in checked.warnings:
        say(warning.worded(spoken()))
    if checked.cases.left_out:
        files = checked.cases.left_out
        say(ntr("{n} file of locked cases left out", "{n} files of locked cases left out", files))
    summary = _as_json(checked) if options.json else _as_text(checked)
    for line in summary_words(summary):
        (say if options.json else show_line)(line)
    return 0 if summary.is_right else 1


def _as_text(checked: TranslationCheck) -> CheckSummary:
    def show_result(result: AssertionResult) -> None:
        if result.passed is not True:
            show_line(result_words(result))

    return _gone_through(checked, show_result, tell=show_line)


def _as_json(checked: TranslationCheck) -> CheckSummary:
    array = JsonArray()

    def add(result: AssertionResult) -> None:
        array.add(result_line(result, ascii_only=array.ascii_only))

    try:
        summary = _gone_through(checked, add, tell=say)
    except BaseException:
        with outliving_its_reader():
            array.close()
        raise
    array.close()
    return summary


def _gone_through(
    checked: TranslationCheck, show: Callable[[AssertionResult], None], *, tell: Callable[[str], None]
) -> CheckSummary:
    tally = Tally()
    for item in checked:
        tally.add(item)
        if isinstance(item, Finding):
            tell(item.worded(spoken()))
        else:
            for result in item:
                show(result)
    return tally.summary()
