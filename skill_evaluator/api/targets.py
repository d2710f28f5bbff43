"""Where results may be written: never over an input, never into the skill, never over somebody's file."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from skill_evaluator.api.faults import option_fault
from skill_evaluator.api.saved import load_report
from skill_evaluator.errors import InputError
from skill_evaluator.file_names import shown
from skill_evaluator.formats.skill_md import lies_in_skill
from skill_evaluator.journal import is_run_folder
from skill_evaluator.model import Finding, Skill
from skill_evaluator.report.ci.csv_rows import COLUMNS
from skill_evaluator.report.ci.junit_file import START as JUNIT_START
from skill_evaluator.report.ci.table import csv_text
from skill_evaluator.texts import tr


@dataclass(frozen=True, kw_only=True, slots=True)
class Targets:
    """What a command is going to write.

    Attributes:
        folders: Folders by the option that names them.
        json_file: A single file of `--json`, or None.
        side_files: Files in other formats by the option that names them.
        inputs: Files the command reads.
        skill: The skill under test, or None where it could not be read.
    """

    folders: Sequence[tuple[str, Path]]
    json_file: Path | None
    inputs: Sequence[Path]
    skill: Skill | None
    side_files: Mapping[str, Path] = field(default_factory=dict)


def target_faults(targets: Targets) -> list[Finding]:
    """Every reason why something cannot be written where it was asked for."""
    faults = [fault for option, folder in targets.folders for fault in _folder_faults(option, folder, targets.skill)]
    if targets.json_file:
        faults += _file_faults("--json", targets.json_file, targets)
    for option, file in targets.side_files.items():
        faults += _file_faults(option, file, targets)
    return faults + _double_faults(targets)


def _folder_faults(option: str, folder: Path, skill: Skill | None) -> list[Finding]:
    if skill and lies_in_skill(skill, folder):
        return [_of_the_skill(option, folder, tr("a folder outside it, such as reports"))]
    if is_run_folder(folder):
        return [
            option_fault(option, tr("{folder!r} holds the runs themselves; name another folder", folder=shown(folder)))
        ]
    if not _can_be_written(folder):
        return [
            option_fault(
                option, tr("{folder!r} is no folder that can be written; name another one", folder=shown(folder))
            )
        ]
    return []


def _file_faults(option: str, file: Path, targets: Targets) -> list[Finding]:
    if faults := _not_ours(option, file, targets.skill):
        return faults
    if os.path.lexists(file) and (_is_among(file, targets.inputs) or not _IS_OURS[option](file)):
        message = tr(
            "{file!r} exists and is no earlier report of this option; name a file that does not exist", file=shown(file)
        )
        return [option_fault(option, message)]
    return _unwritable(option, file)


def _double_faults(targets: Targets) -> list[Finding]:
    """One file cannot hold two formats."""
    named = [("--json", targets.json_file), *targets.side_files.items()]
    faults, seen = [], set[str]()
    for option, file in named:
        real = None if file is None else os.path.realpath(file)
        if real in seen:
            message = tr("{file!r} is named twice; name another file", file=shown(Path(file or "")))
            faults.append(option_fault(option, message))
        seen |= {real} if real else set()
    return faults


def place_faults(option: str, file: Path, skill: Skill | None) -> list[Finding]:
    """Every reason why a file cannot lie where an option names it; whether there is one already is not looked at."""
    return _not_ours(option, file, skill) or _unwritable(option, file)


def _not_ours(option: str, file: Path, skill: Skill | None) -> list[Finding]:
    if skill and (lies_in_skill(skill, file) or lies_in_skill(skill, file.parent)):
        return [_of_the_skill(option, file, tr("a file outside it"))]
    if is_run_folder(file.parent):
        return [
            option_fault(
                option, tr("{parent!r} holds the runs themselves; name another folder", parent=shown(file.parent))
            )
        ]
    return []


def _unwritable(option: str, file: Path) -> list[Finding]:
    if not _can_be_written(file.parent):
        return [
            option_fault(
                option, tr("{parent!r} is no folder that can be written; name another one", parent=shown(file.parent))
            )
        ]
    return []


def _of_the_skill(option: str, path: Path, remedy: str) -> Finding:
    message = tr(
        "{path!r} belongs to the skill under test, which is never written to; name {remedy}",
        path=shown(path),
        remedy=remedy,
    )
    return option_fault(option, message)


def _is_among(file: Path, inputs: Sequence[Path]) -> bool:
    return any(os.path.exists(known) and os.path.samefile(file, known) for known in inputs if os.path.exists(file))  # noqa: PTH110, PTH121 - Path's methods raise without leave to look


def _is_our_report(file: Path) -> bool:
    """Whether a file is a whole report that an earlier `--json` wrote; one with a page beside it is kept for good."""
    if not os.path.isfile(file) or os.path.lexists(file.with_suffix(".md")):  # noqa: PTH113 - as above
        return False
    try:
        load_report(file)
    except InputError:
        return False
    return True


def _begins_as(start: bytes) -> Callable[[Path], bool]:
    """Tell a file that an earlier run wrote by its first bytes."""

    def is_ours(file: Path) -> bool:
        try:
            if not file.is_file():
                return False
            with file.open("rb") as stream:
                return stream.read(len(start)) == start
        except OSError:
            return False

    return is_ours


_IS_OURS: Mapping[str, Callable[[Path], bool]] = {
    "--json": _is_our_report,
    "--junit": _begins_as(JUNIT_START.encode()),
    "--csv": _begins_as(csv_text(COLUMNS, ()).encode()),
}


def _can_be_written(folder: Path) -> bool:
    existing = os.path.abspath(folder)  # noqa: PTH100 - as above
    while not os.path.lexists(existing) and os.path.dirname(existing) != existing:  # noqa: PTH120 - as above
        existing = os.path.dirname(existing)  # noqa: PTH120 - as above
    return os.path.isdir(existing) and os.access(existing, os.W_OK | os.X_OK)  # noqa: PTH112 - as above
