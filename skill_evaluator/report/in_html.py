"""Text of others and words of ours as HTML: escaped, and with signs for what could hide or reorder text."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from html import escape
from types import MappingProxyType

from skill_evaluator.report.escape import SHOWN_CHARACTERS, Table, cut_middle, visible
from skill_evaluator.report.words import Lang, words

LONGEST_TEXT = 20_000  # characters of a prompt, an answer, an explanation
LONGEST_LINE = 300
_GAP = "[…{cut}…]"
_VALUE = re.compile(r"({[{%].*?[}%]})", re.DOTALL)  # of a Jinja template: it stays as it is
_STRONG, _CODE = re.compile(r"\*\*(.+?)\*\*"), re.compile(r"`([^`]+)`")


@cache
def words_in_html(lang: Lang) -> Mapping[str, str]:
    """The templates of one language, their own Markdown turned into HTML."""
    return MappingProxyType({key: _in_html(text) for key, text in words(lang).items()})


def html_code(text: str, *, mark: str = _GAP, limit: int = SHOWN_CHARACTERS) -> str:
    """Show a text of others as one line of code; an empty one as two quotation marks."""
    return f"<code>{escape(visible(cut_middle(text, limit, mark))) or '&quot;&quot;'}</code>"


def html_line(text: str, *, limit: int = LONGEST_LINE) -> str:
    """Show a text of others on one line, as an element's text or in an attribute."""
    return escape(visible(cut_middle(text, limit, _GAP)))


def html_text(text: str, *, limit: int = LONGEST_TEXT) -> str:
    """Show a text of others with its lines and tabs, for `<pre>`; a long one without its middle."""
    shown = cut_middle(text.replace("\r\n", "\n"), limit, f"\n{_GAP}\n")
    if shown.isprintable():
        return escape(shown)
    return escape("\n".join("\t".join(map(visible, line.split("\t"))) for line in shown.split("\n")))


def html_table(made: Table, shown: Callable[[object], str]) -> str:
    """Lay out a table; its first column heads the rows.

    Args:
        made: The table.
        shown: Makes a cell safe.
    """
    head = "".join(f'<th scope="col">{shown(cell)}</th>' for cell in made.header)
    body = "".join(_row([shown(cell) for cell in row]) for row in made.rows)
    return (
        '<div class="table" tabindex="0" role="group"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _row(cells: list[str]) -> str:
    first, *others = cells
    return f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in others)}</tr>'


def _in_html(template: str) -> str:
    """Escape the words between the values, then mark up what they stress; a value may stand inside a stress."""
    parts = _VALUE.split(template)
    kept = parts[1::2]
    text = "\x00".join(escape(part, quote=False) for part in parts[::2])
    text = _CODE.sub(r"<code>\1</code>", _STRONG.sub(r"<strong>\1</strong>", text))
    pieces = text.split("\x00")
    return "".join(piece + value for piece, value in zip(pieces, [*kept, ""], strict=True))
