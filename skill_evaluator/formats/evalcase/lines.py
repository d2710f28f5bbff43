"""A file of JSON Lines, line by line: no line is ever held that is longer than a case may be."""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from skill_evaluator.formats.evalcase.form import Fault
from skill_evaluator.regular_files import check_regular

MAX_LINE_BYTES: Final = 1024 * 1024
_CHUNK: Final = 64 * 1024
_MARKS: Final = {  # the longer ones first: that of UTF-32 starts like that of UTF-16
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """One line that is not blank.

    Attributes:
        number: 1-based.
        content: Its bytes without the line end and without a byte order mark; empty where it was too long.
        text: The same as text; None where `fault` says why there is none.
        fault: What is wrong with the line as such, or None.
    """

    number: int
    content: bytes
    text: str | None = None
    fault: Fault | None = None


def read_lines(path: Path) -> Iterator[Line]:
    r"""Read the lines of a file that are not blank; they end at `\n`, and a `\r` before it belongs to the end.

    Args:
        path: A regular file, or a link to one.

    Yields:
        Lines in order. After a line that shows that the file is UTF-16 or UTF-32 there is none: its other lines
        cannot be told apart.

    Raises:
        OSError: If it cannot be read; `NotRegularError` for a pipe, socket or device.
        ValueError: If the path cannot be one.
    """
    check_regular(path)
    with path.open("rb") as stream:
        number = 0
        while content := stream.readline(MAX_LINE_BYTES + 2):
            number += 1
            if number == 1 and (wide := _wide(content)):
                yield Line(number=number, content=b"", fault=_not_utf8(f"{wide} text"))
                return
            if line := _line(stream, number, content):
                yield line


def _line(stream: BinaryIO, number: int, content: bytes) -> Line | None:
    ends = content.endswith(b"\n")
    content = content.removesuffix(b"\n").removesuffix(b"\r") if ends else content
    if len(content) > MAX_LINE_BYTES:
        if not ends:
            _skip_rest(stream)
        return Line(number=number, content=b"", fault=_too_long())
    if number == 1:
        content = content.removeprefix(codecs.BOM_UTF8)
    if not content.strip():
        return None
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        found = f"byte 0x{content[error.start]:02x} at byte {error.start + 1} of the line"
        return Line(number=number, content=content, fault=_not_utf8(found))
    return Line(number=number, content=content, text=text)


def _skip_rest(stream: BinaryIO) -> None:
    while (piece := stream.readline(_CHUNK)) and not piece.endswith(b"\n"):
        pass


def _wide(content: bytes) -> str | None:
    """Tell an encoding of two or four bytes a character by its mark, or by the zeros beside the first brace."""
    marked = next((name for mark, name in _MARKS.items() if content.startswith(mark)), None)
    if marked or b"\0" not in content[:4]:
        return marked
    return "UTF-32" if b"\0\0" in content[:4] else "UTF-16"


def _not_utf8(found: str) -> Fault:
    message = f"is not UTF-8 (found {found}); save the file as UTF-8"
    return Fault(code="not-utf8", parts=(), message=message, values={"found": found})


def _too_long() -> Fault:
    message = (
        f"the line is longer than {MAX_LINE_BYTES:,} bytes, so it is hardly one case; put each case on its own line"
    )
    return Fault(code="line-too-long", parts=(), message=message, values={"limit": MAX_LINE_BYTES})
