"""Numbers that are written in parts, each with its own word: `1万5千`, `2億3000万`."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from skill_evaluator.graders.translation.numbers.written import Written

_MOST_DIGITS: Final = 20  # of one part
_NO_GAP: Final = frozenset({"", " ", "\xa0"})


def compounds(numbers: Sequence[Written], plain: str) -> Iterator[tuple[str, Sequence[Written]]]:
    """Give the value of each such number by the usual meaning of its words, with its parts.

    Args:
        numbers: Of a text, in order.
        plain: The text, ready.
    """
    parts: list[Written] = []
    for one in numbers:
        if parts and not _goes_on(parts[-1], one, plain):
            yield from _whole(parts)
            parts = []
        parts.append(one)
    yield from _whole(parts)


def _whole(parts: list[Written]) -> Iterator[tuple[str, Sequence[Written]]]:
    if len(parts) > 1:
        yield _sum(parts), parts


def _goes_on(one: Written, following: Written, plain: str) -> bool:
    if one.scale is None or one.scale.is_before or not (_is_short(one) and _is_short(following)):
        return False
    is_smaller = following.scale is None or following.scale.power < one.scale.power
    return is_smaller and plain[one.end + len(one.scale.word) : following.start] in _NO_GAP


def _is_short(one: Written) -> bool:
    return bool(one.values) and len(one.values[0]) <= _MOST_DIGITS and not one.values[0].startswith("-")


def _sum(parts: Sequence[Written]) -> str:
    total = sum(Decimal(one.values[0]).scaleb(one.scale.power if one.scale else 0) for one in parts)
    return format(Decimal(total).normalize(), "f")
