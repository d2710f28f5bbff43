"""Files and folders of a suite, read so that a hostile one costs little: bounded, regular files only, inside only.

Nothing that leads out of the suite or plugin is opened, by whatever link. Faults come back as `SuiteFault`s with the
effect `refused` and name no place; who asked knows how the file was named.
"""

import codecs
import errno
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.visible import visible
from skill_evaluator.regular_files import NotRegularError, read_regular

MAX_BYTES: Final = 1_048_576  # Source: Suites recorded with Claude Code 2.1.332, which refuses a file of one byte more
MAX_ENTRIES: Final = 50_000  # of one walk; a thousand cases have about 5,000
MAX_DEPTH: Final = 15  # folders below the top of one walk. Source: as above

EntryKind = Literal["folder", "file", "folder-link", "file-link", "broken-link", "looping-link", "other"]


@dataclass(frozen=True, kw_only=True, slots=True)
class FileText:
    """Text of a file.

    Attributes:
        text: Its content without a byte order mark, line ends as they stand; bytes that are no UTF-8 became U+FFFD, as
            the real program reads them.
        not_utf8_line: 1-based line of the first such byte, or None.
        has_mark: Whether there was a byte order mark.
    """

    text: str
    not_utf8_line: int | None = None
    has_mark: bool = False


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


def read_inside(path: Path, *, root: Path) -> FileText | SuiteFault:
    """Read a file of a suite.

    Args:
        path: The file.
        root: The outermost folder that may be read: the plugin's root, or the suite where there is no plugin.

    Returns:
        Its text, or one fault: `leads-outside`, `not-found`, `is-a-folder`, `not-regular`, `too-large`, `unreadable`.

    Source:
        Suites recorded with Claude Code 2.1.332: the limit, and the reading of what is no UTF-8. The real program
        follows links to files anywhere; here what leads outside is not read.
    """
    content = read_bytes_inside(path, root=root)
    if isinstance(content, SuiteFault):
        return content
    has_mark = content.startswith(codecs.BOM_UTF8)
    try:
        return FileText(text=content.decode("utf-8-sig"), has_mark=has_mark)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        text = content.decode("utf-8-sig", "replace")
        return FileText(text=text, not_utf8_line=line, has_mark=has_mark)


def read_bytes_inside(path: Path, *, root: Path, max_bytes: int = MAX_BYTES) -> bytes | SuiteFault:
    """Read the bytes of a file of a suite; see `read_inside`."""
    try:
        if not is_inside(path, root):
            return outside_fault(path)
        size = path.stat().st_size
        content = b"" if size > max_bytes else read_regular(path, max_bytes=max_bytes + 1)
    except (OSError, ValueError) as error:
        return _unreadable(path, error)
    size = max(size, len(content))
    if size <= max_bytes:
        return content
    message = f"has {size:,} bytes, more than the {max_bytes:,} that such a file may have; shorten it"
    return SuiteFault(code="too-large", path=(), message=message, values={"bytes": size, "limit": max_bytes})


def is_inside(path: Path, root: Path) -> bool:
    """Say whether a path, with all links followed, is a folder or below it; it need not exist.

    Raises:
        OSError: If links lead in a loop.
        ValueError: If the path cannot be one.
    """
    if _is_plainly_below(os.fspath(path), os.fspath(root)):
        return True
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(root))


def _is_plainly_below(path: str, root: str) -> bool:
    """Say whether a path goes on from the root without any link: the usual case, and cheap to see."""
    if not path.startswith(root + os.sep):
        return path == root
    for end in (*(place for place, char in enumerate(path) if char == os.sep and place > len(root)), len(path)):
        above = path[:end]
        if above.endswith((f"{os.sep}..", f"{os.sep}.", os.sep)):
            return False
        try:
            if stat.S_ISLNK(os.lstat(above).st_mode):
                return False
        except OSError:
            return False
    return True


def outside_fault(path: Path) -> SuiteFault:
    """Say that a path leads out of what may be read."""
    how = "is a link that leads" if os.path.islink(path) else "leads"  # noqa: PTH114 - Path.is_symlink may raise
    message = f"{how} out of the plugin, so it is not read; put the file itself inside the suite"
    return SuiteFault(code="leads-outside", path=(), message=message)


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
        return _unreadable(folder, error)


def _list(folder: Path) -> tuple[Entry, ...] | SuiteFault:
    found: list[Entry] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if len(found) >= MAX_ENTRIES:
                    return too_many_fault(MAX_ENTRIES)
                found.append(Entry(folder=folder, name=entry.name, kind=_kind(entry)))
    except (OSError, ValueError) as error:
        return _unreadable(folder, error)
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
    message = f"holds more than {limit:,} entries, so the rest is not read; name the folder of the suite itself"
    return SuiteFault(code="too-many-entries", path=(), message=message, values={"limit": limit})


def _too_deep() -> SuiteFault:
    message = f"lies more than {MAX_DEPTH} folders deep, so the rest is not read; put cases nearer to the top"
    return SuiteFault(code="too-deep", path=(), message=message, values={"limit": MAX_DEPTH})


def _kind(entry: os.DirEntry[str]) -> EntryKind:
    if not entry.is_symlink():
        return "folder" if entry.is_dir() else "file" if entry.is_file() else "other"
    try:
        mode = entry.stat().st_mode
    except OSError as error:
        return "looping-link" if error.errno == errno.ELOOP else "broken-link"
    return "folder-link" if stat.S_ISDIR(mode) else "file-link" if stat.S_ISREG(mode) else "other"


def _unreadable(path: Path, error: OSError | ValueError) -> SuiteFault:
    match error:
        case NotRegularError():
            code, message = "not-regular", "is a pipe, socket or device, which is not read; put a file there"
        case FileNotFoundError() if os.path.islink(path):  # noqa: PTH114 - Path.is_symlink may raise
            code, message = "not-found", "is a link to something that does not exist; mend the link"
        case FileNotFoundError() | NotADirectoryError():
            code, message = "not-found", "does not exist; check the path"
        case IsADirectoryError():
            code, message = "is-a-folder", "is a folder, not a file; put a file there"
        case OSError(errno=errno.ELOOP):
            code, message = "unreadable", "is a link that leads to itself; put the file there"
        case OSError():
            code, message = "unreadable", f"cannot be read ({error.strerror or error}); check its permissions"
        case _:
            code, message = "not-found", f"is no file name ({error}); check the path"
    return SuiteFault(code=code, path=(), message=visible(message))
