"""Folders of a suite, listed and walked so that a hostile one costs little: bounded, no link followed, inside only.

Faults come back as in `reading`.
"""

import errno
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.reading import is_inside, outside_fault, unreadable_fault
from skill_evaluator.texts import tr

MAX_ENTRIES: Final = 50_000  # of one walk; a thousand cases have about 5,000
MAX_DEPTH: Final = 15  # folders below the top of one walk. Source: as above

EntryKind = Literal["folder", "file", "folder-link", "file-link", "broken-link", "looping-link", "other"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """What stands in a folder.

    Attributes:
        folder: The folder as it was named.
        name: Name of the entry, not yet safe to show.
        kind: What it is; a link is named for what it leads to, and was not followed further.
    """

    folder: Path
    name: str
    kind: EntryKind

    @property
    def path(self) -> Path:
        """Give the entry below its folder."""
        return self.folder / self.name


def list_folder(folder: Path, *, root: Path) -> tuple[Entry, ...] | SuiteFault:
    """List a folder, in the order of JavaScript's string comparison, without following links.

    Args:
        folder: The folder.
        root: The outermost folder that may be read.

    Returns:
        Its entries, or one fault: those of `read_inside`, or `too-many-entries`.
    """
    try:
        return _list(folder) if is_inside(folder, root) else outside_fault(folder)
    except (OSError, ValueError) as error:
        return unreadable_fault(folder, error)


def _list(folder: Path) -> tuple[Entry, ...] | SuiteFault:
    found: list[Entry] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if len(found) >= MAX_ENTRIES:
                    return too_many_fault(MAX_ENTRIES)
                found.append(Entry(folder=folder, name=entry.name, kind=_kind(entry)))
    except (OSError, ValueError) as error:
        return unreadable_fault(folder, error)
    return tuple(sorted(found, key=lambda entry: js_order(entry.name)))


def walk_folders(
    top: Path, *, root: Path, descend: Callable[[Path, tuple[Entry, ...]], Iterable[Entry]]
) -> Iterator[tuple[Path, tuple[Entry, ...] | SuiteFault]]:
    """Give the folders from one downwards with what they hold, each before those in it, without following links.

    Args:
        top: The folder to start in.
        root: The outermost folder that may be read.
        descend: Takes a folder and its entries; gives those of them that the walk enters next.

    Yields:
        A folder with its entries, or with the fault where it cannot be listed; `too-deep` is one of those. The walk
        ends with the fault `too-many-entries` where the tree has more than anybody means it to.
    """
    waiting = [(top, 0)]
    count = 0
    while waiting:
        folder, depth = waiting.pop()
        entries = _entries(folder, root, depth)
        if isinstance(entries, SuiteFault):
            yield folder, entries
            continue
        count += len(entries)
        if count > MAX_ENTRIES:
            yield folder, too_many_fault(MAX_ENTRIES)
            return
        yield folder, entries
        inner = [(entry.path, depth + 1) for entry in descend(folder, entries) if entry.kind == "folder"]
        waiting.extend(reversed(inner))


def _entries(folder: Path, root: Path, depth: int) -> tuple[Entry, ...] | SuiteFault:
    if depth > MAX_DEPTH:
        return _too_deep()
    return _list(folder) if depth else list_folder(folder, root=root)  # below the top there are only real folders


def js_order(name: str) -> bytes:
    """Give the key by which JavaScript sorts strings: their UTF-16 code units."""
    return name.encode("utf-16-be", "surrogatepass")


def too_many_fault(limit: int) -> SuiteFault:
    """Say that a folder holds more than anybody means it to."""
    message = tr(
        "holds more than {limit:,} entries, so the rest is not read; name the folder of the suite itself", limit=limit
    )
    return SuiteFault(code="too-many-entries", path=(), message=message, values={"limit": limit})


def _too_deep() -> SuiteFault:
    message = tr(
        "lies more than {limit} folders deep, so the rest is not read; put cases nearer to the top", limit=MAX_DEPTH
    )
    return SuiteFault(code="too-deep", path=(), message=message, values={"limit": MAX_DEPTH})


def _kind(entry: os.DirEntry[str]) -> EntryKind:
    if not entry.is_symlink():
        return "folder" if entry.is_dir() else "file" if entry.is_file() else "other"
    try:
        mode = entry.stat().st_mode
    except OSError as error:
        return "looping-link" if error.errno == errno.ELOOP else "broken-link"
    return "folder-link" if stat.S_ISDIR(mode) else "file-link" if stat.S_ISREG(mode) else "other"
