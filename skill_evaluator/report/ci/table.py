r"""Rows as CSV that a spreadsheet opens without carrying anything out.

UTF-8 with a byte order mark, which Excel needs to read Chinese and pandas passes over; lines end in CR LF (RFC 4180).
Every text is quoted. A text that a spreadsheet could take for a formula gets an apostrophe in front, as does one that
begins with an apostrophe itself, so that taking one away gives the text back.

Source:
    RFC 4180; OWASP, "CSV Injection".
"""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Final

from skill_evaluator.report.ci.clean import clean_lines

Cell = str | int | float | bool | None

_BYTE_ORDER_MARK: Final = "\ufeff"
_MARK: Final = "'"
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
            return harmless(clean_lines(cell))
        case _:
            return cell
