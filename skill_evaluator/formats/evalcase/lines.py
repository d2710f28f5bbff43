"""A file of JSON Lines, line by line: no line is ever held that is longer than a case may be."""

import codecs
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from skill_evaluator.formats.evalcase.form import Fault
from skill_evaluator.regular_files import check_regular
from skill_evaluator.texts import tr

MAX_LINE_BYTES: Final = 1024 * 1024
_CHUNK: Final = 64 * 1024
_MARKS: Final = {  # the longer ones first: that of UTF-32 starts like that of UTF-16
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}


class Line(NamedTuple):  # of large files there are many, and a dataclass takes three times as long to make
    """One line that is not blank.

    Attributes:
        number: 1-based.
        offset: Of its first byte in the file.
        content: Its bytes without the line end and without a byte order mark; empty where it was too long.
        text: The same as text; None where `fault` says why there is none.
        fault: What is wrong with the line as such, or None.
    """

    number: int
    offset: int
    content: bytes
    text: str | None = None
    fault: Fault | None = None


def read_lines(path: Path, *, max_bytes: int = MAX_LINE_BYTES, holds: str = "case") -> Iterator[Line]:
    r"""Read the lines of a file that are not blank; they end at `\n`, and a `\r` before it belongs to the end.

    Args:
        path: A regular file, or a link to one.
        max_bytes: Longer lines are passed over, and come with a fault.
        holds: What a line should hold one of.

    Yields:
        Lines in order. After a line that shows that the file is UTF-16 or UTF-32 there is none: its other lines
        cannot be told apart.

    Raises:
        OSError: If it cannot be read; `NotRegularError` for a pipe, socket or device.
        ValueError: If the path cannot be one.
    """
    check_regular(path)
    with path.open("rb") as stream:
        number = offset = 0
        while content := stream.readline(max_bytes + 2):
            number += 1
            if number == 1 and (wide := _wide(content)):
                yield Line(
                    number=number, offset=offset, content=b"", fault=_not_utf8(tr("{encoding} text", encoding=wide))
                )
                return
            start, offset = offset, offset + len(content)
            whole = _without_end(content)
            if len(whole) > max_bytes:
                offset += 0 if content.endswith(b"\n") else _skip_rest(stream)
                yield Line(number=number, offset=start, content=b"", fault=_too_long(max_bytes, holds))
            elif line := _line(number, start, whole):
                yield line


def read_line_at(stream: BinaryIO, line: int, offset: int, *, max_bytes: int = MAX_LINE_BYTES) -> Line | None:
    """Read a line again that was read before.

    Args:
        stream: The file, open in binary mode.
        line: Its number.
        offset: Of its first byte.
        max_bytes: As it was then.

    Returns:
        What stands there now; None where that is blank, or longer.
    """
    stream.seek(offset)
    content = _without_end(stream.readline(max_bytes + 2))
    return _line(line, offset, content) if len(content) <= max_bytes else None


def _without_end(content: bytes) -> bytes:
    if not content.endswith(b"\n"):
        return content
    return content[:-2] if content.endswith(b"\r\n") else content[:-1]


def _line(number: int, offset: int, content: bytes) -> Line | None:
    if offset == 0:
        content = content.removeprefix(codecs.BOM_UTF8)
    if content.isspace() or not content:
        return None
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        found = tr("byte 0x{byte:02x} at byte {place} of the line", byte=content[error.start], place=error.start + 1)
        return Line(number=number, offset=offset, content=content, fault=_not_utf8(found))
    return Line(number=number, offset=offset, content=content, text=text)


def _skip_rest(stream: BinaryIO) -> int:
    """Read to the end of a line, and give the number of bytes."""
    length = 0
    while piece := stream.readline(_CHUNK):
        length += len(piece)
        if piece.endswith(b"\n"):
            break
    return length


def _wide(content: bytes) -> str | None:
    """Tell an encoding of two or four bytes a character by its mark, or by the zeros beside the first brace."""
    marked = next((name for mark, name in _MARKS.items() if content.startswith(mark)), None)
    if marked or b"\0" not in content[:4]:
        return marked
    return "UTF-32" if b"\0\0" in content[:4] else "UTF-16"


def _not_utf8(found: str) -> Fault:
    message = tr("is not UTF-8 (found {found}); save the file as UTF-8", found=found)
    return Fault(code="not-utf8", parts=(), message=message, values={"found": found})


def _too_long(limit: int, holds: str) -> Fault:
    message = (
        tr(
            "the line is longer than {limit:,} bytes, so it is hardly one case; put each case on its own line, "
            "or shorten it",
            limit=limit,
        )
        if holds == "case"
        else tr(
            "the line is longer than {limit:,} bytes, so it is hardly one candidate; put each candidate on its own "
            "line, or shorten it",
            limit=limit,
        )
    )
    return Fault(code="line-too-long", parts=(), message=message, values={"limit": limit})
