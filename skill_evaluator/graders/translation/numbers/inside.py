"""Numbers between braces that may be text: in the branches of a message, in an object of JSON.

Each branch says a number anew, and languages have more or fewer branches, so values are compared there and not how
often they stand.
"""

from collections.abc import Iterable
from typing import Final

from skill_evaluator.graders.translation.numbers.keys import by_value_and_scale
from skill_evaluator.graders.translation.numbers.remainder import Remainder
from skill_evaluator.graders.translation.numbers.sides import Side, side_of
from skill_evaluator.graders.translation.numbers.ways import try_ways
from skill_evaluator.graders.translation.numbers.written import Written
from skill_evaluator.texts import tr

_OF_CATEGORIES: Final = frozenset({"0", "1", "2"})  # a language without that plural category has no place for them
_BESIDE: Final = tr("beside a message in one text, in its branches in the other")
_Numbers = tuple[Written, ...]


def compare_inside(left: Remainder, source: Side, target: Side) -> tuple[_Numbers, _Numbers]:
    """Compare what stands between braces, and find there what is left of the text around.

    What only one text has is in doubt; where both have some of their own, a number was changed.

    Args:
        left: What is left of the text around; what is found here is added to it.
        source: The text.
        target: Its translation.

    Returns:
        The numbers between the braces of both, each value once.
    """
    ours, theirs = side_of(source.text.inside, source.locale), side_of(target.text.inside, target.locale)
    numbers, others = _each_value(ours.numbers), _each_value(theirs.numbers)
    inner = Remainder(source=[*numbers], target=[*others])
    try_ways(inner, ours, theirs)
    _find_beside(left, inner)
    lost, new = _telling(inner.source), _telling(inner.target)
    if lost and new:
        left.source += lost
        left.target += new
    else:
        inner.doubt(lost, new, tr("in a branch of a message, and in one text alone"))
    left.doubts += inner.doubts
    return numbers, others


def _find_beside(left: Remainder, inner: Remainder) -> None:
    """Doubt numbers that stand beside a message in one text, and in its branches in the other."""
    outwards = Remainder(source=inner.source, target=left.target)
    inwards = Remainder(source=left.source, target=inner.target)
    for moved in (outwards, inwards):
        moved.settle(by_value_and_scale, why=_BESIDE)
        left.doubts += moved.doubts
    inner.source, left.target = outwards.source, outwards.target
    left.source, inner.target = inwards.source, inwards.target


def _each_value(numbers: Iterable[Written]) -> _Numbers:
    found: dict[tuple[object, ...], Written] = {}
    for one in numbers:
        found.setdefault((*by_value_and_scale(one),) or (one.run,), one)
    return tuple(found.values())


def _telling(numbers: Iterable[Written]) -> list[Written]:
    return [one for one in numbers if not (one.values and _OF_CATEGORIES.issuperset(one.values))]
