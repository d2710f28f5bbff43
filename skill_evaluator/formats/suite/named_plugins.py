"""The plugins that a case is run with: those that it names, else the nearest around it.

Source: Suites recorded with Claude Code 2.1.332.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from skill_evaluator.formats.reasons import system_fault
from skill_evaluator.formats.skill_files import SKILL_FILE
from skill_evaluator.formats.suite.case_fields import CaseFields
from skill_evaluator.formats.suite.case_reading import ReadCase
from skill_evaluator.formats.suite.discovery import EVAL_DIR, Place
from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.plugin import is_root
from skill_evaluator.formats.suite.reading import is_inside
from skill_evaluator.texts import tr

_ROOT_NAMES: Final = frozenset({"plugin.json", ".claude-plugin/", SKILL_FILE})


def with_plugins_checked(case: ReadCase, place: Place) -> ReadCase:
    """Refuse a case that names plugins which are not there, or not inside the plugin around the suite."""
    faults = tuple(_faults(case.folder, case.values, place.root))
    if not faults:
        return case
    placed = []
    for fault in faults:
        file, path = case.merged.place(fault.path)
        placed.append((file or "", replace(fault, path=path)))
    return replace(case, values=replace(case.values, plugins=()), faults=(*case.faults, *placed))


@dataclass(frozen=True, slots=True)
class Roots:
    """Finds the plugins that cases are run with, looking at each folder once.

    Attributes:
        place: Where the suite lies.
        nearest: Root of the nearest plugin by folder, as far as known.
    """

    place: Place
    nearest: dict[Path, Path | None] = field(default_factory=dict)

    def of_case(self, folder: Path, fields: CaseFields, names: Iterable[str]) -> tuple[Path, ...]:
        """Give the roots of the plugins that a case is run with.

        Args:
            folder: The case.
            fields: What it says.
            names: What lies in its folder, folders with `/`; most cases hold nothing that makes a root.
        """
        if fields.plugins:
            return tuple(dict.fromkeys(_path(folder, written) for written in fields.plugins))
        is_plain = folder != self.place.root and _ROOT_NAMES.isdisjoint(names)
        nearest = None if self.place.is_given else self._nearest(folder.parent if is_plain else folder)
        if nearest is not None:
            return (nearest,)
        return (self.place.plugin.root,) if self.place.plugin else ()

    def _nearest(self, folder: Path) -> Path | None:
        if folder not in self.nearest:
            above = None if folder == self.place.root else folder.parent
            is_inside = above is not None and above.is_relative_to(self.place.root)
            found = folder if is_root(folder, EVAL_DIR) else None
            self.nearest[folder] = found or (self._nearest(above) if is_inside and above is not None else None)
        return self.nearest[folder]


def _path(folder: Path, written: str) -> Path:
    return Path(os.path.normpath(folder / written))


def _faults(folder: Path, fields: CaseFields, root: Path) -> Iterator[SuiteFault]:
    for index, written in enumerate(fields.plugins):
        problem = _problem(_path(folder, written), root)
        if problem is not None:
            message = tr("'plugins' names {written!r}, which {problem}", written=written, problem=problem)
            yield SuiteFault(code="bad-plugins", path=("plugins", index), message=message)


def _problem(path: Path, root: Path) -> str | None:
    try:
        if not is_inside(path, root):
            return tr("leads out of the plugin around the suite; name a folder inside it, relative to the case")
        return None if path.exists() else tr("does not exist; write the path from the case's folder, such as ../..")
    except (OSError, ValueError) as error:
        return tr("cannot be followed ({why}); check the path", why=system_fault(error))
