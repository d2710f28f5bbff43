"""Text as it is compared: one shape for every way to write a letter, and the way back to where it stood."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from unicodedata import normalize

import regex

_LONG = 32  # marks on one letter; more is no writing, and sorting them takes time that grows with their square
_CLUSTER = regex.compile(r"\P{M}\p{M}*+|\p{M}++")
# What shows nothing: zero-width characters, joiners, marks of direction; and accents that are part of no letter.
_UNSEEN = regex.compile(r"[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Mn}]+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Folded:
    """A text and where each of its characters came from.

    Attributes:
        text: Compatibility letters (full-width and the like) as plain ones, what shows nothing left out.
        starts: By character of `text`: where its origin starts; None where nothing was changed.
        ends: The same for where it ends.
    """

    text: str
    starts: Sequence[int] | None = None
    ends: Sequence[int] | None = None

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Give the place in the text before folding of a stretch that is not empty."""
        if self.starts is None or self.ends is None:
            return start, end
        return self.starts[start], self.ends[end - 1]


def fold(text: str) -> Folded:
    """Bring a text into one shape, in time that grows with its length alone."""
    if text.isascii():
        return Folded(text=text)
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for cluster in _CLUSTER.finditer(text):
        piece = _fold(cluster[0][:_LONG])
        pieces.append(piece)
        starts += [cluster.start()] * len(piece)
        ends += [cluster.end()] * len(piece)
    return Folded(text="".join(pieces), starts=starts, ends=ends)


@lru_cache(maxsize=16_384)
def _fold(cluster: str) -> str:
    return cluster if cluster.isascii() else str(_UNSEEN.sub("", normalize("NFKC", cluster)))
