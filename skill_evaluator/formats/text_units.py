"""Requests as words and as character shingles, for telling that two of them are much the same."""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, groupby, pairwise
from typing import Final

from skill_evaluator.formats.overlaps import Overlaps

_ROUNDING: Final = 1e-9  # a product such as 0.07 * 100 may come out just above the whole number
_RUN: Final = re.compile(r"[^\W_]+")
# Scripts written without blanks, where every character is taken for a word: kana and Chinese characters.
_UNSPACED: Final = (("\u3040", "\u30ff"), ("\u3400", "\u4dbf"), ("\u4e00", "\u9fff"), ("\uf900", "\ufaff"))


def words(text: str) -> tuple[str, ...]:
    """Cut a text into words, case and width and punctuation aside.

    >>> words("Make PDF-文件，please!")
    ('make', 'pdf', '文', '件', 'please')
    """
    runs = _RUN.findall(unicodedata.normalize("NFKC", text).casefold())
    return tuple(word for run in runs for word in ([run] if run.isascii() else _parted(run)))


def _parted(run: str) -> Iterator[str]:
    for unspaced, group in groupby(run, _is_unspaced):
        chars = list(group)
        yield from chars if unspaced else ["".join(chars)]


def _is_unspaced(word: str) -> bool:
    return not word.isascii() and any(first <= word <= last for first, last in _UNSPACED)


def holds_words(text: Sequence[str], wanted: Sequence[str]) -> bool:
    """Say whether the words stand in the text, one after the other."""
    return f" {' '.join(wanted)} " in f" {' '.join(text)} "


def weight(wanted: Sequence[str]) -> int:
    """Count characters, one of an unspaced script as two: how much a short text says."""
    return sum(2 if _is_unspaced(word) else len(word) for word in wanted)


def shingles(text: str) -> frozenset[str]:
    """Cut a text into overlapping pieces: three characters, two where most are of an unspaced script.

    Args:
        text: Any text.

    Returns:
        The pieces of its words joined by single blanks; a shorter text is one piece.
    """
    parts = words(text)
    size = 2 if 2 * sum(map(_is_unspaced, parts)) > len(parts) else 3
    joined = _joined(parts)
    if len(joined) <= size:
        return frozenset([joined])
    return frozenset(map("".join, zip(*(joined[start:] for start in range(size)), strict=False)))


def _joined(parts: Sequence[str]) -> str:
    """Put words together as they are written: a blank between them, none between characters of unspaced scripts."""
    if all(map(str.isascii, parts)):
        return " ".join(parts)
    return "".join(
        part if _is_unspaced(part) and _is_unspaced(before) else f" {part}" for before, part in pairwise(["", *parts])
    ).lstrip()


def closest(
    texts: Mapping[str, frozenset[str]], others: Mapping[str, frozenset[str]], *, at_least: float
) -> Iterator[tuple[str, str, float]]:
    """Find for each text the other one that shares most pieces with it.

    Args:
        texts: Pieces by name.
        others: The same, to be compared with.
        at_least: Smallest Jaccard index (shared pieces / all pieces) that counts, above 0.

    Yields:
        Name, name of the closest other (the first of equals), and their index, in the order of `texts`.

    Source:
        Prefix filtering: Chaudhuri, Ganti, Kaushik (2006), "A primitive operator for similarity joins", ICDE. Two
        sets that similar share a piece among the rarest few of each, so most pairs are never compared.
    """
    rarity = Counter(chain.from_iterable((*texts.values(), *others.values())))
    rank = {piece: place for place, piece in enumerate(sorted(rarity, key=lambda piece: (rarity[piece], piece)))}

    def rarest(pieces: frozenset[str]) -> list[str]:
        keep = len(pieces) - math.ceil(at_least * len(pieces) - _ROUNDING) + 1
        return sorted(pieces, key=rank.__getitem__)[:keep]

    starts = {piece for pieces in others.values() for piece in rarest(pieces)}
    overlaps = Overlaps(list(others.values()))
    names = list(others)
    for name, pieces in texts.items():
        if not starts.isdisjoint(rarest(pieces)) and (best := overlaps.closest(pieces, at_least)):
            yield name, names[best[0]], best[1]
