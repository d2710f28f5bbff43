"""How much one set shares with each of many others, counted for all of them at once.

A whole number holds one bit for each of the others, so that a few operations on such numbers count for thousands of
sets; requests made from one template, which all share most of their pieces, stay quick that way.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

_FEW: Final = (
    64  # bits of a rarer piece are put together when asked for: kept for each piece, they would fill the memory
)


class Overlaps:
    """Many sets, ready to be compared with one."""

    def __init__(self, others: Sequence[frozenset[str]]) -> None:
        places: dict[str, list[int]] = defaultdict(list)
        sizes: dict[int, list[int]] = defaultdict(list)
        for index, pieces in enumerate(others):
            sizes[len(pieces)].append(index)
            for piece in pieces:
                places[piece].append(index)
        few = min(_FEW, len(others) // _FEW)  # a shorter list of places takes less room than its bits
        self._few = {piece: found for piece, found in places.items() if len(found) <= few}
        self._many = {piece: _bits(found) for piece, found in places.items() if len(found) > few}
        self._sizes = {size: _bits(found) for size, found in sizes.items()}

    def closest(self, pieces: frozenset[str], at_least: float) -> tuple[int, float] | None:
        """Find the set that shares most.

        Args:
            pieces: What to compare; not empty.
            at_least: Smallest Jaccard index that counts, above 0.

        Returns:
            Index of the first of the closest sets and its Jaccard index, or None where none is close enough.
        """
        planes = self._count(pieces)
        found = []
        for size, members in self._sizes.items():
            if min(size, len(pieces)) / max(size, len(pieces)) >= at_least:
                shared, closest = _largest(planes, members)
                found.append((shared / (size + len(pieces) - shared), -_lowest(closest)))
        share, index = max(found, default=(0.0, 0))
        return (-index, share) if share >= at_least else None

    def _count(self, pieces: frozenset[str]) -> list[int]:
        """Give the numbers of shared pieces in binary: the bits of weight 1, of weight 2, of weight 4 ..."""
        found = (self._many.get(piece) or _bits(self._few.get(piece, ())) for piece in pieces)
        waiting = [bits for bits in found if bits]
        planes = []
        while waiting:
            plane, waiting = _added(waiting)
            planes.append(plane)
        return planes


def _added(waiting: list[int]) -> tuple[int, list[int]]:
    """Add bits of one weight: what stays at this weight, and what goes on to the next.

    Three become two at a time, a full adder for each column, so that no carry has to run through all weights.
    """
    carries = []
    while len(waiting) > 2:  # noqa: PLR2004 - a full adder takes three
        one, other, third = waiting.pop(), waiting.pop(), waiting.pop()
        either = one ^ other
        waiting.append(either ^ third)
        carries.append(one & other | either & third)
    plane = waiting.pop()
    if waiting:
        carries.append(plane & waiting[0])
        plane ^= waiting[0]
    return plane, [carry for carry in carries if carry]


def _bits(indexes: Iterable[int]) -> int:
    bits = 0
    for index in indexes:
        bits |= 1 << index
    return bits


def _largest(planes: Sequence[int], members: int) -> tuple[int, int]:
    """Give the largest number among some members, and those that have it."""
    largest = 0
    for weight in reversed(range(len(planes))):
        having = members & planes[weight]
        if having:
            members, largest = having, largest | 1 << weight
    return largest, members


def _lowest(bits: int) -> int:
    return (bits & -bits).bit_length() - 1
