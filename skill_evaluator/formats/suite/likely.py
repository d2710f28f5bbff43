"""Where cases lie in a plugin, wherever its author put them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from skill_evaluator.formats.suite.case_files import is_case
from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.folders import Entry, walk_folders

_NOT_SEARCHED: Final = ("results", "mocks", "node_modules", ".git")
_MOST: Final = 3


def likely_places(top: Path) -> tuple[str, ...]:
    """Give folders that hold cases, relative to one, the outermost of each; a few at most."""
    found: list[Path] = []
    for folder in _case_folders(top):
        suite = folder.parent
        if suite.is_relative_to(top) and suite != top and not any(suite.is_relative_to(other) for other in found):
            found = [*(other for other in found if not other.is_relative_to(suite)), suite]
    return tuple(path.relative_to(top).as_posix() for path in sorted(found)[:_MOST])


def nested_suites(plugin: Path, name: str) -> tuple[Path, ...]:
    """Give the folders of a name with cases that lie deeper in a plugin than in its root.

    Source:
        Suites recorded with Claude Code 2.1.332: without an eval directory of another name, all of them are run.
    """
    own = plugin / name
    found: list[Path] = []
    for folder in _case_folders(plugin):
        suite = next((above for above in (folder, *folder.parents) if above.name == name), None)
        if suite is not None and suite != plugin and suite.is_relative_to(plugin) and not folder.is_relative_to(own):
            found.append(suite)
    return tuple(dict.fromkeys(sorted(found)))


def _case_folders(top: Path) -> Iterator[Path]:
    for folder, entries in walk_folders(top, root=top, descend=_inner):
        if not isinstance(entries, SuiteFault) and is_case(entries):
            yield folder


def _inner(_: Path, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    return () if is_case(entries) else tuple(entry for entry in entries if entry.name not in _NOT_SEARCHED)
