"""One line of JSON Lines -> an object, or what is wrong with it."""

import json
import math
import re
from collections.abc import Mapping
from typing import Any, Final, Literal, NoReturn

from skill_evaluator.credentials import MASK
from skill_evaluator.formats.evalcase.form import Fault, Parts
from skill_evaluator.formats.evalcase.secrets import holds_secret
from skill_evaluator.formats.json_text import MAX_DEPTH, JsonFault, parse_json
from skill_evaluator.formats.testset_form import kind_of, shown
from skill_evaluator.texts import tr

Holds = Literal["case", "candidate"]
_EXPECTED: Final[Mapping[Holds, str]] = {
    "case": tr("a line holds one case, an object in braces"),
    "candidate": tr("a line holds one candidate, an object in braces"),
}
_SECOND_OBJECT: Final = "a second object follows"
_IN_LINE_1: Final = " (first in line 1)"
_HALF: Final = re.compile(r"\\u[dD][89abAB]")


def read_object(text: str) -> tuple[Mapping[str, object] | None, list[Fault]]:
    """Read the object of a line.

    Args:
        text: The line.

    Returns:
        The object and no fault; or its faults, with the object where it can be looked at further.
    """
    try:
        value = _quickly(text)
    except (ValueError, RecursionError):
        return _slowly(text)
    return (value, []) if isinstance(value, dict) else (None, [no_object(value, "case")])


def read_sound(text: str) -> dict[str, Any]:
    """Read the object of a line again that no fault was found in."""
    row: dict[str, Any] = _SOUND.decode(text)
    return row


def no_object(value: object, holds: Holds) -> Fault:
    """Say that a line holds something else than the object it should.

    Args:
        value: What it holds.
        holds: What a line should hold one of.
    """
    found = MASK if holds_secret(json.dumps(value, ensure_ascii=False)) else shown(value)
    message = tr("holds {found} ({kind}); {expected}", found=found, kind=kind_of(value), expected=_EXPECTED[holds])
    return Fault(code="wrong-value", parts=(), message=message, values={"found": found})


def _quickly(text: str) -> object:
    """Parse what is beyond doubt; anything else is read again with care, for the words of the fault."""
    if ("\\u" in text and _HALF.search(text)) or text.count("{") + text.count("[") > MAX_DEPTH:
        raise ValueError("to be looked at with care")
    return _DECODER.decode(text)


def _distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _refuse(word: str) -> NoReturn:
    raise ValueError(word)


def _finite(digits: str) -> float:
    number = float(digits)
    return number if math.isfinite(number) else _refuse(digits)


_SOUND: Final = json.JSONDecoder()
# Made once: making one takes as long as reading a line.
_DECODER: Final = json.JSONDecoder(object_pairs_hook=_distinct, parse_constant=_refuse, parse_float=_finite)


def _slowly(text: str) -> tuple[Mapping[str, object] | None, list[Fault]]:
    document = parse_json(text)
    faults = [_worded(fault, text) for fault in document.faults]
    if document.value is None and faults:
        return None, faults
    if isinstance(document.value, dict):
        return document.value, faults
    return None, [*faults, no_object(document.value, "case")]


def _worded(fault: JsonFault, text: str) -> Fault:
    message = fault.message
    stripped = text.strip()
    if text.startswith("\ufeff"):
        message = tr("a byte order mark stands in the middle of the file, as after joining files; remove it")
    elif stripped in {"{", "["}:
        message = tr("a case goes over several lines, or stands in a list; write each case as an object on one line")
    elif fault.message.startswith(_SECOND_OBJECT):
        message = tr("a second object follows in the same line; give each its own line")
    elif _IN_LINE_1 in message:  # a line has no other
        message = tr("the key {key!r} stands twice in one object; keep one", key=_parts(fault.pointer)[-1])
    elif holds_secret(text):  # the words of a fault may show what stands at its place
        message = tr(
            "is no sound JSON, and holds what looks like a credential; take that out, and revoke it if it is real"
        )
    return Fault(code=fault.code, parts=_parts(fault.pointer), message=message)


def _parts(pointer: str | None) -> Parts:
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in (pointer or "").split("/")[1:])
