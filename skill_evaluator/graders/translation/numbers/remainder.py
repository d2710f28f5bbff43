"""What is left of the numbers of two texts while one way after the other is tried to pair them."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from skill_evaluator.graders.translation.numbers.written import Written

Keys = Callable[[Written], Iterable[Hashable]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Doubt:
    """Numbers of which the texts alone do not say whether they kept their value.

    Attributes:
        why: In words.
        source: In the source as written, with a word that multiplies it, or None.
        target: In the translation, likewise.
    """

    why: str
    source: str | None
    target: str | None


@dataclass(kw_only=True, slots=True)
class Remainder:
    """Numbers that have no equal yet; the only thing here that changes.

    Attributes:
        source: Of the source, in order.
        target: Of the translation, in order.
        doubts: What was found out about those that are gone without being the same for sure.
    """

    source: list[Written]
    target: list[Written]
    doubts: list[Doubt] = field(default_factory=list)

    def __bool__(self) -> bool:
        """Say whether anything is left."""
        return bool(self.source or self.target)

    def settle(self, source: Keys, target: Keys | None = None, *, why: str | None = None) -> None:
        """Take out numbers of both sides, one for one, that have a key in common.

        Args:
            source: The keys of a number of the source; one without key stays.
            target: Of the translation, or None for the same.
            why: What is in doubt about them, or None where they are the same.
        """
        pairs = paired(self.source, self.target, source, target or source)
        if why is None:
            self._take(one for pair in pairs for one in pair)
        else:
            self.doubt_each([((one,), (other,)) for one, other in pairs], why)

    def doubt(self, source: Sequence[Written], target: Sequence[Written], why: str) -> None:
        """Take out these very numbers, in doubt."""
        self.doubt_each([(source, target)], why)

    def doubt_wholes(self, groups: Sequence[tuple[Sequence[Written], Sequence[Written]]], why: str) -> None:
        """Take out numbers that are the parts of one on either side, in one doubt for each group."""
        for source, target in groups:
            ours, theirs = ("".join(one.with_word for one in side) for side in (source, target))
            self.doubts.append(Doubt(why=why, source=ours, target=theirs))
        self._take(one for group in groups for side in group for one in side)

    def doubt_each(self, groups: Sequence[tuple[Sequence[Written], Sequence[Written]]], why: str) -> None:
        """Take out numbers that stand for each other, group by group, in doubt."""
        for source, target in groups:
            both = zip_longest((one.with_word for one in source), (one.with_word for one in target))
            self.doubts += [Doubt(why=why, source=one, target=other) for one, other in both]
        self._take(one for group in groups for side in group for one in side)

    def _take(self, numbers: Iterable[Written]) -> None:
        gone = {id(one) for one in numbers}
        if not gone:
            return
        self.source = [one for one in self.source if id(one) not in gone]
        self.target = [one for one in self.target if id(one) not in gone]


def paired(
    source: Iterable[Written], target: Iterable[Written], of_source: Keys, of_target: Keys
) -> list[tuple[Written, Written]]:
    """Pair numbers that have a key in common, each at most once, the first with the first."""
    places: dict[Hashable, list[Written]] = defaultdict(list)
    for other in reversed([*target]):
        for key in of_target(other):
            places[key].append(other)
    taken: set[int] = set()
    pairs: list[tuple[Written, Written]] = []
    for one in source:
        partner = _next(places, of_source(one), taken)
        if partner is not None:
            taken.add(id(partner))
            pairs.append((one, partner))
    return pairs


def _next(places: dict[Hashable, list[Written]], keys: Iterable[Hashable], taken: set[int]) -> Written | None:
    for key in keys:
        waiting = places.get(key, [])
        while waiting:
            partner = waiting.pop()
            if id(partner) not in taken:
                return partner
    return None
