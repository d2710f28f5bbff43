"""Markdown as a terminal shows it: a table that is too wide becomes a list of its rows, so that no cell is cut."""

from collections.abc import Iterator
from io import StringIO
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.markdown import Markdown, TableElement
from rich.table import Table
from rich.text import Text

from skill_evaluator.cli.wrapping import longest_piece
from skill_evaluator.report.escape import display_width

if TYPE_CHECKING:
    from rich.console import ConsoleOptions, RenderResult

_NARROWEST_CELL = 8  # columns in which words can still be read
_BESIDE = 3  # columns that a table takes for the space around a cell and a line


class _Table(TableElement):
    """A table, or where its columns would be too narrow for words, one paragraph for each row."""

    def __rich_console__(self, console: Console, options: "ConsoleOptions") -> "RenderResult":
        header, rows = self._header(), self._rows()
        if sum(map(_least_width, zip(header, *rows, strict=True))) > options.max_width:
            for row in rows:
                yield Text("")
                yield from _record(header, row)
            yield Text("")
            return
        table = Table(box=box.SIMPLE, pad_edge=False, style="markdown.table.border", collapse_padding=True)
        for cell in header:
            table.add_column(Text(cell.plain, "markdown.table.header"), overflow="fold")
        for row in rows:
            table.add_row(*row)
        yield table

    def _header(self) -> list[Text]:
        row = self.header.row if self.header is not None else None
        return [cell.content for cell in row.cells] if row is not None else []

    def _rows(self) -> list[list[Text]]:
        return [[cell.content for cell in row.cells] for row in self.body.rows] if self.body is not None else []


def _least_width(cells: tuple[Text, ...]) -> int:
    texts = [cell.plain for cell in cells]
    return max(*map(longest_piece, texts), min(_NARROWEST_CELL, max(map(display_width, texts)))) + _BESIDE


def _record(header: list[Text], row: list[Text]) -> Iterator[Text]:
    yield Text.assemble("• ", row[0])
    for name, cell in zip(header[1:], row[1:], strict=True):
        yield Text.assemble("  ", (name.plain, "markdown.table.header"), ": ", cell)


class _Page(Markdown):
    elements = {**Markdown.elements, "table_open": _Table}  # noqa: RUF012 - as the class above has it


def laid_out(markdown: str, width: int, *, is_styled: bool) -> str:
    """Lay a page out.

    Args:
        markdown: The page.
        width: Columns of the terminal.
        is_styled: Whether bold letters and colours are wanted.
    """
    text = StringIO()
    console = Console(
        file=text, width=width, highlight=False, legacy_windows=False, force_terminal=is_styled, no_color=not is_styled,
        color_system="standard" if is_styled else None,
    )  # fmt: skip
    console.print(_Page(markdown, hyperlinks=False))
    return text.getvalue()
