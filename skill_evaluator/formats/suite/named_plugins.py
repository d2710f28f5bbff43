"""The plugins that a case is run with: those that it names, else the nearest around it.

Source: Suites recorded with Claude Code 2.1.332.
"""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from skill_evaluator.formats.suite.case_fields import CaseFields
from skill_evaluator.formats.suite.case_reading import ReadCase
from skill_evaluator.formats.suite.discovery import EVAL_DIR, Place
from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.plugin import find_root
from skill_evaluator.formats.suite.reading import is_inside


def with_plugins_checked(case: ReadCase, place: Place) -> ReadCase:
    """Refuse a case that names plugins which are not there, or not inside the plugin around the suite."""
    faults = () if case.fields is None else tuple(_faults(case.folder, case.fields, place.root))
    if not faults:
        return case
    placed = []
    for fault in faults:
        file, path = case.merged.place(fault.path)
        placed.append((file or "", replace(fault, path=path)))
    return replace(case, fields=None, graders=(), faults=tuple(placed))


def roots_for(folder: Path, fields: CaseFields, place: Place) -> tuple[Path, ...]:
    """Give the roots of the plugins that a case is run with."""
    if fields.plugins:
        return tuple(dict.fromkeys(_path(folder, written) for written in fields.plugins))
    nearest = find_root(folder, EVAL_DIR)
    if nearest is not None and nearest.is_relative_to(place.root):
        return (nearest,)
    return (place.plugin.root,) if place.plugin else ()


def _path(folder: Path, written: str) -> Path:
    return Path(os.path.normpath(folder / written))


def _faults(folder: Path, fields: CaseFields, root: Path) -> Iterator[SuiteFault]:
    for index, written in enumerate(fields.plugins):
        problem = _problem(_path(folder, written), root)
        if problem is not None:
            message = f"'plugins' names {written!r}, which {problem}"
            yield SuiteFault(code="bad-plugins", path=("plugins", index), message=message)


def _problem(path: Path, root: Path) -> str | None:
    try:
        if not is_inside(path, root):
            return "leads out of the plugin around the suite; name a folder inside it, relative to the case"
        return None if path.exists() else "does not exist; write the path from the case's folder, such as ../.."
    except (OSError, ValueError) as error:
        return f"cannot be followed ({error}); check the path"
