"""Text that somebody else wrote, made harmless in Markdown and in HTML.

A plain `str` is never trusted: it is shown inside a code span, where Markdown has no power. Only `Md` is
Markdown already, and every operation on it (`+`, `format`, `join`) gives a plain `str` again, so that
forgetting to mark a text makes it ugly, never dangerous. `Html` is HTML already; a page escapes whatever else it is
given, a number that is `Md` too.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

SHOWN_CHARACTERS = 400  # enough for a prompt and the start and end of an answer; the JSON keeps the whole
WIDEST_PADDING = 60  # a column with longer texts is left ragged
_BACKTICKS = re.compile(r"`+")
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_JOINERS = frozenset("\u200c\u200d")  # emoji and several scripts are spelled with them
_NAMED = {"\n": "↵", "\r": "␍", "\t": "␉", "\x7f": "␡"}
_CONTROL_PICTURES = 0x2400  # U+2400 shows U+0000, and so on
_CONTROLS = 0x20


class Md(str):
    """A text that is Markdown already and stands as it is; a number, or a word of ours, in any format."""

    __slots__ = ()


class Html(Md):
    """A text that is HTML already and stands as it is."""

    __slots__ = ()

    def __html__(self) -> str:
        return str(self)


@dataclass(frozen=True, slots=True)
class Table:
    """A table of words; whoever shows it lays it out.

    Attributes:
        header: One cell for each column.
        rows: As many cells each.
    """

    header: tuple[Md, ...]
    rows: tuple[tuple[Md, ...], ...]


def code(text: str, *, mark: str = "[…{cut}…]", limit: int = SHOWN_CHARACTERS) -> Md:
    """Show a text as one line of code, whatever is in it.

    Args:
        text: Anything.
        mark: Stands where the middle was cut out; `{cut}` is the number of characters left out.
        limit: Longest text that is shown whole, in characters.

    Returns:
        A code span; for a paragraph, a list or a heading (`table` takes care of `|`).

    Source:
        CommonMark 0.31, section 6.1: the fence is longer than any run of backticks inside, one space is
        stripped from either side when both have one.
    """
    shown = visible(cut_middle(text, limit, mark))
    if not shown:
        return Md('""')
    fence = "`" * (1 + max((len(run) for run in _BACKTICKS.findall(shown)), default=0))
    edges = shown[0] + shown[-1]
    padding = " " if "`" in edges or (edges == "  " and shown.strip(" ")) else ""
    return Md(f"{fence}{padding}{shown}{padding}{fence}")


def visible(text: str) -> str:
    """Show line ends, control characters and whatever could hide or reorder text, by visible signs."""
    if text.isprintable():
        return text
    return text.translate(_SIGNS)


def cut_middle(text: str, limit: int, mark: str) -> str:
    """Keep the start and the end of a text that is longer than `limit` characters.

    Args:
        text: Anything.
        limit: Longest text that is left alone; a cut one has as many characters, and the mark.
        mark: What stands in the gap; `{cut}` is the number of characters left out.
    """
    if len(text) <= limit:
        return text
    head = (limit + 1) // 2
    tail = limit - head
    return text[:head] + mark.replace("{cut}", str(len(text) - limit)) + text[len(text) - tail :]


def table(header: Iterable[Md], rows: Iterable[Iterable[Md]]) -> Table:
    """Make a table.

    Args:
        header: One cell for each column.
        rows: As many cells each; they may hold `|`, but no line ends.

    Raises:
        ValueError: If a row has another number of cells than the header.
    """
    made = Table(tuple(header), tuple(map(tuple, rows)))
    if any(len(row) != len(made.header) for row in made.rows):
        raise ValueError(f"a row has another number of cells than the header {made.header}")
    return made


def markdown_table(made: Table) -> Md:
    """Lay out a table, padded so that it reads well as plain text too."""
    cells = [[cell.replace("|", r"\|") for cell in row] for row in (made.header, *made.rows)]
    widths = [min(WIDEST_PADDING, max(map(display_width, column))) for column in zip(*cells, strict=True)]
    lines = [_table_row(row, widths) for row in cells]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return Md("\n".join([lines[0], rule, *lines[1:]]))


def display_width(text: str) -> int:
    """Columns a text takes in a terminal: two for wide East Asian characters, none for combining ones."""
    return sum(_width(character) for character in text)


def _table_row(cells: list[str], widths: list[int]) -> str:
    padded = (cell + " " * (width - display_width(cell)) for cell, width in zip(cells, widths, strict=True))
    return "| " + " | ".join(padded) + " |"


def _width(character: str) -> int:
    if unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1


def _sign(character: str) -> str:
    if character in _NAMED:
        return _NAMED[character]
    if unicodedata.category(character) not in _INVISIBLE or character in _JOINERS:
        return character
    point = ord(character)
    return chr(_CONTROL_PICTURES + point) if point < _CONTROLS else f"⟨U+{point:04X}⟩"


class _Signs(dict[int, str]):
    """By code point: what stands for it; each is worked out once."""

    def __missing__(self, point: int) -> str:
        self[point] = _sign(chr(point))
        return self[point]


_SIGNS = _Signs()
