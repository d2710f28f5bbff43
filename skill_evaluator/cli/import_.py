"""`import`: trigger sets and evals of other tools become a test set."""

import argparse
import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from skill_evaluator.cli.console import say
from skill_evaluator.errors import InputError
from skill_evaluator.file_names import slug
from skill_evaluator.formats.import_files import import_files
from skill_evaluator.formats.skill_creator import Imported
from skill_evaluator.model import Finding, Level, one_line
from skill_evaluator.report.files import write_whole


def execute(options: argparse.Namespace) -> int:
    """Convert, write, and say what could not be carried over."""
    imported = import_files(options.files, skill=options.skill, seed=options.seed)
    if imported.findings:
        raise InputError(imported.findings)
    targets = _targets(imported, options.output)
    write_whole({path: _text(rows) for path, rows in targets.items()})
    for note in imported.notes:
        say(f"note: {one_line(note)}")
    for path, rows in targets.items():
        say(f"wrote {path}: {_counts(rows)}")
    return 0


def _targets(imported: Imported, output: Path) -> dict[Path, Sequence[Mapping[str, object]]]:
    """One set goes into the file named; several go into the folder named, a file for each skill."""
    sets = imported.sets
    if len(sets) == 1 and not output.is_dir():
        targets = {output: next(iter(sets.values()))}
    elif output.suffix == ".json" or output.is_file():
        names = ", ".join(sets)
        message = f"{str(output)!r} is one file, but there are sets for {len(sets)} skills ({names}); "
        raise _refusal(message + "name a folder for all of them, or choose one with --skill NAME")
    else:
        targets = dict(zip(_file_names(output, sets), sets.values(), strict=True))
    existing = [str(path) for path in targets if path.exists()]
    if existing:
        raise _refusal(f"{', '.join(existing)} exists already and is never written over; name another with -o")
    return dict(targets)


def _file_names(folder: Path, names: Iterable[str]) -> list[Path]:
    """One file a name; names that look the same to a file system get numbers."""
    taken: list[str] = []
    for name in names:
        free = (f"{slug(name)}{suffix}.json" for suffix in itertools.chain([""], (f"-{n}" for n in itertools.count(2))))
        taken.append(next(file for file in free if file.casefold() not in map(str.casefold, taken)))
    return [folder / file for file in taken]


def _refusal(message: str) -> InputError:
    return InputError([Finding(level=Level.FAIL, code="option", message=f"-o: {message}")])


def _text(rows: Sequence[Mapping[str, object]]) -> str:
    return json.dumps(list(rows), ensure_ascii=False, indent=2) + "\n"


def _counts(rows: Sequence[Mapping[str, object]]) -> str:
    positives = sum(1 for row in rows if row["type"] == "should_trigger")
    acceptance = sum(1 for row in rows if row["split"] == "acceptance")
    return (
        f"{len(rows)} cases, {positives} should trigger and {len(rows) - positives} should not, "
        f"{acceptance} for acceptance and {len(rows) - acceptance} for tuning"
    )
