"""Texts of help in the width of a terminal."""

import re
import textwrap

_LABEL = re.compile(r"\s*\S+\s{2,}(?=\S)")  # as of "reads   the plugin": what follows hangs below its text


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
    if all(len(line) <= width for line in text.splitlines()):
        return text
    items: list[tuple[int, str]] = []
    for line in text.splitlines():
        if items and line.strip() and items[-1][1] and _indent(line) == items[-1][0] and not _LABEL.match(line):
            items[-1] = (items[-1][0], f"{items[-1][1]} {line.strip()}")
        else:
            items.append((_hang(line), line))
    return "\n".join(_broken(line, width, hang) for hang, line in items)


def _broken(line: str, width: int, hang: int) -> str:
    return textwrap.fill(line, width, subsequent_indent=" " * hang, break_long_words=False, break_on_hyphens=False)


def _hang(line: str) -> int:
    label = _LABEL.match(line)
    return label.end() if label else _indent(line)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
