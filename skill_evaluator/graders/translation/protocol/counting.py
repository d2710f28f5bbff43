"""Which items are missing, and which are too many."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import islice

from skill_evaluator.graders.translation.protocol.faults import SHOWN
from skill_evaluator.graders.translation.protocol.found import Found, Name


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """The items that are not as expected.

    Attributes:
        missing: How many there should be besides.
        extra: How many there should not be.
        missing_names: The first of their numbers, where items are numbered.
        extra_names: The first of their ids or numbers, likewise.
    """

    missing: int = 0
    extra: int = 0
    missing_names: tuple[Name, ...] = ()
    extra_names: tuple[Name, ...] = ()


def difference(found: Found, expected: int | None) -> Difference:
    """Compare the items of a response with how many there should be.

    Args:
        found: The items.
        expected: How many, or None: then gaps in a numbered list are missing items, and a response without any is one.

    Returns:
        The difference; none where the response breaks so that nobody can count.
    """
    if not found.is_count_known:
        return Difference()
    numbers = [name for name in found.names if isinstance(name, int)]
    whole = len(numbers) == len(found.names) > 0
    first = _first(found, numbers, expected) if whole else None
    if expected is None and found.is_numbered and numbers:
        wanted = range(min(numbers) if first is None else first, max(numbers) + 1)
        return replace(_by_number(numbers, wanted, found.unnamed), extra=0)
    if expected is None:
        return Difference(missing=0 if found.count or found.may_be_empty else 1)
    if first is not None:
        return _by_number(numbers, range(first, first + expected), found.unnamed)
    count = len(found.names) + found.unnamed if found.names else found.count
    return Difference(missing=max(expected - count, 0), extra=max(count - expected, 0))


def _first(found: Found, numbers: Sequence[int], expected: int | None) -> int | None:
    """Give the number that items are counted from, or None where they are names rather than counts.

    Items count from 0 where there is an item 0, and from 1 where there is an item 1 or no number too high for that.
    """
    if 0 in numbers:
        return 0
    if 1 in numbers or (expected is not None and min(numbers) > 0 and max(numbers) <= expected):
        return 1
    return min(numbers) if found.is_numbered else None


def _by_number(numbers: Sequence[int], wanted: range, unnamed: int) -> Difference:
    """Compare numbers that each stand once; an item without one may be any of those that are not there."""
    present = frozenset(numbers)
    outside = [number for number in numbers if number not in wanted]
    absent = len(wanted) - (len(numbers) - len(outside))
    return Difference(
        missing=max(absent - unnamed, 0),
        extra=len(outside) + max(unnamed - absent, 0),
        missing_names=() if unnamed else tuple(islice(_absent(wanted, present), min(SHOWN, absent))),
        extra_names=tuple(outside[:SHOWN]),
    )


def _absent(wanted: range, present: AbstractSet[int]) -> Iterator[int]:
    return (number for number in wanted if number not in present)
