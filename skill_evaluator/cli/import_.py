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
from skill_evaluator.texts import changed, joined, listed, tr


def execute(options: argparse.Namespace) -> int:
    """Convert, write, and say what could not be carried over."""
    imported = import_files(options.files, skill=options.skill, seed=options.seed)
    if imported.findings:
        raise InputError(imported.findings)
    targets = _targets(imported, options.output)
    write_whole({path: _text(rows) for path, rows in targets.items()})
    for note in imported.notes:
        say(tr("note: {note}", note=changed(note, one_line)))
    for path, rows in targets.items():
        say(tr("wrote {path}: {counts}", path=str(path), counts=_counts(rows)))
    return 0


def _targets(imported: Imported, output: Path) -> dict[Path, Sequence[Mapping[str, object]]]:
    """One set goes into the file named; several go into the folder named, a file for each skill."""
    sets = imported.sets
    if len(sets) == 1 and not output.is_dir():
        targets = {output: next(iter(sets.values()))}
    elif output.suffix == ".json" or output.is_file():
        message = tr(
            "{output!r} is one file, but there are sets for {count} skills ({names}); "
            "name a folder for all of them, or choose one with --skill NAME",
            output=str(output),
            count=len(sets),
            names=listed(sets),
        )
        raise _refusal(message)
    else:
        targets = dict(zip(_file_names(output, sets), sets.values(), strict=True))
    existing = [str(path) for path in targets if path.exists()]
    if existing:
        raise _refusal(
            tr("{files} exists already and is never written over; name another with -o", files=listed(existing))
        )
    return dict(targets)


def _file_names(folder: Path, names: Iterable[str]) -> list[Path]:
    """One file a name; names that look the same to a file system get numbers."""
    taken: list[str] = []
    for name in names:
        free = (f"{slug(name)}{suffix}.json" for suffix in itertools.chain([""], (f"-{n}" for n in itertools.count(2))))
        taken.append(next(file for file in free if file.casefold() not in map(str.casefold, taken)))
    return [folder / file for file in taken]


def _refusal(message: str) -> InputError:
    return InputError([Finding(level=Level.FAIL, code="option", message=joined(": ", ["-o", message]))])


def _text(rows: Sequence[Mapping[str, object]]) -> str:
    return json.dumps(list(rows), ensure_ascii=False, indent=2) + "\n"


def _counts(rows: Sequence[Mapping[str, object]]) -> str:
    positives = sum(1 for row in rows if row["type"] == "should_trigger")
    acceptance = sum(1 for row in rows if row["split"] == "acceptance")
    return tr(
        "{cases} cases, {positives} should trigger and {negatives} should not, "
        "{acceptance} for acceptance and {tuning} for tuning",
        cases=len(rows),
        positives=positives,
        negatives=len(rows) - positives,
        acceptance=acceptance,
        tuning=len(rows) - acceptance,
    )
