"""Numbers of a text beside those of its translation: which have no equal, and which nobody can tell of.

Numbers are compared as a multiset of values. What is left over goes through the ways in which a value may be kept and
not be seen. Only what none of them explains is a fault.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from skill_evaluator.graders.translation.numbers.inside import compare_inside
from skill_evaluator.graders.translation.numbers.remainder import Doubt, Remainder
from skill_evaluator.graders.translation.numbers.sides import Side, may_hold_numbers, side_of
from skill_evaluator.graders.translation.numbers.ways import try_ways
from skill_evaluator.graders.translation.numbers.words import has_letters, may_be_spelled
from skill_evaluator.graders.translation.numbers.written import Written
from skill_evaluator.texts import tr


@dataclass(frozen=True, kw_only=True, slots=True)
class NumberDifference:
    """What became of the numbers, all as written.

    Attributes:
        expected: Those of the source, in order.
        actual: Those of the translation, in order.
        missing: Of the source, with no equal in the translation.
        extra: Of the translation, with no equal in the source.
        doubts: What cannot be decided.
    """

    expected: tuple[str, ...]
    actual: tuple[str, ...]
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()


_NONE: Final = NumberDifference(expected=(), actual=())


def compare_numbers(source: str, target: str, *, source_locale: str, target_locale: str) -> NumberDifference:
    """Compare the numbers of two texts.

    Args:
        source: The text.
        target: Its translation.
        source_locale: BCP-47.
        target_locale: BCP-47.
    """
    if not may_hold_numbers(source) and not may_hold_numbers(target):
        return _NONE
    ours, theirs = side_of(source, source_locale), side_of(target, target_locale)
    left = Remainder(source=[*ours.numbers], target=[*theirs.numbers])
    try_ways(left, ours, theirs)
    inside: tuple[tuple[Written, ...], tuple[Written, ...]] = ((), ())
    if ours.text.inside or theirs.text.inside:
        inside = compare_inside(left, ours, theirs)
    _doubt_what_words_may_say(left, ours, theirs)
    return NumberDifference(
        expected=_texts(ours, inside[0]),
        actual=_texts(theirs, inside[1]),
        missing=_each_once(left.source),
        extra=_each_once(left.target),
        doubts=tuple(left.doubts),
    )


def _doubt_what_words_may_say(left: Remainder, ours: Side, theirs: Side) -> None:
    """Doubt small and round numbers that only one text has; where both have some left, a number was changed."""
    if left.source and left.target:
        return
    if has_letters(theirs.text):
        left.doubt([one for one in left.source if _may_be_spelled(one)], [], tr("it may be written in words"))
    if has_letters(ours.text):
        left.doubt([], [one for one in left.target if _may_be_spelled(one)], tr("it may have been written in words"))


def _may_be_spelled(number: Written) -> bool:
    return any(may_be_spelled(value) for value in number.values)


def _texts(side: Side, inside: tuple[Written, ...]) -> tuple[str, ...]:
    in_text = sorted((*side.numbers, *side.signs), key=lambda one: one.start)
    return tuple(one.text for one in (*in_text, *inside))


def _each_once(numbers: Iterable[Written]) -> tuple[str, ...]:
    """Give numbers as written; the groups of one number are that number, once."""
    return tuple({(one.start, one.text): one.text for one in numbers}.values())
