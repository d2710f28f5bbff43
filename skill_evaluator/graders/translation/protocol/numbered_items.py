"""Items as a numbered list: `1. ...`, each over one line or several."""

import re
from collections.abc import Iterator
from itertools import islice, pairwise
from typing import Final

from skill_evaluator.graders.translation.protocol.ending import find_ending
from skill_evaluator.graders.translation.protocol.faults import Faults
from skill_evaluator.graders.translation.protocol.found import Found
from skill_evaluator.texts import tr

# A number with a decimal (1.5), a version (1.0.2) or dots after it (1...) is text.
_MARK: Final = re.compile(r"^(?P<indent>[ \t]*)(?P<number>[0-9]{1,9})\.(?![0-9.])[ \t]*", re.MULTILINE)


def read_numbered(text: str, terminator: str | None) -> Found:
    """Read the items of a numbered response.

    An item begins on a line that is indented no more than any other that begins with a number.

    Args:
        text: With LF line ends.
        terminator: What stands after the last item, or None.
    """
    ending = find_ending(text, terminator)
    body = ending.before + ending.after
    faults = Faults()
    numbers = _look_at(body, faults)
    names = tuple(dict.fromkeys(numbers))
    return Found(
        written="numbered",
        count=len(numbers),
        names=names,
        unnamed=len(numbers) - len(names),
        ending=ending,
        faults=faults,
        is_count_known=bool(numbers) or not body.strip(),
        is_numbered=True,
    )


def is_numbered(text: str) -> bool:
    """Say whether a text plainly is a list.

    It begins with item 0 or 1, or with another one and goes on with a further one; or two items somewhere have numbers
    that follow one another.
    """
    begins = len(text) - len(text.lstrip())
    first = _MARK.match(text, text.rfind("\n", 0, begins) + 1)
    if first is not None and (int(first["number"]) <= 1 or len(tuple(islice(_marks(text), 2))) > 1):
        return True
    return any(int(one["number"]) + 1 == int(other["number"]) for one, other in pairwise(_marks(text)))


def _marks(text: str) -> Iterator[re.Match[str]]:
    """Give what begins an item: the numbers that are indented least; others are lists inside of items."""
    least = min((len(mark["indent"]) for mark in _MARK.finditer(text)), default=0)
    return (mark for mark in _MARK.finditer(text) if len(mark["indent"]) == least)


def _look_at(body: str, faults: Faults) -> list[int]:
    """Give the number of each item, in order; whatever is wrong with one is noted."""
    numbers: list[int] = []
    seen: set[int] = set()
    text_at = 0
    for mark in _marks(body):
        last = numbers[-1] if numbers else None
        _look_before(body, text_at, mark.start(), last, faults)
        number = int(mark["number"])
        if number in seen:
            faults.malformed(tr("The number {number} stands twice.", number=number), body, mark.start())
        elif last is not None and number < last:
            faults.malformed(
                tr("The number {number} stands after {last}.", number=number, last=last), body, mark.start()
            )
        numbers.append(number)
        seen.add(number)
        text_at = mark.end()
    _look_before(body, text_at, len(body), numbers[-1] if numbers else None, faults)
    return numbers


def _look_before(body: str, start: int, end: int, number: int | None, faults: Faults) -> None:
    """Look at the text of an item, which should be there; or, without a number, at what precedes the first one."""
    is_blank = not body[start:end].strip()
    if number is None and not is_blank:
        faults.malformed(tr("There is text before the first item."), body, start)
    elif number is not None and is_blank:
        faults.malformed(tr("Item {number} is empty.", number=number), body, max(start - 1, 0))
