"""A file as text, or the one finding that says why it cannot be read."""

import codecs
import difflib
from typing import TYPE_CHECKING

from skill_evaluator.model import Finding, Level

if TYPE_CHECKING:
    from pathlib import Path

MAX_BYTES = 16 * 1024 * 1024  # far above any real file; keeps a wrong argument from filling the memory
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_text(path: "Path", *, max_bytes: int = MAX_BYTES) -> str | Finding:
    """Read a whole file as UTF-8, whatever the locale; a byte order mark is dropped.

    Args:
        path: The file as the user named it.
        max_bytes: Larger files are refused unread.

    Returns:
        The text with its line ends as they stand, or a FAIL: `not-found`, `is-a-folder`, `unreadable`, `too-large`
        or `not-utf8`.
    """
    try:
        with path.open("rb") as stream:
            content = stream.read(max_bytes + 1)
    except (OSError, ValueError) as error:
        return _unreadable(path, error)
    if len(content) > max_bytes:
        message = f"is larger than {max_bytes:,} bytes, so it is hardly the file that was meant; name another one"
        return Finding(level=Level.FAIL, code="too-large", message=message, file=str(path), values={"limit": max_bytes})
    return _decode(path, content)


def _unreadable(path: "Path", error: OSError | ValueError) -> Finding:
    match error:
        case FileNotFoundError() | NotADirectoryError():
            code, message = "not-found", f"there is no such file{_suggestion(path)}"
        case IsADirectoryError():
            code, message = "is-a-folder", "is a folder; name the file in it"
        case OSError():
            code, message = "unreadable", f"cannot be read: {error.strerror or error}"
        case _:
            code, message = "not-found", f"is no file name: {error}"
    return Finding(level=Level.FAIL, code=code, message=message, file=str(path))


def _suggestion(path: "Path") -> str:
    try:
        names = [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return "; check the path"
    near = difflib.get_close_matches(path.name, names, n=1)
    return f"; did you mean {str(path.parent / near[0])!r}?" if near else "; check the path"


def _decode(path: "Path", content: bytes) -> str | Finding:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        found = "UTF-16" if content.startswith(_UTF16_MARKS) else f"byte 0x{content[error.start]:02x}"
    message = f"is not UTF-8 text (found {found}); save it as UTF-8"
    values = {"found": found}
    return Finding(level=Level.FAIL, code="not-utf8", message=message, file=str(path), line=line, values=values)
