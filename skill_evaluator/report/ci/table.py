r"""Rows as CSV that a spreadsheet opens without carrying anything out.

UTF-8 with a byte order mark, which Excel needs to read Chinese and pandas passes over; lines end in CR LF (RFC 4180).
Every text is quoted. A text that a spreadsheet could take for a formula gets an apostrophe in front, as does one that
begins with an apostrophe itself, so that taking one away gives the text back. A text that is too long for the cell of
a spreadsheet loses its middle: Excel moves the rest of it into other lines, and Python's `csv` refuses to read on.

Source:
    RFC 4180; OWASP, "CSV Injection"; Microsoft, "Excel specifications and limits" (32,767 characters in a cell);
    Python, `csv.field_size_limit` (131,072).
"""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Final

from skill_evaluator.report.ci.clean import clean_lines
from skill_evaluator.report.escape import cut_middle

Cell = str | int | float | bool | None

_BYTE_ORDER_MARK: Final = "\ufeff"
_MARK: Final = "'"
_LONGEST: Final = 32_700  # code units of UTF-16 that a cell may have, with room for the apostrophe
_KEPT: Final = 32_000  # of a longer text, so that one that was cut is never cut again
_GAP: Final = "[…{cut}…]"
_LAST_OF_ONE_UNIT: Final = "\uffff"
_RISKY: Final = frozenset(f"=+-@\t\r\n＝＋－＠{_MARK}")  # at the start, or behind blanks


def csv_text(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Write rows out; numbers as JSON has them, nothing for None.

    Args:
        header: Names of the columns, of our own.
        rows: As many cells each.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    writer.writerow(header)
    for row in rows:
        writer.writerow([_cell(cell) for cell in row])
    return _BYTE_ORDER_MARK + stream.getvalue()


def fitting(text: str) -> tuple[str, int]:
    r"""Make a text one that fits into a cell, with signs for what could do harm.

    Args:
        text: Anything.

    Returns:
        The text, and how many characters are left out in its middle.

    >>> fitting("a\x00b"), fitting("x" * 40_000)[1], fitting("\N{PILE OF POO}" * 17_000)[1]
    (('a␀b', 0), 8000, 1000)
    """
    shown = clean_lines(text)
    units = 2 if max(shown, default="") > _LAST_OF_ONE_UNIT else 1  # at most, for each character
    if len(shown) * units <= _LONGEST:
        return shown, 0
    kept = _KEPT // units
    return cut_middle(shown, kept, _GAP), len(shown) - kept


def harmless(text: str) -> str:
    r"""Make a text one that no spreadsheet takes for a formula.

    >>> harmless("=1+1"), harmless("  @sum"), harmless("1-1"), harmless("'tis")
    ("'=1+1", "'  @sum", '1-1', "''tis")
    """
    begins = text[:1], text.lstrip()[:1]
    return _MARK + text if _RISKY.intersection(begins) else text


def _cell(cell: Cell) -> str | int | float:
    match cell:
        case None:
            return ""
        case bool():
            return "true" if cell else "false"
        case str():
            return harmless(fitting(cell)[0])
        case _:
            return cell
