"""The ways in which numbers that differ may say the same; the texts alone do not tell, so each ends in a doubt."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from skill_evaluator.graders.translation.numbers import keys
from skill_evaluator.graders.translation.numbers.compounds import compounds
from skill_evaluator.graders.translation.numbers.keys import only_if, only_if_not
from skill_evaluator.graders.translation.numbers.remainder import Remainder
from skill_evaluator.graders.translation.numbers.sides import Side
from skill_evaluator.graders.translation.numbers.values import quotient, whole
from skill_evaluator.graders.translation.numbers.words import has_letters, spelled_values
from skill_evaluator.graders.translation.numbers.written import Written
from skill_evaluator.texts import tr

UNEQUAL: Final = tr("unequal by the usual meaning of the word beside it")  # the doubt that a reader has to see first
_OTHER_ORDER: Final = tr("the same digit groups in another order, as in a date")
_MINUS: Final = tr("equal but for a minus sign, which may be said in words")
_ZEROS: Final = tr("equal but for zeros before it, which count in a code")
_MULTIPLIED: Final = tr("equal if the word beside it multiplies it")
_NOT_MULTIPLIED: Final = tr("equal only if a word beside it does not multiply it")
_TWELVE_HOURS: Final = tr("twelve hours apart, as the two ways of telling time are")
_NUMERAL: Final = tr("the other text has a Han or Roman numeral of that value")
_FRACTION: Final = tr("equal if the two are a fraction")
_PARTS: Final = tr("equal if the words beside its parts multiply them")
_SHORT: Final = 3  # digits of a fraction's parts
_LONG: Final = 7  # digits: a telephone or card number may be parted anew, `3-5` may not become 35


def other_order(left: Remainder, source: Side, target: Side) -> None:
    """Doubt dates and versions with the same digit groups in another order; then pair group by group."""
    del source, target
    left.settle(only_if_not(keys.has_value, keys.by_list))
    left.settle(only_if_not(keys.has_value, keys.by_groups), why=_OTHER_ORDER)
    left.source = [*_pieces(left.source)]
    left.target = [*_pieces(left.target)]
    left.settle(keys.by_value_and_scale)


def minus_in_words(left: Remainder, source: Side, target: Side) -> None:
    """Doubt a minus sign that only one text has, where the other may say it in words."""
    if has_letters(target.text):
        left.settle(only_if(keys.is_negative, keys.by_size), only_if_not(keys.is_signed, keys.by_size), why=_MINUS)
    if has_letters(source.text):
        left.settle(only_if_not(keys.is_signed, keys.by_size), only_if(keys.is_negative, keys.by_size), why=_MINUS)


def leading_zeros(left: Remainder, source: Side, target: Side) -> None:
    """Doubt codes that lost or won zeros before them."""
    del source, target
    left.settle(only_if_not(keys.has_scale, keys.by_digits), why=_ZEROS)


def multiplied(left: Remainder, source: Side, target: Side) -> None:
    """Doubt numbers beside a word such as million or 万."""
    _doubt_compounds(left, source, target)
    left.settle(keys.by_value_multiplied, why=_MULTIPLIED)
    left.settle(keys.by_value, why=_NOT_MULTIPLIED)
    why = UNEQUAL
    left.settle(only_if(keys.has_scale, keys.by_nothing), keys.by_nothing, why=why)
    left.settle(keys.by_nothing, only_if(keys.has_scale, keys.by_nothing), why=why)
    left.doubt([one for one in left.source if one.scale], [one for one in left.target if one.scale], why)


def twelve_hours(left: Remainder, source: Side, target: Side) -> None:
    """Doubt an hour that differs by 12."""
    left.settle(keys.by_clock(source.text), keys.by_hour, why=_TWELVE_HOURS)
    left.settle(keys.by_hour, keys.by_clock(target.text), why=_TWELVE_HOURS)


def other_groups(left: Remainder, source: Side, target: Side) -> None:
    """Doubt digits that are parted otherwise: 07:30 and 7.30, 555-0100 and 5550100."""
    del source, target
    if len(left.source) == len(left.target):
        return
    ours, theirs = _digits(left.source), _digits(left.target)
    is_long = "".join(ours) == "".join(theirs) and sum(map(len, ours)) >= _LONG
    if is_long or Counter(map(whole, ours)) == Counter(map(whole, theirs)):
        left.doubt(left.source, left.target, tr("the same digits, parted otherwise"))


def spelled(left: Remainder, source: Side, target: Side) -> None:
    """Doubt numbers that the other text has as a Han or Roman numeral."""
    left.doubt(_spelled(left.source, target), _spelled(left.target, source), _NUMERAL)


def fractions(left: Remainder, source: Side, target: Side) -> None:
    """Doubt 1/2 that became 0.5, or the other way round."""
    parts = _quotients(left.source, source)
    left.doubt_each(
        [(parts[value].pop(), (one,)) for one in left.target for value in one.values if parts[value]], _FRACTION
    )
    parts = _quotients(left.target, target)
    left.doubt_each(
        [((one,), parts[value].pop()) for one in left.source for value in one.values if parts[value]], _FRACTION
    )


def odd_signs(left: Remainder, source: Side, target: Side) -> None:
    """Doubt all that is left beside a sign that is no digit: `1½` may be 1,5."""
    signs = {id(one) for one in (*source.signs, *target.signs)}
    if any(id(one) in signs for one in (*left.source, *left.target)):
        left.doubt(left.source, left.target, tr("beside a sign that is no digit, and may be part of the number"))


def _doubt_compounds(left: Remainder, source: Side, target: Side) -> None:
    """Doubt a number that is the sum of such numbers of the other text, one behind the other."""
    found = _matching(left.source, compounds(left.target, target.text.plain))
    left.doubt_wholes([((one,), parts) for one, parts in found], _PARTS)
    found = _matching(left.target, compounds(left.source, source.text.plain))
    left.doubt_wholes([(parts, (one,)) for one, parts in found], _PARTS)


def _matching(
    numbers: Sequence[Written], sums: Iterable[tuple[str, Sequence[Written]]]
) -> list[tuple[Written, Sequence[Written]]]:
    """Give each number with parts of its value, both at most once."""
    waiting: dict[str, list[Written]] = defaultdict(list)
    for one in reversed(numbers):
        if len(one.values) == 1:
            waiting[one.values[0]].append(one)
    return [(waiting[value].pop(), parts) for value, parts in sums if waiting.get(value)]


def _quotients(numbers: Sequence[Written], side: Side) -> dict[str, list[tuple[Written, Written]]]:
    """Give the numbers that stand as `1/2`, by what they are worth."""
    found: dict[str, list[tuple[Written, Written]]] = defaultdict(list)
    for one, other in pairwise(numbers):
        if side.text.plain[one.end : other.start] == "/" and max(len(one.run), len(other.run)) <= _SHORT:
            value = quotient(one.run, other.run)
            if value is not None:
                found[value].append((one, other))
    return found


def _pieces(numbers: Sequence[Written]) -> Iterator[Written]:
    for number in numbers:
        if number.values:
            yield number
        else:
            yield from number.pieces()


def _digits(numbers: Sequence[Written]) -> list[str]:
    return [group for number in numbers for group in number.groups]


def _spelled(numbers: Sequence[Written], other: Side) -> list[Written]:
    if not numbers:
        return []
    values = spelled_values(other.text)
    found: list[Written] = []
    for number in numbers:
        value = next((one for one in number.values if values[one] > 0), None)
        if value is not None:
            values[value] -= 1
            found.append(number)
    return found
