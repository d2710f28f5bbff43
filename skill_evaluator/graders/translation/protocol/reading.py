"""A response read in the way that is asked for, or in the one that it plainly is written in."""

import re
from dataclasses import dataclass
from typing import Final, Literal, assert_never

from skill_evaluator.graders.translation.protocol.cut_lines import look_for_cut_lines
from skill_evaluator.graders.translation.protocol.found import Found, Written
from skill_evaluator.graders.translation.protocol.json_items import is_json, read_json
from skill_evaluator.graders.translation.protocol.lines_items import read_lines
from skill_evaluator.graders.translation.protocol.numbered_items import is_numbered, read_numbered
from skill_evaluator.graders.translation.protocol.tagged_items import is_tagged, read_tagged
from skill_evaluator.texts import tr

Format = Literal["auto", "json", "tagged", "numbered", "lines"]

_FENCE: Final = re.compile(r"\s*(?P<fence>`{3,}|~{3,})[^\n`~]*\n")


@dataclass(frozen=True, kw_only=True, slots=True)
class Read:
    """A response that was read.

    Attributes:
        found: Its items.
        text: What they were read from.
        is_fenced: Whether a code fence stood around them.
    """

    found: Found
    text: str
    is_fenced: bool = False


def read_response(response: str, written: Format, terminator: str | None, expected: int | None) -> Read:
    """Read the items of a response.

    Args:
        response: As it came.
        written: How items are written. `auto` takes a code fence around the whole response away and decides by what is
            in it; any other one takes a fence for what it is, text that is in no item.
        terminator: What ends the response, or None.
        expected: How many items there should be, or None.
    """
    text = response.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    if written != "auto":
        return Read(found=_read(text, written, terminator, expected), text=text)
    inner, is_open = _unfenced(text)
    found = _read(inner, _written(inner), terminator, expected)
    if found.written == "lines":
        look_for_cut_lines(found.ending.before, found.faults)
    if is_open:
        found.faults.malformed(tr("The code fence around the items is not closed."), inner, len(inner))
    return Read(found=found, text=inner, is_fenced=inner is not text)


def _written(text: str) -> Written:
    """Say how a response plainly is written; lines are what nothing speaks against."""
    if is_json(text):
        return "json"
    if is_tagged(text):
        return "tagged"
    if is_numbered(text):
        return "numbered"
    return "lines"


def _read(text: str, written: Written, terminator: str | None, expected: int | None) -> Found:
    match written:
        case "json":
            return read_json(text, terminator)
        case "tagged":
            return read_tagged(text, terminator)
        case "numbered":
            return read_numbered(text, terminator)
        case "lines":
            return read_lines(text, terminator, expected)
        case _:
            assert_never(written)


def _unfenced(text: str) -> tuple[str, bool]:
    """Take away the code fence that a response begins with; whether it is not closed."""
    opening = _FENCE.match(text)
    if opening is None:
        return text, False
    inner = text[opening.end() :]
    fence = opening["fence"]
    closings = list(re.finditer(rf"^[ \t]*{fence[0]}{{{len(fence)},}}[ \t]*$", inner, re.MULTILINE))
    if not closings:
        return inner, True
    last = closings[-1]
    return inner[: last.start()] + inner[last.end() :].removeprefix("\n"), False
