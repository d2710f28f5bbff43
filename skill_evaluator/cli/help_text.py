"""Texts of help in the width of a terminal, where a Chinese character takes two columns."""

import re
import textwrap

from skill_evaluator.report.escape import display_width

_LABEL = re.compile(r"\s*\S+\s{2,}(?=\S)")  # as of "reads   the plugin": what follows hangs below its text
_WIDE = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"
# A line may be broken between any two of these: around each wide character, but neither after what opens nor before
# what closes.
_PIECE = re.compile(rf"\s+|[（《「『“‘]*(?:[{_WIDE}]|[^\s{_WIDE}“‘]+)[，。；：！？、）》」』”’…]*|\S")
_WIDE_END, _WIDE_START = re.compile(rf"[{_WIDE}]\Z"), re.compile(rf"[{_WIDE}]")


def fitted(text: str, width: int) -> str:
    r"""Break the lines of a text anew where one of them is too long.

    Args:
        text: Paragraphs, and items of a word, blanks and a text that goes on below itself.
        width: Columns.

    >>> print(fitted("Run it, then look.\n\nreads   the plugin\n        and more", 16))
    Run it, then
    look.
    <BLANKLINE>
    reads   the
            plugin
            and more
    """
    if all(display_width(line) <= width for line in text.splitlines()):
        return text
    items: list[tuple[int, str]] = []
    for line in text.splitlines():
        if items and line.strip() and items[-1][1] and _indent(line) == items[-1][0] and not _LABEL.match(line):
            items[-1] = (items[-1][0], _put_together(items[-1][1], line.strip()))
        else:
            items.append((_hang(line), line))
    return "\n".join(line for hang, item in items for line in broken(item, width, hang) or [""])


def broken(line: str, width: int, hang: int = 0) -> list[str]:
    """Break a line between words, and between Chinese characters.

    Args:
        line: Without line ends.
        width: Columns; a word that is longer is left whole.
        hang: Blanks before each line but the first.

    >>> broken("检查技能与 SKILL.md，然后打分。", 14)
    ['检查技能与', 'SKILL.md，然后', '打分。']
    """
    if line.isascii():
        return textwrap.wrap(
            line, width, subsequent_indent=" " * hang, break_long_words=False, break_on_hyphens=False
        )  # fmt: skip
    lines = [""]
    for piece in _PIECE.findall(line):
        if lines[-1].strip() and display_width(lines[-1] + piece.rstrip()) > width:
            lines.append(" " * hang)
        lines[-1] += piece if lines[-1].strip() or len(lines) == 1 else piece.lstrip()
    return [one.rstrip() for one in lines if one.strip()]


def _put_together(start: str, rest: str) -> str:
    between = "" if _WIDE_END.search(start) and _WIDE_START.match(rest) else " "
    return f"{start}{between}{rest}"


def _hang(line: str) -> int:
    label = _LABEL.match(line)
    return display_width(label[0]) if label else _indent(line)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
