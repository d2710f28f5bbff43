"""Where many things stand, by their names: some 40 bytes for each, however long the name."""

from array import array
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final, NamedTuple

_DIGEST: Final = 16  # bytes; nobody finds two names with the same one
_FIRST_SLOTS: Final = 1024  # a power of two, as every later number of slots


def _slots(number: int) -> "array[int]":
    return array("I", bytes(array("I").itemsize * number))


class Place(NamedTuple):  # as quick to make as there are many
    """Where one thing stands.

    Attributes:
        line: 1-based.
        where: Offset of its line, or number of its file; below 2**64.
        mark: What else is kept of it, below 2**32.
    """

    line: int
    where: int = 0
    mark: int = 0


@dataclass(slots=True)
class PlaceIndex:
    """A hash table from names to places, in flat arrays: a dictionary would take five times as much.

    Places are numbered from 0 in the order added.
    """

    _digests: bytearray = field(default_factory=bytearray)
    _lines: "array[int]" = field(default_factory=lambda: array("I"))
    _wheres: "array[int]" = field(default_factory=lambda: array("Q"))
    _marks: "array[int]" = field(default_factory=lambda: array("I"))
    _table: "array[int]" = field(default_factory=lambda: _slots(_FIRST_SLOTS))  # number of a place plus 1; 0 is free

    def __len__(self) -> int:
        return len(self._lines)

    def __getitem__(self, number: int) -> Place:
        return Place(line=self._lines[number], where=self._wheres[number], mark=self._marks[number])

    def find(self, name: str) -> int | None:
        """Give the number of the place of a name, or None."""
        taken = self._table[self._slot(_digest(name))]
        return taken - 1 if taken else None

    def add(self, name: str, place: Place) -> int | None:
        """Add a place unless the name has one.

        Returns:
            The number of the place that the name has already, or None where this one was added.
        """
        digest = _digest(name)
        slot = self._slot(digest)
        if taken := self._table[slot]:
            return taken - 1
        self._digests += digest
        self._lines.append(place.line)
        self._wheres.append(place.where)
        self._marks.append(place.mark)
        self._table[slot] = len(self)
        if 2 * len(self) > len(self._table):
            self._grow()
        return None

    def _slot(self, digest: bytes) -> int:
        """Find the slot of a digest, or the free one where it belongs."""
        table, last = self._table, len(self._table) - 1
        slot = int.from_bytes(digest[:8], "little") & last
        while (taken := table[slot]) and self._digests[(taken - 1) * _DIGEST : taken * _DIGEST] != digest:
            slot = (slot + 1) & last
        return slot

    def _grow(self) -> None:
        self._table = _slots(2 * len(self._table))
        for number in range(len(self)):
            self._table[self._slot(bytes(self._digests[number * _DIGEST : (number + 1) * _DIGEST]))] = number + 1


def _digest(name: str) -> bytes:
    return blake2b(name.encode("utf-8", "surrogatepass"), digest_size=_DIGEST).digest()
