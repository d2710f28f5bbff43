"""The transcript that a case goes on with.

Source: Suites recorded with Claude Code 2.1.332.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.reading import read_bytes_inside
from skill_evaluator.formats.suite.strict_json import DECODER

_MAX_HISTORY: Final = 16 * 1024 * 1024
_BLANKS: Final = re.compile(r"[ \t\r\n]*")
_NESTED: Final = 100_000  # characters that a value nested too deeply counts for
_EVERY_TYPE: Final = ("system", "attachment")  # taken with any content


def history_problem(path: Path, root: Path) -> str | None:
    """Say why a session cannot go on with a file; its content counts where it is not very large.

    Args:
        path: The file, which exists.
        root: The outermost folder that may be read.
    """
    if path.suffix.lower() != ".jsonl":
        return "does not end in .jsonl; save the transcript as a .jsonl file"
    content = read_bytes_inside(path, root=root, max_bytes=_MAX_HISTORY)
    if isinstance(content, SuiteFault):
        return content.message if content.code != "too-large" else None
    if any(_is_message(value) for value in _values(content.decode("utf-8-sig", "replace"))):
        return None
    return "holds no message to go on with; copy the transcript of a session, one JSON object a line"


def _values(text: str) -> Iterator[object]:
    """Give the JSON values of a text, one after another; where there is none, the next line is tried."""
    patience = 4 * len(text) + 1_000_000  # characters that may be read in vain
    place = _after_blanks(text, 0)
    while place < len(text) and patience > 0:
        try:
            value, end = DECODER.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            patience -= _NESTED if isinstance(error, RecursionError) else _read_in_vain(error, place)
            end = text.find("\n", place)
            end = end if end >= 0 else len(text)
        else:
            yield value
        place = _after_blanks(text, end)


def _read_in_vain(error: ValueError, place: int) -> int:
    return error.pos - place + 1 if isinstance(error, json.JSONDecodeError) else _NESTED


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
