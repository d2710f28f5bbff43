"""Globs of suites: `*`, `**` and `?`; every other character stands for itself.

A path is read once, with all places of the glob that it may have reached as the bits of one number, so that no glob
takes longer than another of its length.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

_PIECE = re.compile(r"(?:\*\*/)+|\*{2,}|\*|\?|[^*?]", re.DOTALL)


def glob_matches(glob: str, path: str) -> bool:
    """Say whether a glob means a path.

    `*` stands for any characters but `/`, `**` for any at all, `**/` also for nothing, `?` for one of any kind. Case
    counts; a leading dot is like any other character.

    Args:
        glob: The glob.
        path: A path relative to the workspace, POSIX style.

    Source:
        Suites recorded with Claude Code 2.1.332.
    """
    if "*" not in glob and "?" not in glob:
        return glob == path
    compiled = _compiled(glob)
    places = compiled.opened(1)
    for char in path:
        others = compiled.stays_inside if char == "/" else compiled.stays
        moved = places & (compiled.takes.get(char, 0) | compiled.takes_any)
        places = compiled.opened((places & others) | moved << 1)
        if not places:
            return False
    return bool(places & compiled.end)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Glob:
    """Bit n of each number is the place before piece n.

    Attributes:
        takes: Places that the character leads on from.
        takes_any: Places that any character leads on from.
        stays: Places that a character other than `/` leaves as they are.
        stays_inside: Places that a `/` leaves as they are.
        skips: Places that lead on without a character: a star may stand for nothing.
        skips_two: Places before `**/`, which counts as two pieces and may stand for nothing.
        end: The place behind the last piece.
    """

    takes: Mapping[str, int]
    takes_any: int
    stays: int
    stays_inside: int
    skips: int
    skips_two: int
    end: int

    def opened(self, places: int) -> int:
        """Add the places that are reached without a character."""
        while True:
            more = places | (places & self.skips) << 1 | (places & self.skips_two) << 2
            if more == places:
                return places
            places = more


@lru_cache(maxsize=64)
def _compiled(glob: str) -> _Glob:
    takes: defaultdict[str, int] = defaultdict(int)
    takes_any = stays = stays_inside = skips = skips_two = 0
    place = 1
    for piece in _PIECE.findall(glob):
        match piece[:2], piece[-1]:
            case "**", "/":
                skips, skips_two = skips | place, skips_two | place
                place <<= 1
                stays, stays_inside = stays | place, stays_inside | place
                takes["/"] |= place
            case "**", _:
                stays, stays_inside, skips = stays | place, stays_inside | place, skips | place
            case "*", _:
                stays, skips = stays | place, skips | place
            case "?", _:
                takes_any |= place
            case _:
                takes[piece] |= place
        place <<= 1
    return _Glob(
        takes=takes,
        takes_any=takes_any,
        stays=stays,
        stays_inside=stays_inside,
        skips=skips,
        skips_two=skips_two,
        end=place,
    )
