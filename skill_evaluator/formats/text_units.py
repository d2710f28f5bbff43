"""Requests as words and as character shingles, for telling that two of them are much the same."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Final

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
    return any(first <= word <= last for first, last in _UNSPACED)


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
    joined = "".join(
        part if _is_unspaced(part) and _is_unspaced(before) else f" {part}" for before, part in pairwise(["", *parts])
    ).lstrip()
    return frozenset(joined[at : at + size] for at in range(max(1, len(joined) - size + 1)))


def closest(
    texts: Mapping[str, frozenset[str]], others: Mapping[str, frozenset[str]], *, at_least: float
) -> Iterator[tuple[str, str, float]]:
    """Find for each text the other one that shares most pieces with it.

    Args:
        texts: Pieces by name.
        others: The same, to be compared with.
        at_least: Smallest Jaccard index (shared pieces / all pieces) that counts, above 0.

    Yields:
        Name, name of the closest other, and their index, in the order of `texts`.

    Source:
        Prefix filtering: Chaudhuri, Ganti, Kaushik (2006), "A primitive operator for similarity joins", ICDE. Two
        sets that similar share a piece among the rarest few of each, so most pairs are never compared.
    """
    rarity: dict[str, int] = defaultdict(int)
    for pieces in (*texts.values(), *others.values()):
        for piece in pieces:
            rarity[piece] += 1

    def rarest(pieces: frozenset[str]) -> list[str]:
        keep = len(pieces) - int(-(-at_least * len(pieces) // 1)) + 1
        return sorted(pieces, key=lambda piece: (rarity[piece], piece))[:keep]

    index: dict[str, list[str]] = defaultdict(list)
    for name, pieces in others.items():
        for piece in rarest(pieces):
            index[piece].append(name)
    for name, pieces in texts.items():
        candidates = dict.fromkeys(other for piece in rarest(pieces) for other in index[piece])
        scored = [(_jaccard(pieces, others[other]), other) for other in candidates]
        best = max(scored, key=lambda pair: pair[0], default=(0.0, ""))
        if best[0] >= at_least:
            yield name, best[1], best[0]


def _jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    shared = len(left & right)
    return shared / (len(left) + len(right) - shared)
