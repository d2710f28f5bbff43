"""Items as a numbered list: `1. ...`, each over one line or several."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from skill_evaluator.graders.translation.protocol.ending import find_ending
from skill_evaluator.graders.translation.protocol.faults import Faults
from skill_evaluator.graders.translation.protocol.found import Found

# A number with a decimal (1.5), a version (1.0.2) or dots after it (1...) is text.
_MARK: Final = re.compile(r"^(?P<indent>[ \t]*)(?P<number>[0-9]{1,9})\.(?![0-9.])[ \t]*", re.MULTILINE)


def read_numbered(text: str, terminator: str | None) -> Found:
    """Read the items of a numbered response.

    An item begins on a line that is indented as the first one is; others belong to the item before.

    Args:
        text: With LF line ends.
        terminator: What stands after the last item, or None.
    """
    ending = find_ending(text, terminator)
    body = ending.before + ending.after
    faults = Faults()
    numbers: dict[int, None] = {}
    count = twice = 0
    last, text_at = -1, 0
    for mark in _marks(body):
        _look_before(body, text_at, mark.start(), last if count else None, faults)
        number = int(mark["number"])
        if number in numbers:
            twice += 1
            faults.malformed(f"The number {number} stands twice.", body, mark.start())
        elif number < last:
            faults.malformed(f"The number {number} stands after {last}.", body, mark.start())
        numbers[number] = None
        count, last, text_at = count + 1, number, mark.end()
    _look_before(body, text_at, len(body), last if count else None, faults)
    return Found(
        written="numbered",
        count=count,
        names=tuple(numbers),
        unnamed=twice,
        ending=ending,
        faults=faults,
        is_count_known=count > 0 or not body.strip(),
        is_numbered=True,
    )


def is_numbered(text: str) -> bool:
    """Say whether a text begins with item 0 or 1, or with another number and goes on with a further item."""
    begins = len(text) - len(text.lstrip())
    first = _MARK.match(text, text.rfind("\n", 0, begins) + 1)
    if first is None:
        return False
    return int(first["number"]) <= 1 or len(tuple(islice(_marks(text), 2))) > 1


def _marks(text: str) -> Iterator[re.Match[str]]:
    """Give what begins an item, indented as the first one is."""
    indent: str | None = None
    for mark in _MARK.finditer(text):
        if indent is None:
            indent = mark["indent"]
        if mark["indent"] == indent:
            yield mark


def _look_before(body: str, start: int, end: int, number: int | None, faults: Faults) -> None:
    """Look at the text of an item, which should be there; or, without a number, at what precedes the first one."""
    is_blank = not body[start:end].strip()
    if number is None and not is_blank:
        faults.malformed("There is text before the first item.", body, start)
    elif number is not None and is_blank:
        faults.malformed(f"Item {number} is empty.", body, max(start - 1, 0))
