"""The transcript that a case goes on with.

Source: Suites recorded with Claude Code 2.1.332.
"""

import json
import re
from pathlib import Path
from typing import Final

from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.reading import read_bytes_inside
from skill_evaluator.formats.suite.strict_json import refuse_constant
from skill_evaluator.texts import tr

_MAX_HISTORY: Final = 16 * 1024 * 1024
_BLANKS: Final = re.compile(r"[ \t\r\n]*")
_DECODER: Final = json.JSONDecoder(parse_constant=refuse_constant)  # a faster one than for long whole numbers
_WINDOW: Final = 4096  # characters that are looked at first
_LONGEST_WORD: Final = 16  # of what a cut may end in: a number, an escape, `false`
_NESTED: Final = 100_000  # characters that a value nested too deeply counts for
_EVERY_TYPE: Final = ("system", "attachment")  # taken with any content


def history_problem(path: Path, root: Path) -> str | None:
    """Say why a session cannot go on with a file; its content counts where it is not very large.

    Args:
        path: The file, which exists.
        root: The outermost folder that may be read.
    """
    if path.suffix.lower() != ".jsonl":
        return tr("does not end in .jsonl; save the transcript as a .jsonl file")
    content = read_bytes_inside(path, root=root, max_bytes=_MAX_HISTORY)
    if isinstance(content, SuiteFault):
        return content.message if content.code != "too-large" else None
    if _may_go_on(content.decode("utf-8-sig", "replace")):
        return None
    return tr("holds no message to go on with; copy the transcript of a session, one JSON object a line")


def _may_go_on(text: str) -> bool:
    """Say whether one of the JSON values of a text is a message; so too where finding out costs too much.

    Values stand one after another, over several lines too; where there is none, the next line is tried.
    """
    patience = len(text) + 1_000_000
    place = _after_blanks(text, 0)
    while place < len(text):
        size, found = _value_at(text, place)
        value, end = found or (None, -1)
        if _is_message(value):
            return True
        if not isinstance(value, dict):
            patience -= 100 + size - _WINDOW
        if found is None:
            end = text.find("\n", place)
            end = end if end >= 0 else len(text)
        if patience < 0:
            return True
        place = _after_blanks(text, end)
    return False


def _value_at(text: str, place: int) -> tuple[int, tuple[object, int] | None]:
    """Give how many characters were looked at, and the value at a place with its end, or None.

    No more of the text is looked at than needed, for an error counts the lines before it.
    """
    size = _WINDOW
    while True:
        part = text[place : place + size]
        is_whole = place + size >= len(text)
        try:
            value, end = _DECODER.raw_decode(part)
        except json.JSONDecodeError as error:
            is_cut = error.msg.startswith("Unterminated string") or error.pos >= max(1, len(part) - _LONGEST_WORD)
            if is_whole or not is_cut:
                return size, None
        except (ValueError, RecursionError):
            return size + _NESTED, None
        else:
            if is_whole or end < len(part):
                return size, (value, place + end)
        size *= 2


def _after_blanks(text: str, place: int) -> int:
    found = _BLANKS.match(text, place)
    return found.end() if found else place


def _is_message(value: object) -> bool:
    """Say whether a session can go on after a value; what another agent said beside it does not count."""
    match value:
        case {"isSidechain": aside} if aside not in (None, False, 0, ""):
            return False
        case {"type": "user" | "assistant", "message": {"content": str() | list()}}:
            return True
        case {"type": kind}:
            return kind in _EVERY_TYPE
        case _:
            return False
