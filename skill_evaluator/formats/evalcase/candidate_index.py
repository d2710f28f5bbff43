"""Where each candidate stands in its file: about 40 bytes a candidate, whatever it says."""

from array import array
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final

_DIGEST: Final = 16  # bytes; nobody finds two ids with the same one
_FIRST_SLOTS: Final = 1024  # a power of two, as every later number of slots


def _no_slots() -> "array[int]":
    return array("I", bytes(array("I").itemsize * _FIRST_SLOTS))


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """Where one candidate stands.

    Attributes:
        offset: Of the first byte of its line.
        line: 1-based.
        checksum: Of the bytes of its line.
    """

    offset: int
    line: int
    checksum: int


@dataclass(slots=True)
class CandidateIndex:
    """A hash table from ids to rows, in flat arrays: a dictionary would take four times as much.

    Rows are numbered from 0 in the order added.
    """

    _digests: bytearray = field(default_factory=bytearray)
    _offsets: "array[int]" = field(default_factory=lambda: array("Q"))
    _lines: "array[int]" = field(default_factory=lambda: array("I"))
    _checksums: "array[int]" = field(default_factory=lambda: array("I"))
    _slots: "array[int]" = field(default_factory=_no_slots)  # number of a row plus 1; 0 is free

    def __len__(self) -> int:
        return len(self._offsets)

    def __getitem__(self, number: int) -> Row:
        return Row(offset=self._offsets[number], line=self._lines[number], checksum=self._checksums[number])

    def find(self, case_id: str) -> int | None:
        """Give the number of the row of an id, or None."""
        taken = self._slots[self._slot(_digest(case_id))]
        return taken - 1 if taken else None

    def add(self, case_id: str, row: Row) -> int | None:
        """Add a row unless the id is there.

        Returns:
            The number of the row that has the id already, or None where this one was added.
        """
        digest = _digest(case_id)
        slot = self._slot(digest)
        if self._slots[slot]:
            return self._slots[slot] - 1
        self._digests += digest
        self._offsets.append(row.offset)
        self._lines.append(row.line)
        self._checksums.append(row.checksum)
        self._slots[slot] = len(self)
        if 2 * len(self) > len(self._slots):
            self._grow()
        return None

    def _slot(self, digest: bytes) -> int:
        """Find the slot of a digest, or the free one where it belongs."""
        slots, last = self._slots, len(self._slots) - 1
        slot = int.from_bytes(digest[:8], "little") & last
        while (taken := slots[slot]) and self._digests[(taken - 1) * _DIGEST : taken * _DIGEST] != digest:
            slot = (slot + 1) & last
        return slot

    def _grow(self) -> None:
        self._slots = array("I", bytes(2 * self._slots.itemsize * len(self._slots)))
        for number in range(len(self)):
            self._slots[self._slot(bytes(self._digests[number * _DIGEST : (number + 1) * _DIGEST]))] = number + 1


def _digest(case_id: str) -> bytes:
    return blake2b(case_id.encode("utf-8", "surrogatepass"), digest_size=_DIGEST).digest()
