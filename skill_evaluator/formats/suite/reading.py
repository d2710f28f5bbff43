"""Files of a suite, read so that a hostile one costs little: bounded, regular files only, inside only.

Nothing that leads out of the suite or plugin is opened, by whatever link. Faults come back as `SuiteFault`s with the
effect `refused` and name no place; who asked knows how the file was named.
"""

import codecs
import errno
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skill_evaluator.formats.reasons import system_reason
from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.visible import visible
from skill_evaluator.regular_files import NotRegularError, read_regular
from skill_evaluator.texts import changed, tr

MAX_BYTES: Final = 1_048_576  # Source: Suites recorded with Claude Code 2.1.332, which refuses a file of one byte more


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
        return unreadable_fault(path, error)
    size = max(size, len(content))
    if size <= max_bytes:
        return content
    message = tr(
        "has {size:,} bytes, more than the {limit:,} that such a file may have; shorten it", size=size, limit=max_bytes
    )
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
    if os.path.islink(path):  # noqa: PTH114 - Path.is_symlink may raise
        message = tr("is a link that leads out of the plugin, so it is not read; put the file itself inside the suite")
    else:
        message = tr("leads out of the plugin, so it is not read; put the file itself inside the suite")
    return SuiteFault(code="leads-outside", path=(), message=message)


def unreadable_fault(path: Path, error: OSError | ValueError) -> SuiteFault:
    """Say why a path cannot be read."""
    match error:
        case NotRegularError():
            code, message = "not-regular", tr("is a pipe, socket or device, which is not read; put a file there")
        case FileNotFoundError() if os.path.islink(path):  # noqa: PTH114 - Path.is_symlink may raise
            code, message = "not-found", tr("is a link to something that does not exist; mend the link")
        case FileNotFoundError() | NotADirectoryError():
            code, message = "not-found", tr("does not exist; check the path")
        case IsADirectoryError():
            code, message = "is-a-folder", tr("is a folder, not a file; put a file there")
        case OSError(errno=errno.ELOOP):
            code, message = "unreadable", tr("is a link that leads to itself; put the file there")
        case OSError():
            code, message = "unreadable", tr("cannot be read ({why}); check its permissions", why=system_reason(error))
        case _:
            code, message = "not-found", tr("is no file name ({why}); check the path", why=system_reason(error))
    return SuiteFault(code=code, path=(), message=changed(message, visible))
