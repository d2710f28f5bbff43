"""Texts of help in the width of a terminal, where a Chinese character takes two columns."""

import re

from skill_evaluator.cli.wrapping import WIDE, broken
from skill_evaluator.report.escape import display_width

_LABEL = re.compile(r"\s*\S+\s{2,}(?=\S)")  # as of "reads   the plugin": what follows hangs below its text
_WIDE_END, _WIDE_START = re.compile(rf"[{WIDE}]\Z"), re.compile(rf"[{WIDE}]")


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
    return "\n".join(line for hang, item in items for line in broken(item, width, hang))


def _put_together(start: str, rest: str) -> str:
    between = "" if _WIDE_END.search(start) and _WIDE_START.match(rest) else " "
    return f"{start}{between}{rest}"


def _hang(line: str) -> int:
    label = _LABEL.match(line)
    return display_width(label[0]) if label else _indent(line)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
