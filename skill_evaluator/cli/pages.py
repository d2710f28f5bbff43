"""Markdown as a terminal shows it: a table that is too wide becomes a list of its rows, so that no cell is cut."""

from collections.abc import Iterator, Sequence
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
    from rich.markdown import TableRowElement

_NARROWEST_CELL = 8  # columns in which words can still be read
_MOST_TURNED = 2  # rows, such as two reports that are compared
_BESIDE = 3  # columns that a table takes for the space around a cell and a line


class _Table(TableElement):
    """A table; one whose columns would be too narrow for words is turned round, or becomes a paragraph for each row."""

    def __rich_console__(self, console: Console, options: "ConsoleOptions") -> "RenderResult":
        rows = [self._cells(self.header.row), *map(self._cells, self.body.rows)] if self.header and self.body else []
        turned = list(zip(*rows, strict=True))
        if _fits(rows, options.max_width):
            yield _table(rows)
        elif len(rows) - 1 <= _MOST_TURNED and _fits(turned, options.max_width):
            yield _table(turned)
        else:
            for row in rows[1:]:
                yield Text("")
                yield from _record(rows[0], row)
            yield Text("")

    @staticmethod
    def _cells(row: "TableRowElement | None") -> Sequence[Text]:
        return [cell.content for cell in row.cells] if row is not None else []


def _table(rows: Sequence[Sequence[Text]]) -> Table:
    table = Table(box=box.SIMPLE, pad_edge=False, style="markdown.table.border", collapse_padding=True)
    for cell in rows[0]:
        table.add_column(Text(cell.plain, "markdown.table.header"), overflow="fold")
    for row in rows[1:]:
        table.add_row(*row)
    return table


def _fits(rows: Sequence[Sequence[Text]], width: int) -> bool:
    return sum(map(_least_width, zip(*rows, strict=True))) <= width


def _least_width(cells: tuple[Text, ...]) -> int:
    texts = [cell.plain for cell in cells]
    return max(*map(longest_piece, texts), min(_NARROWEST_CELL, max(map(display_width, texts)))) + _BESIDE


def _record(header: Sequence[Text], row: Sequence[Text]) -> Iterator[Text]:
    for at, (name, cell) in enumerate(zip(header, row, strict=True)):
        mark = "  " if at else "• "
        yield (
            Text.assemble(mark, (name.plain, "markdown.table.header"), ": ", cell)
            if name.plain
            else Text.assemble(mark, cell)
        )


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
