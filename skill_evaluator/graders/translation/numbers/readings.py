"""The way of reading numbers again by another convention than that of their locale."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from skill_evaluator.graders.translation.numbers import keys
from skill_evaluator.graders.translation.numbers.conventions import ANY, convention_of
from skill_evaluator.graders.translation.numbers.remainder import Remainder, paired
from skill_evaluator.graders.translation.numbers.sides import Side
from skill_evaluator.graders.translation.numbers.written import Written
from skill_evaluator.texts import tr

_NEITHER: Final = tr("equal only if read as neither locale writes numbers")


def other_convention(left: Remainder, source: Side, target: Side) -> None:
    """Doubt numbers that agree only where one of them is read by another convention than its locale's.

    A translation may have kept the form of its source. The source itself is read otherwise only where its own locale
    makes nothing of it: `1.500` in German that became 1.5 in English is a fault that has to be found.
    """
    ours, theirs = (convention_of(side.locale, spaced=True) for side in (source, target))
    why = tr("equal only if read as {locale} writes numbers, or with spaces between groups", locale=source.locale)
    _doubt_read(left, left.source, target.read_again(left.target, ours), why)
    _doubt_read(left, source.read_again(left.source, ours), left.target, why)
    why = tr("equal only if read as {locale} writes numbers, or with spaces between groups", locale=target.locale)
    _doubt_read(left, left.source, target.read_again(left.target, theirs), why)
    _doubt_read(left, source.read_unread(left.source, theirs), left.target, why)
    _doubt_read(left, source.read_unread(left.source, ANY), target.read_unread(left.target, ANY), _NEITHER)


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
