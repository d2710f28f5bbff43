"""Lines that are laid out for a terminal: broken where words end, and padded by columns rather than characters."""

import re
from collections.abc import Sequence

from skill_evaluator.report.escape import display_width

_NARROWEST = 8  # columns; a terminal that says less is not believed
WIDE = "\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6"
# A line may be broken between any two of these: around each wide character, but neither after what opens nor before
# what closes.
_PIECES = re.compile(rf"\s+|[（《「『“‘]*(?:[{WIDE}]|[^\s{WIDE}“‘]+)[，。；：、！？）》」』”’…]*|\S")


def wrapped(text: str, width: int | None) -> str:
    """Break long lines between words, and indent the rest of each a little more; a longer word is left whole.

    Chinese is broken between any two characters.

    >>> wrapped("  one two three", 10).splitlines()
    ['  one two', '    three']
    >>> wrapped("一二三四五，六", 12).splitlines()
    ['一二三四五，', '  六']
    """
    if width is None or width < _NARROWEST:
        return text
    return "\n".join("\n".join(broken(line, width, _indent(line) + 2)) for line in text.split("\n"))


def broken(line: str, width: int, hang: int = 0) -> list[str]:
    """Break a line between words, and between Chinese characters.

    Args:
        line: Without line ends.
        width: Columns; a word that is longer is left whole.
        hang: Blanks before each line but the first.

    Returns:
        The lines; one that fits stays as it is.

    >>> broken("检查技能与 SKILL.md，然后打分。", 14)
    ['检查技能与', 'SKILL.md，然后', '打分。']
    """
    if display_width(line) <= width:
        return [line]
    lines = [""]
    for piece in _PIECES.findall(line):
        if lines[-1].strip() and display_width(lines[-1] + piece.rstrip()) > width:
            lines.append(" " * hang)
        lines[-1] += piece if lines[-1].strip() or len(lines) == 1 else piece.lstrip()
    return [one.rstrip() for one in lines if one.strip()]


def longest_piece(text: str) -> int:
    """Count the columns of the longest piece of a text that is not broken.

    >>> longest_piece("a false trigger"), longest_piece("误触率"), longest_piece("")
    (7, 2, 0)
    """
    return max((display_width(piece) for piece in _PIECES.findall(text) if not piece.isspace()), default=0)


def padded(text: str, width: int, *, right: bool = False) -> str:
    """Fill a text up to a number of columns.

    Args:
        text: The text; a wider one stays as it is.
        width: Columns.
        right: Whether the spaces come first, as before numbers.
    """
    spaces = " " * (width - display_width(text))
    return spaces + text if right else text + spaces


def cut(text: str, width: int) -> str:
    """Cut the end of a text off that takes more columns than there are.

    >>> cut("abcdef", 4), cut("一二三", 5), cut("abc", 3)
    ('abc…', '一二…', 'abc')
    """
    if display_width(text) <= width:
        return text
    kept = ""
    for character in text:
        if display_width(kept + character) > width - 1:
            break
        kept += character
    return f"{kept.rstrip()}…"


def columns(rows: Sequence[Sequence[str]], *, right: frozenset[int] = frozenset(), gap: int = 2) -> list[str]:
    """Lay cells out below each other.

    Args:
        rows: As many cells each.
        right: Columns of numbers, whose ends stand below each other.
        gap: Spaces between columns.
    """
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    return [
        (" " * gap).join(padded(cell, widths[at], right=at in right) for at, cell in enumerate(row)).rstrip()
        for row in rows
    ]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
