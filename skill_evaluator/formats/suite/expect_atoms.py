"""The parts of a pattern of `expect`, and how often they repeat.

The dialect has literals, `.`, escapes, classes, quantifiers on one of those, `^` in front and `$` at the end.

Source: Suites recorded with Claude Code 2.1.332.
"""

import re
from dataclasses import dataclass
from typing import Final

from skill_evaluator.texts import tr

_ESCAPE: Final = re.compile(r"\\.", re.DOTALL)  # \x41 counts as three
_CLASS: Final = re.compile(r"\[(?:\\.|[^\\\]])*\]", re.DOTALL)
_QUANTIFIER: Final = re.compile(r"([*+?]|\{(?P<least>\d+)(?P<comma>,(?P<most>\d*))?\})\??", re.ASCII)
_BEYOND: Final = 10**10  # stands for any number of more digits


@dataclass(slots=True)
class Atoms:
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
    length: int = 0

    def add(self, quantifier: re.Match[str] | None) -> None:
        """Count one atom with what follows it."""
        least, most = _repeats(quantifier)
        if most is None:
            self.unbounded += 1
            self.length += least
        else:
            self.choices = min(self.choices * (most - least + 1), _BEYOND)
            self.length += most


def read_atoms(body: str) -> Atoms | str:
    """Read a pattern that compiles.

    Returns:
        What it repeats, or what of it is outside of the dialect.
    """
    atoms = Atoms(anchored=body.startswith("^"))
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
            return tr("has a group or lookaround, which patterns of `expect` cannot have; write it without ( )")
        case "|":
            return tr("has an alternative, which patterns of `expect` cannot have; list the values as [a, b] without |")
        case "^" | "$" as char:
            return tr(
                "has a {char} inside; here only ^ as the first and $ as the last character work, so leave it out",
                char=char,
            )
        case "\\" if (escaped := body[place + 1 : place + 2]) and escaped in "123456789k":
            return tr(
                "refers back with \\{escaped}, which patterns of `expect` cannot; write out what is meant",
                escaped=escaped,
            )
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
