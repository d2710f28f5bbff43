"""A file as bytes or text, or the one finding that says why it cannot be read."""

import codecs
import difflib
import errno
import os
from pathlib import Path

from skill_evaluator.formats.reasons import system_reason
from skill_evaluator.formats.visible import visible
from skill_evaluator.model import Finding, Level
from skill_evaluator.regular_files import NotRegularError, read_regular
from skill_evaluator.texts import changed, tr

MAX_BYTES = 16 * 1024 * 1024  # far above any real file; keeps a wrong argument from filling the memory
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_bytes(path: Path, *, max_bytes: int = MAX_BYTES) -> bytes | Finding:
    """Read a whole regular file.

    Args:
        path: The file as the user named it.
        max_bytes: Larger files are refused.

    Returns:
        The content, or a FAIL: `not-found`, `is-a-folder`, `not-regular`, `unreadable` or `too-large`.
    """
    try:
        content = read_regular(path, max_bytes=max_bytes + 1)
    except (OSError, ValueError) as error:
        return unreadable_file(path, error)
    if len(content) > max_bytes:
        message = tr(
            "is larger than {limit:,} bytes, so it is hardly the file that was meant; name another one", limit=max_bytes
        )
        return _fault(path, "too-large", message, {"limit": max_bytes})
    return content


def read_text(path: Path, *, max_bytes: int = MAX_BYTES) -> str | Finding:
    """Read a whole file as UTF-8, whatever the locale; a byte order mark is dropped.

    Args:
        path: The file as the user named it.
        max_bytes: Larger files are refused.

    Returns:
        The text with its line ends as they stand, or a FAIL: one of those of `read_bytes`, or `not-utf8`.
    """
    content = read_bytes(path, max_bytes=max_bytes)
    return content if isinstance(content, Finding) else decode_text(content, str(path))


def decode_text(content: bytes, name: str) -> str | Finding:
    """Read bytes as UTF-8; a byte order mark is dropped.

    Args:
        content: The whole file.
        name: Its name for a finding.

    Returns:
        The text, or the FAIL `not-utf8`.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        found = "UTF-16" if content.startswith(_UTF16_MARKS) else tr("byte 0x{byte:02x}", byte=content[error.start])
    message = tr("is not UTF-8 text (found {found}); save it as UTF-8", found=found)
    values = {"found": found}
    return Finding(level=Level.FAIL, code="not-utf8", message=message, file=visible(name), line=line, values=values)


def unreadable_file(path: Path, error: OSError | ValueError) -> Finding:
    """Say why a file cannot be read: one of the FAILs of `read_bytes`."""
    match error:
        case NotRegularError():
            code, message = "not-regular", tr("is no regular file; save it to a file first")
        case FileNotFoundError() if os.path.islink(path):  # noqa: PTH114 - Path.is_symlink may raise
            code, message = "not-found", tr("is a symbolic link to a file that does not exist; mend the link")
        case FileNotFoundError() | NotADirectoryError():
            code, message = "not-found", tr("there is no such file{remedy}", remedy=_suggestion(path))
        case IsADirectoryError():
            code, message = "is-a-folder", tr("is a folder, not a file; name or put a file there")
        case OSError(errno=errno.ELOOP):
            code, message = "unreadable", tr("is a symbolic link that leads to itself; put the file there")
        case OSError():
            code, message = "unreadable", tr("cannot be read: {why}", why=system_reason(error))
        case _:
            code, message = "not-found", tr("is no file name: {why}", why=system_reason(error))
    return _fault(path, code, message)


def _fault(path: Path, code: str, message: str, values: dict[str, object] | None = None) -> Finding:
    file = visible(str(path))
    return Finding(level=Level.FAIL, code=code, message=changed(message, visible), file=file, values=values or {})


def _suggestion(path: Path) -> str:
    try:
        names = [entry.name for entry in path.parent.iterdir()]
    except (OSError, ValueError):
        return tr("; check the path")
    near = difflib.get_close_matches(path.name, names, n=1)
    return tr("; did you mean {near!r}?", near=str(path.parent / near[0])) if near else tr("; check the path")
