"""The ways in which a number may keep its value though the two texts write it unlike, the surest first.

Each takes out of the remainder what it explains. What it cannot be sure of becomes a doubt.
"""

from collections.abc import Callable, Sequence
from typing import Final

from skill_evaluator.graders.translation.numbers import doubts, keys
from skill_evaluator.graders.translation.numbers.keys import only_if, only_if_not
from skill_evaluator.graders.translation.numbers.readings import other_convention
from skill_evaluator.graders.translation.numbers.remainder import Remainder
from skill_evaluator.graders.translation.numbers.sides import Side

Way = Callable[[Remainder, Side, Side], None]


def same_value(left: Remainder, source: Side, target: Side) -> None:
    """Pair numbers by value, and by the word that multiplies them where there is one."""
    left.settle(keys.by_value_and_scale)
    if any(one.scale for one in (*left.source, *left.target)):  # `4K` stays `4K` in a language without such a word
        ours, theirs = keys.by_value_and_word(source.text), keys.by_value_and_word(target.text)
        left.settle(only_if(keys.has_scale, ours), only_if_not(keys.has_scale, theirs))
        left.settle(only_if_not(keys.has_scale, ours), only_if(keys.has_scale, theirs))


def same_sign(left: Remainder, source: Side, target: Side) -> None:
    """Pair `①` with 1 and `10²` with `10^2`: Unicode says what the signs are worth."""
    left.source += source.signs
    left.target += target.signs
    if source.signs or target.signs:
        left.settle(keys.by_value_and_scale)


def same_name(left: Remainder, source: Side, target: Side) -> None:
    """Pair versions, addresses and the like, which the locale's own way of writing does not touch."""
    del source, target
    left.settle(only_if_not(keys.has_value, keys.by_run), only_if(keys.is_literal, keys.by_run))
    left.settle(only_if(keys.is_literal, keys.by_run), only_if_not(keys.has_value, keys.by_run))
    left.settle(only_if(keys.is_dotted_name, keys.by_run))


WAYS: Final[Sequence[Way]] = (
    same_value,
    same_sign,
    same_name,
    other_convention,
    doubts.other_order,
    doubts.minus_in_words,
    doubts.leading_zeros,
    doubts.multiplied,
    doubts.twelve_hours,
    doubts.other_groups,
    doubts.spelled,
    doubts.fractions,
    doubts.odd_signs,
)


def try_ways(left: Remainder, source: Side, target: Side) -> None:
    """Try one way after the other, until nothing is left."""
    for way in WAYS:
        way(left, source, target)
        if not left and way is not WAYS[0]:
            break
