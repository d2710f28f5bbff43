"""Preview, question, and writing of a report: nothing is written that was not agreed to."""

import argparse
import sys
from pathlib import Path

from skill_evaluator.cli.console import say, show
from skill_evaluator.file_names import slug, stamp
from skill_evaluator.report.files import write_whole
from skill_evaluator.report.render import render
from skill_evaluator.results import Report, ReportVerdict

DONE = "<promise>DONE</promise>"

_EXIT = {
    ReportVerdict.PASS: 0,
    ReportVerdict.ESTIMATE: 0,
    ReportVerdict.FAIL: 1,
    ReportVerdict.UNSTABLE: 1,
    ReportVerdict.INVALID: 2,
    ReportVerdict.DRAFT: 2,
}
_EXIT_BY_SIGNAL = {"SIGINT": 130, "SIGTERM": 143}


def present(report: Report, options: argparse.Namespace) -> int:
    """Show a report, write it if that is agreed to, and return the exit status of its verdict."""
    markdown, document = render(report, "md", options.lang), render(report, "json", options.lang)
    alone = options.json == "-"
    if alone:
        show(document)
    else:
        show(markdown)
    files = _targets(report, options.output_dir)
    if options.json and not alone:
        files["extra"] = Path(options.json)
    if _agreed(files, options):
        contents = {files["md"]: markdown, files["json"]: document}
        if "extra" in files:
            contents[files["extra"]] = document
        write_whole(contents)
        say("\n".join(f"wrote {path}" for path in contents))
        (say if alone else show)(DONE)
    return _EXIT_BY_SIGNAL.get(report.stopped_by or "", _EXIT[report.verdict])


def _targets(report: Report, folder: Path) -> dict[str, Path]:
    """Name the files after the skill and the time; never those of another report."""
    base = f"{slug(report.skill.name)}-{stamp(report.timestamp)}"
    number, name = 1, base
    while any((folder / f"{name}.{ending}").exists() for ending in ("md", "json")):
        number += 1
        name = f"{base}-{number}"
    return {"md": folder / f"{name}.md", "json": folder / f"{name}.json"}


def _agreed(files: dict[str, Path], options: argparse.Namespace) -> bool:
    if options.yes:
        return True
    names = "\n".join(f"  {path}" for path in files.values())
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        say(f"nothing was written: there is no terminal to ask at; --yes would write\n{names}")
        return False
    say(f"\n{names}\nWrite these files? [y/N] ")
    try:
        answer = input()
    except EOFError:
        answer = ""
    if answer.strip().lower() in {"y", "yes"}:
        return True
    say("nothing was written")
    return False
