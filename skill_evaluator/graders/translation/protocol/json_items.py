"""Items as a JSON array: of strings, or of objects that may have an `id`."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from skill_evaluator.graders.translation.protocol.ending import Ending, find_ending
from skill_evaluator.graders.translation.protocol.faults import Faults
from skill_evaluator.graders.translation.protocol.found import Found
from skill_evaluator.graders.translation.protocol.json_array import Array, read_array, skip_space
from skill_evaluator.graders.translation.protocol.names import Names
from skill_evaluator.texts import tr

ID: Final = "id"
# What opens an array of items where it stands after other text; a bracket alone may open anything.
_OPENING: Final = re.compile(r'^[ \t]*(\[\s*(?:"|\{\s*["}]))', re.MULTILINE)
_PLAINLY: Final = re.compile(r'\s*(?:\[\s*(?:"|\{\s*(?:["}]|\Z)|\]?\s*\Z)|\{[ \t]*\n\s*")')
_BETWEEN: Final = re.compile(r'["}]\s*,\s*["{]')  # what stands between two items
_LINE_ENDS: Final = re.compile(r"[ \t]*(?:\n|\Z)")
_FENCES: Final = ("```", "~~~")
_CLOSERS: Final = frozenset("]} \t\n")


def read_json(text: str, terminator: str | None) -> Found:
    """Read the items of a JSON response.

    Args:
        text: With LF line ends.
        terminator: What stands after the array, or None. One of closing brackets only is the end of the array itself.
    """
    faults = Faults()
    start = _start(text, faults)
    if start is None:
        ending = find_ending(text, terminator)
        return Found(written="json", count=0, ending=ending, faults=faults, is_count_known=not ending.before.strip())
    array, ending = _read(text, start, terminator)
    names = _look_at(array, text, faults)
    if array.fault is None and ending.before.strip():
        faults.malformed(tr("There is text after the array."), text, array.end)
    return Found(
        written="json",
        count=len(array.elements) + array.has_part,
        names=names.all,
        unnamed=names.unnamed + array.has_part,
        ending=ending,
        faults=faults,
        is_count_known=array.fault is None or array.is_cut,
        may_be_empty=array.fault is None,
    )


def is_json(text: str) -> bool:
    """Say whether a text is plainly a JSON array of items, maybe with words around it."""
    if _PLAINLY.match(text):
        return True
    start = skip_space(text, 0)
    if text.startswith("[", start):
        array = read_array(text, start)
        is_whole = array.fault is None and not text[array.end :].strip()
        return is_whole or _BETWEEN.search(text) is not None
    found = _OPENING.search(text)
    if found is None:
        return False
    array = read_array(text, found.start(1))
    return array.fault is None and _LINE_ENDS.match(text, array.end) is not None


def _start(text: str, faults: Faults) -> int | None:
    """Find the bracket that opens the array, or None; other text before it is a fault."""
    at = skip_space(text, 0)
    if text.startswith("[", at):
        return at
    if at < len(text):
        faults.malformed(_other_start(text, at), text, at)
    found = _OPENING.search(text)
    return found.start(1) if found else None


def _other_start(text: str, at: int) -> str:
    if text.startswith("{", at):
        return tr("The response is a JSON object, not an array.")
    if text.startswith(_FENCES, at):
        return tr("The response begins with a code fence, not with a JSON array.")
    return tr("The response does not begin with a JSON array.")


def _read(text: str, start: int, terminator: str | None) -> tuple[Array, Ending]:
    """Read the array and what ends the response.

    Where the array breaks nobody knows what is inside of a string, so a terminator at the end of the text is one.
    """
    array = read_array(text, start)
    if array.fault is None:
        rest = text[array.end :]
        brackets = (terminator or "").strip()
        if brackets and _CLOSERS.issuperset(brackets) and not rest.strip() and text.endswith(brackets, 0, array.end):
            return array, Ending(before=rest, count=1)
        return array, find_ending(rest, terminator)
    ending = find_ending(text[start:], terminator)
    if len(ending.before) < len(text) - start and not ending.after.strip():
        array = read_array((text[:start] + ending.before).rstrip(), start)
    return array, ending


def _look_at(array: Array, text: str, faults: Faults) -> Names:
    """Note what is wrong with the array and each of its elements, and give their ids."""
    names = Names(faults=faults, text=text)
    has_ids = any(isinstance(value, dict) and ID in value for value, _ in array.elements)
    kind = next((type(value) for value, _ in array.elements if isinstance(value, str | dict)), str)
    for number, (value, at) in enumerate(array.elements, 1):
        if not isinstance(value, kind):
            other = (
                tr("Item {number} is no text.", number=number)
                if kind is str
                else tr("Item {number} is no object.", number=number)
            )
            faults.malformed(other, text, at)
        elif _is_empty(value):
            faults.malformed(tr("Item {number} is empty.", number=number), text, at)
        if has_ids:
            names.add(value.get(ID) if isinstance(value, dict) else None, at)
    if array.repeated is not None:
        faults.malformed(
            tr("An object has the key {repeated!r} twice.", repeated=array.repeated[:40]), text, array.start
        )
    if array.fault is not None:
        faults.malformed(tr("The JSON array is broken: {fault}.", fault=array.fault), text, array.end)
    return names


def _is_empty(value: object) -> bool:
    if isinstance(value, str):
        return not value.strip()
    if not isinstance(value, Mapping):
        return False
    return all(_says_nothing(part) for key, part in value.items() if key != ID)


def _says_nothing(part: object) -> bool:
    match part:
        case str():
            return not part.strip()
        case Mapping() | Sequence():
            return not part
        case _:
            return part is None
