"""Preview, question, and writing of a report: nothing is written that was not agreed to."""

import argparse
import contextlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from skill_evaluator.cli.asking import agrees, can_ask
from skill_evaluator.cli.console import height_of, outliving_its_reader, say, show, show_json, show_text
from skill_evaluator.cli.final import compact_text
from skill_evaluator.cli.github import tell_report
from skill_evaluator.cli.side_files import side_files
from skill_evaluator.file_names import slug, stamp
from skill_evaluator.report.ci.outcome import exit_status
from skill_evaluator.report.escape import visible
from skill_evaluator.report.files import write_whole
from skill_evaluator.report.phrases import terminal_text
from skill_evaluator.report.render import gate_line, render, summary
from skill_evaluator.report.words import Lang
from skill_evaluator.results import Report

DONE = "<promise>DONE</promise>"
ALONE = "-"  # what `--json` without a file gives

_ENDINGS = ("md", "html", "json")
_USUAL_HEIGHT = 24  # lines of a terminal that does not tell
_AROUND = 2  # lines: what the files are, and the question


def json_file(options: argparse.Namespace) -> Path | None:
    """The file that `--json` names; None where it stands alone or is not there."""
    return None if options.json in {None, ALONE} else Path(options.json)


def present(report: Report, options: argparse.Namespace) -> int:
    """Show a report, write it if that is agreed to, and return its exit status."""
    markdown, document = render(report, "md", options.lang), render(report, "json", options.lang)
    alone = options.json == ALONE
    compact = "" if alone or not sys.stdout.isatty() else compact_text(report, options.lang)
    with outliving_its_reader():
        show_json(document) if alone else show_text(compact or markdown)
    targets, extra = _targets(report, options.output_dir), json_file(options)
    beside = side_files(options)
    files = [*targets, *([extra] if extra else []), *beside.values()]
    if _agreed(report, files, options, shown=compact):
        with _told_if_interrupted(report, targets, options.lang):
            page = render(report, "html", options.lang)  # the one that takes time, so not before it is wanted
            contents = dict(zip(targets, (markdown, page, document), strict=True))
            contents |= {extra: document} if extra else {}
            contents |= {file: render(report, name.removeprefix("--"), options.lang) for name, file in beside.items()}
            write_whole(contents)
        for path in contents:
            say(terminal_text("wrote", options.lang, file=str(path)))
        if not compact:  # which stands right above
            say(summary(report, options.lang))
        with outliving_its_reader():
            (say if alone else show)(DONE)
    if report.comparison is not None and report.comparison.stops:
        say(gate_line(report.comparison, options.lang))
    tell_report(report, options.lang)
    return exit_status(report)


@contextlib.contextmanager
def _told_if_interrupted(report: Report, targets: Sequence[Path], lang: Lang) -> Iterator[None]:
    """Say where the runs are kept when the report of them is interrupted before it stands."""
    try:
        yield
    except KeyboardInterrupt:
        if not any(target.exists() for target in targets):
            say("\n" + terminal_text("not_written", lang, folder=report.volatile.run_dir or ""))
        raise


def agreed_to_calls(options: argparse.Namespace) -> bool:
    """Ask before the first call that costs money, where nobody has named the agent; say what to do after a no."""
    if not can_ask():
        say(terminal_text("no_terminal_to_ask", options.lang))
        return False
    if agrees(terminal_text("ask_question", options.lang)):
        return True
    say(terminal_text("not_asked", options.lang))
    return False


def _targets(report: Report, folder: Path) -> tuple[Path, ...]:
    """Name the Markdown, the page and the JSON after the skill and the time; never those of another report.

    Runs that start in the same second have folders with numbers, and their reports take these over.
    """
    skill, time = slug(report.skill.name), stamp(report.timestamp)
    run = Path(report.volatile.run_dir or "").name
    base = f"{skill}-{time}" + (run.removeprefix(f"{time}-{skill}") if run.startswith(f"{time}-{skill}") else "")
    number, name = 1, base
    while any((folder / f"{name}.{ending}").exists() for ending in _ENDINGS):
        number += 1
        name = f"{base}-{number}"
    return tuple(folder / f"{name}.{ending}" for ending in _ENDINGS)


def _lines(text: str) -> int:
    return text.strip("\n").count("\n") + 1


def _agreed(report: Report, files: Iterable[Path], options: argparse.Namespace, *, shown: str) -> bool:
    if options.yes:
        return True
    runs = report.volatile.run_dir or ""
    if not can_ask():
        say(terminal_text("no_terminal", options.lang, folder=runs, files=", ".join(map(str, files))))
        return False
    listed = [f"  {visible(str(path))}" for path in files]
    is_seen = shown and _lines(shown) + len(listed) + _AROUND <= (height_of(sys.stderr) or _USUAL_HEIGHT)
    heading = terminal_text("whole_report", options.lang) if is_seen else "\n" + summary(report, options.lang)
    say("\n".join([heading, *listed]))
    try:
        if agrees(terminal_text("write_question", options.lang)):
            return True
    except KeyboardInterrupt:
        say("\n" + terminal_text("not_written", options.lang, folder=runs))
        raise
    say(terminal_text("not_written", options.lang, folder=runs))
    return False
