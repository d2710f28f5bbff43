"""What `run` and `regrade` show at a terminal in the end: half a screen, so that the question hides nothing of it."""

import sys
from collections.abc import Iterator, Sequence

from skill_evaluator.cli.console import width_of
from skill_evaluator.cli.wrapping import columns, cut, wrapped
from skill_evaluator.report.compact import CompactView, compact_view
from skill_evaluator.report.escape import Table, display_width
from skill_evaluator.report.words import Lang
from skill_evaluator.results import Report

_USUAL_WIDTH = 80
_NUMBERS = frozenset({1, 2})  # columns
_SPARED = (3, 2, 5, 4)  # columns that a narrow terminal does without, the first first
_MOST_LINES = 3  # of a reason, and one less of what matters less
_INDENT = "  "


def compact_text(report: Report, lang: Lang, *, width: int | None = None) -> str:
    """Lay a report out on half a screen.

    Args:
        report: The report.
        lang: The language of its words.
        width: Columns; None for those of the terminal.
    """
    columns_ = width or width_of(sys.stdout) or _USUAL_WIDTH
    return "\n".join(_lines(compact_view(report, lang), columns_))


def _lines(view: CompactView, width: int) -> Iterator[str]:
    yield ""
    yield from _short(view.head, width, _MOST_LINES - 1)
    if view.warning is not None:
        yield wrapped(view.warning, width)
    yield wrapped(view.result, width)
    for reason in view.reasons:
        yield from _short(f"{_INDENT}{reason}", width, _MOST_LINES)
    if view.metrics is not None:
        yield ""
        yield from _fitted(view.metrics, width)
        yield ""
    for line in view.failed:
        yield from _short(line, width, _MOST_LINES - 1)
    if view.suggestion is not None:
        yield from _short(view.suggestion, width, _MOST_LINES - 1)
    if view.spent is not None:
        yield wrapped(view.spent, width)


def _fitted(table: Table, width: int) -> list[str]:
    """Lay a table out, without some of its columns where there is no room for all."""
    kept = list(range(len(table.header)))
    spared = [at for at in _SPARED if at in kept]
    while True:
        rows = [[row[at] for at in kept] for row in (table.header, *table.rows)]
        lines = columns(rows, right=frozenset(kept.index(at) for at in _NUMBERS if at in kept))
        if max(map(display_width, lines)) <= width or not spared:
            return lines
        kept.remove(spared.pop(0))


def _short(text: str, width: int, most: int) -> Sequence[str]:
    """Break a text into lines; what goes beyond the most of them is left out."""
    lines = wrapped(text, width).split("\n")
    if len(lines) <= most:
        return lines
    return [*lines[: most - 1], cut(f"{lines[most - 1]} {lines[most]}", width)]
