"""The `/pattern/flags` of `expect`: a small dialect of JavaScript's, and the longest text that one is tried on.

The dialect has no way to take long on a text that is short enough; what would need more than a fixed number of steps on
any text of use is refused.

Source: Suites recorded with Claude Code 2.1.332; the formula of the length was fitted to them from outside.
"""

import math
import re
from dataclasses import dataclass, field
from typing import Final

MAX_STEPS: Final = 25_000_000
MAX_UNITS: Final = 8192
MIN_UNITS: Final = 16  # a pattern that can be tried on less is refused

_WRITTEN: Final = re.compile(r"/(.+)/([a-z]*)", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\.", re.DOTALL)  # \x41 counts as three
_CLASS: Final = re.compile(r"\[(?:\\.|[^\\\]])*\]", re.DOTALL)
_QUANTIFIER: Final = re.compile(r"([*+?]|\{(?P<least>\d+)(?P<comma>,(?P<most>\d*))?\})\??", re.ASCII)
_BEYOND: Final = 10**10  # stands for any number of more digits


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
        return (
            f"is no JavaScript regular expression ({fault}); mend it, or leave out one of the slashes around it if it"
            " is meant as it stands"
        )
    if other := sorted(set(flags) - {"i", "s"}):
        return f"has the flag {', '.join(other)}; only i and s are known here, so leave it out"
    atoms = _read_atoms(body)
    if isinstance(atoms, str):
        return atoms
    limit = _longest(atoms)
    if limit < MIN_UNITS:
        return (
            f"repeats so much that it could only be tried on texts shorter than {MIN_UNITS} characters; use fewer or"
            " smaller repeats"
        )
    return ExpectPattern(written=text, body=body, flags=flags, max_units=limit)


@dataclass(slots=True)
class _Atoms:
    """What a pattern repeats, and how often.

    Attributes:
        unbounded: Quantifiers without an upper end.
        choices: Product of the numbers of repeats that each bounded quantifier allows.
        length: Longest text that the bounded parts take, and the shortest that the others do.
        anchored: Whether it can only match at the start.
    """

    anchored: bool
    unbounded: int = 0
    choices: int = 1
    length: int = field(default=0)

    def add(self, quantifier: re.Match[str] | None) -> None:
        """Count one atom with what follows it."""
        least, most = _repeats(quantifier)
        if most is None:
            self.unbounded += 1
            self.length += least
        else:
            self.choices = min(self.choices * (most - least + 1), _BEYOND)
            self.length += most


def _read_atoms(body: str) -> _Atoms | str:
    """Read a pattern that compiles; give what of it is outside of the dialect."""
    atoms = _Atoms(anchored=body.startswith("^"))
    place = int(atoms.anchored)
    end = len(body)
    while place < end:
        char = body[place]
        if char == "$" and place == end - 1:
            break
        if (fault := _foreign(body, place)) is not None:
            return fault
        if char == "\\" and body[place + 1 : place + 2] in ("b", "B"):
            place += 2
            continue
        if char > "\uffff":
            atoms.add(None)  # the first half of a pair
        place = _after_atom(body, place)
        quantifier = _QUANTIFIER.match(body, place)
        atoms.add(quantifier)
        if quantifier:
            place = quantifier.end()
    return atoms


def _foreign(body: str, place: int) -> str | None:
    match body[place]:
        case "(" | ")":
            return "has a group or lookaround, which patterns of `expect` cannot have; write it without ( )"
        case "|":
            return "has an alternative, which patterns of `expect` cannot have; list the values as [a, b] without |"
        case "^" | "$" as char:
            return (
                f"has a {char} that is neither its start nor its end; only ^ as the first and $ as the last work here"
            )
        case "\\" if (escaped := body[place + 1 : place + 2]) and escaped in "123456789k":
            return f"refers back with \\{escaped}, which patterns of `expect` cannot; write out what is meant"
    return None


def _after_atom(body: str, place: int) -> int:
    for pattern in (_CLASS, _ESCAPE):
        if found := pattern.match(body, place):
            return found.end()
    return place + 1


def _repeats(quantifier: re.Match[str] | None) -> tuple[int, int | None]:
    if quantifier is None:
        return 1, 1
    match quantifier[1]:
        case "*":
            return 0, None
        case "+":
            return 1, None
        case "?":
            return 0, 1
        case _:
            return _counted(quantifier)


def _counted(quantifier: re.Match[str]) -> tuple[int, int | None]:
    least = _bounded(quantifier["least"])
    if quantifier["comma"] is None:
        return least, least
    return least, _bounded(quantifier["most"]) if quantifier["most"] else None


def _bounded(digits: str) -> int:
    return int(digits) if len(digits) < len(str(_BEYOND)) else _BEYOND


def _longest(atoms: _Atoms) -> int:
    """Find the largest number of units that takes no more than `MAX_STEPS`."""
    low, high = 0, MAX_UNITS
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if _steps(atoms, middle) <= MAX_STEPS else (low, middle - 1)
    return low


def _steps(atoms: _Atoms, units: int) -> float:
    if atoms.unbounded > MAX_UNITS:
        return math.inf
    splits = math.comb(units + atoms.unbounded, atoms.unbounded) * atoms.choices
    starts = 1 if atoms.anchored else units
    return splits * (units + atoms.length) * starts // 2
