"""The `/pattern/flags` of `expect`: a small dialect of JavaScript's, and the longest text that one is tried on.

The dialect has no way to take long on a text that is short enough; what would need more than a fixed number of steps on
any text of use is refused.

Source: Suites recorded with Claude Code 2.1.332; the formula of the length was fitted to them from outside.
"""

import math
import re
from dataclasses import dataclass
from typing import Final

from skill_evaluator.formats.reasons import pattern_reason
from skill_evaluator.formats.suite.expect_atoms import Atoms, read_atoms
from skill_evaluator.texts import listed, tr

MAX_STEPS: Final = 25_000_000
MAX_UNITS: Final = 8192
MIN_UNITS: Final = 16  # a pattern that can be tried on less is refused

_WRITTEN: Final = re.compile(r"/(.+)/([a-z]*)", re.DOTALL)


@dataclass(frozen=True, kw_only=True, slots=True)
class ExpectPattern:
    """A pattern that an input is held against.

    Attributes:
        written: It as the author wrote it.
        body: The pattern without its slashes.
        flags: Any of `i` and `s`, each at most once.
        max_units: The longest text it is tried on, in UTF-16 code units.
    """

    written: str
    body: str
    flags: str
    max_units: int


def looks_like_pattern(text: str) -> bool:
    """Say whether a text of `expect` is a pattern and not meant as it stands.

    >>> [looks_like_pattern(text) for text in ("/x/i", "/x", "//", "/usr/local")]
    [True, False, False, True]
    """
    return _WRITTEN.fullmatch(text) is not None


def read_pattern(text: str) -> ExpectPattern | str:
    """Read a text that looks like a pattern.

    Args:
        text: It as the author wrote it, with its slashes.

    Returns:
        The pattern, or what is wrong with it and what to do, to go on after its place.
    """
    from skill_evaluator.graders.javascript import pattern_fault  # noqa: PLC0415 - loads an engine

    written = _WRITTEN.fullmatch(text)
    body, flags = (written[1], written[2]) if written else (text, "")
    if (fault := pattern_fault(body, flags)) is not None:
        return tr(
            "is no JavaScript regular expression ({fault}); mend it, or leave out one of the slashes "
            "around it if it is meant as it stands",
            fault=pattern_reason(fault),
        )
    if other := sorted(set(flags) - {"i", "s"}):
        return tr("has the flag {names}; only i and s are known here, so leave it out", names=listed(other))
    atoms = read_atoms(body)
    if isinstance(atoms, str):
        return atoms
    limit = _longest(atoms)
    if limit < MIN_UNITS:
        return tr(
            "repeats so much that it could only be tried on texts shorter than {limit} characters; use "
            "fewer or smaller repeats",
            limit=MIN_UNITS,
        )
    return ExpectPattern(written=text, body=body, flags=flags, max_units=limit)


def _longest(atoms: Atoms) -> int:
    """Find the largest number of units that takes no more than `MAX_STEPS`."""
    low, high = 0, MAX_UNITS
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if _steps(atoms, middle) <= MAX_STEPS else (low, middle - 1)
    return low


def _steps(atoms: Atoms, units: int) -> float:
    if atoms.unbounded > MAX_UNITS:
        return math.inf
    splits = math.comb(units + atoms.unbounded, atoms.unbounded) * atoms.choices
    starts = 1 if atoms.anchored else units
    return splits * (units + atoms.length) * starts // 2
