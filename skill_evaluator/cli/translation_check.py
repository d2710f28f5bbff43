"""`translation check`: what each assertion says of each translation, and what that comes to."""

import argparse
import contextlib
import sys
from collections.abc import Callable, Iterator

from skill_evaluator.api.translation.check import TranslationCheck, check_translations
from skill_evaluator.api.translation.counts import CheckSummary, Tally
from skill_evaluator.cli.console import forget, say, show_line
from skill_evaluator.cli.translation_words import result_words, summary_words
from skill_evaluator.model import Finding
from skill_evaluator.results.assertion_rows import result_line
from skill_evaluator.results.assertions import AssertionResult


def execute(options: argparse.Namespace) -> int:
    """Check all pairs; the exit status is 1 if something failed that decides, or lacks its counterpart."""
    checked = check_translations(options.cases, options.candidates, since=options.since)
    for warning in checked.warnings:
        say(str(warning))
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
    with _array() as add:
        return _gone_through(checked, add, tell=say)


def _gone_through(
    checked: TranslationCheck, show: Callable[[AssertionResult], None], *, tell: Callable[[str], None]
) -> CheckSummary:
    tally = Tally()
    for item in checked:
        tally.add(item)
        if isinstance(item, Finding):
            tell(str(item))
        else:
            for result in item:
                show(result)
    return tally.summary()


@contextlib.contextmanager
def _array() -> Iterator[Callable[[AssertionResult], None]]:
    """Print results as the items of a JSON array, which is closed whatever happens."""
    ascii_only = (sys.stdout.encoding or "").lower() not in {"utf-8", "utf8"}
    before = "[\n"

    def add(result: AssertionResult) -> None:
        nonlocal before
        text, before = before + result_line(result, ascii_only=ascii_only), ",\n"
        sys.stdout.write(text)

    try:
        yield add
    except BaseException:
        try:
            _close(before)
        except OSError:  # its reader has left, too
            forget(sys.stdout)
        raise
    _close(before)


def _close(before: str) -> None:
    sys.stdout.write("[]\n" if before.startswith("[") else "\n]\n")
    sys.stdout.flush()
