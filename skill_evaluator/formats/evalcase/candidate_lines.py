"""Lines of a file as bytes, one at a time and never longer than a bound."""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from skill_evaluator.formats.text_file import unreadable_file
from skill_evaluator.model import Finding
from skill_evaluator.regular_files import check_regular

_PIECE: Final = 1024 * 1024  # bytes of a line that is too long, read and thrown away at a time


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """One line.

    Attributes:
        number: 1-based, counted from where reading began.
        offset: Of its first byte in the file.
        content: Its bytes without line end, and without a byte order mark; None where it is too long.
    """

    number: int
    offset: int
    content: bytes | None


def open_lines(path: Path) -> BinaryIO | Finding:
    """Open a regular file.

    Returns:
        The file, to be closed by the caller; or the FAIL that says why it cannot be read.
    """
    try:
        check_regular(path)
        return path.open("rb")
    except (OSError, ValueError) as error:
        return unreadable_file(path, error)


def read_lines(stream: BinaryIO, *, max_bytes: int) -> Iterator[Line]:
    """Give the lines of a file from where it stands.

    Args:
        stream: Open in binary mode; nobody else may move it between two lines.
        max_bytes: Longer lines are passed over, and come without content.
    """
    offset, number = stream.tell(), 0
    while raw := stream.readline(max_bytes + 2):
        number += 1
        content = raw.removesuffix(b"\n").removesuffix(b"\r")
        if offset == 0:
            content = content.removeprefix(codecs.BOM_UTF8)
        yield Line(number=number, offset=offset, content=content if len(content) <= max_bytes else None)
        offset += len(raw) + (0 if raw.endswith(b"\n") else _pass_over(stream))


def _pass_over(stream: BinaryIO) -> int:
    """Read the rest of a line away, and give its length."""
    length = 0
    while piece := stream.readline(_PIECE):
        length += len(piece)
        if piece.endswith(b"\n"):
            break
    return length
