"""The ways in which a number may keep its value though the two texts write it unlike, the surest first.

Each takes out of the remainder what it explains. What it cannot be sure of becomes a doubt.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from skill_evaluator.graders.translation.numbers import keys
from skill_evaluator.graders.translation.numbers.compounds import compounds
from skill_evaluator.graders.translation.numbers.conventions import ANY, convention_of
from skill_evaluator.graders.translation.numbers.keys import only_if, only_if_not
from skill_evaluator.graders.translation.numbers.remainder import Remainder, paired
from skill_evaluator.graders.translation.numbers.sides import Side
from skill_evaluator.graders.translation.numbers.values import quotient, whole
from skill_evaluator.graders.translation.numbers.words import has_letters, spelled_values
from skill_evaluator.graders.translation.numbers.written import Written

Way = Callable[[Remainder, Side, Side], None]
UNEQUAL: Final = "unequal by the usual meaning of the word beside it"  # the doubt that a reader has to see first
_SHORT: Final = 3  # digits of a fraction's parts
_LONG: Final = 7  # digits: a telephone or card number may be parted anew, `3-5` may not become 35


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


def other_convention(left: Remainder, source: Side, target: Side) -> None:
    """Doubt numbers that agree only where one of them is read by another convention than its locale's.

    A translation may have kept the form of its source. The source itself is read otherwise only where its own locale
    makes nothing of it: `1.500` in German that became 1.5 in English is a fault that has to be found.
    """
    ours, theirs = (convention_of(side.locale, spaced=True) for side in (source, target))
    why = f"equal only if read as {source.locale} writes numbers, or with spaces between groups"
    _doubt_read(left, left.source, target.read_again(left.target, ours), why)
    _doubt_read(left, source.read_again(left.source, ours), left.target, why)
    why = f"equal only if read as {target.locale} writes numbers, or with spaces between groups"
    _doubt_read(left, left.source, target.read_again(left.target, theirs), why)
    _doubt_read(left, source.read_unread(left.source, theirs), left.target, why)
    why = "equal only if read as neither locale writes numbers"
    _doubt_read(left, source.read_unread(left.source, ANY), target.read_unread(left.target, ANY), why)


def other_order(left: Remainder, source: Side, target: Side) -> None:
    """Doubt dates and versions with the same digit groups in another order; then pair group by group."""
    del source, target
    why = "the same digit groups in another order, as in a date"
    left.settle(only_if_not(keys.has_value, keys.by_list))
    left.settle(only_if_not(keys.has_value, keys.by_groups), why=why)
    left.source = [*_pieces(left.source)]
    left.target = [*_pieces(left.target)]
    left.settle(keys.by_value_and_scale)


def minus_in_words(left: Remainder, source: Side, target: Side) -> None:
    """Doubt a minus sign that only one text has, where the other may say it in words."""
    why = "equal but for a minus sign, which may be said in words"
    if has_letters(target.text):
        left.settle(only_if(keys.is_negative, keys.by_size), only_if_not(keys.is_signed, keys.by_size), why=why)
    if has_letters(source.text):
        left.settle(only_if_not(keys.is_signed, keys.by_size), only_if(keys.is_negative, keys.by_size), why=why)


def leading_zeros(left: Remainder, source: Side, target: Side) -> None:
    """Doubt codes that lost or won zeros before them."""
    del source, target
    left.settle(only_if_not(keys.has_scale, keys.by_digits), why="equal but for zeros before it, which count in a code")


def multiplied(left: Remainder, source: Side, target: Side) -> None:
    """Doubt numbers beside a word such as million or 万."""
    _doubt_compounds(left, source, target)
    left.settle(keys.by_value_multiplied, why="equal if the word beside it multiplies it")
    left.settle(keys.by_value, why="equal only if a word beside it does not multiply it")
    why = UNEQUAL
    left.settle(only_if(keys.has_scale, keys.by_nothing), keys.by_nothing, why=why)
    left.settle(keys.by_nothing, only_if(keys.has_scale, keys.by_nothing), why=why)
    left.doubt([one for one in left.source if one.scale], [one for one in left.target if one.scale], why)


def twelve_hours(left: Remainder, source: Side, target: Side) -> None:
    """Doubt an hour that differs by 12."""
    why = "twelve hours apart, as the two ways of telling time are"
    left.settle(keys.by_clock(source.text), keys.by_hour, why=why)
    left.settle(keys.by_hour, keys.by_clock(target.text), why=why)


def other_groups(left: Remainder, source: Side, target: Side) -> None:
    """Doubt digits that are parted otherwise: 07:30 and 7.30, 555-0100 and 5550100."""
    del source, target
    if len(left.source) == len(left.target):
        return
    ours, theirs = _digits(left.source), _digits(left.target)
    is_long = "".join(ours) == "".join(theirs) and sum(map(len, ours)) >= _LONG
    if is_long or Counter(map(whole, ours)) == Counter(map(whole, theirs)):
        left.doubt(left.source, left.target, "the same digits, parted otherwise")


def spelled(left: Remainder, source: Side, target: Side) -> None:
    """Doubt numbers that the other text has as a Han or Roman numeral."""
    why = "the other text has a Han or Roman numeral of that value"
    left.doubt(_spelled(left.source, target), _spelled(left.target, source), why)


def fractions(left: Remainder, source: Side, target: Side) -> None:
    """Doubt 1/2 that became 0.5, or the other way round."""
    why = "equal if the two are a fraction"
    parts = _quotients(left.source, source)
    left.doubt_each([(parts[value].pop(), (one,)) for one in left.target for value in one.values if parts[value]], why)
    parts = _quotients(left.target, target)
    left.doubt_each([((one,), parts[value].pop()) for one in left.source for value in one.values if parts[value]], why)


def odd_signs(left: Remainder, source: Side, target: Side) -> None:
    """Doubt all that is left beside a sign that is no digit: `1½` may be 1,5."""
    signs = {id(one) for one in (*source.signs, *target.signs)}
    if any(id(one) in signs for one in (*left.source, *left.target)):
        left.doubt(left.source, left.target, "beside a sign that is no digit, and may be part of the number")


WAYS: Final[Sequence[Way]] = (
    same_value,
    same_sign,
    same_name,
    other_convention,
    other_order,
    minus_in_words,
    leading_zeros,
    multiplied,
    twelve_hours,
    other_groups,
    spelled,
    fractions,
    odd_signs,
)


def try_ways(left: Remainder, source: Side, target: Side) -> None:
    """Try one way after the other, until nothing is left."""
    for way in WAYS:
        way(left, source, target)
        if not left and way is not WAYS[0]:
            break


def _doubt_compounds(left: Remainder, source: Side, target: Side) -> None:
    """Doubt a number that is the sum of such numbers of the other text, one behind the other."""
    why = "equal if the words beside its parts multiply them"
    found = _matching(left.source, compounds(left.target, target.text.plain))
    left.doubt_wholes([((one,), parts) for one, parts in found], why)
    found = _matching(left.target, compounds(left.source, source.text.plain))
    left.doubt_wholes([(parts, (one,)) for one, parts in found], why)


def _matching(
    numbers: Sequence[Written], sums: Iterable[tuple[str, Sequence[Written]]]
) -> list[tuple[Written, Sequence[Written]]]:
    """Give each number with parts of its value, both at most once."""
    waiting: dict[str, list[Written]] = defaultdict(list)
    for one in reversed(numbers):
        if len(one.values) == 1:
            waiting[one.values[0]].append(one)
    return [(waiting[value].pop(), parts) for value, parts in sums if waiting.get(value)]


def _doubt_read(left: Remainder, source: Sequence[Written], target: Sequence[Written], why: str) -> None:
    """Doubt pairs of numbers that were read again: each stands for those that are written in its place."""
    pairs = paired(source, target, keys.by_value_and_scale, keys.by_value_and_scale)
    ours, theirs = _Places(left.source), _Places(left.target)
    left.doubt_each([(ours.within(one), theirs.within(other)) for one, other in pairs], why)


class _Places:
    """Numbers by the place where they stand."""

    def __init__(self, numbers: Sequence[Written]) -> None:
        self._numbers = sorted(numbers, key=_start)

    def within(self, read: Written) -> list[Written]:
        """Give those that stand where a number was read again."""
        first = bisect_left(self._numbers, read.start, key=_start)
        return self._numbers[first : bisect_left(self._numbers, read.end, key=_start)]


def _start(number: Written) -> int:
    return number.start


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
