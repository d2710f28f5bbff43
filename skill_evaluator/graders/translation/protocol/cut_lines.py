"""Lines that plainly are more than text, each an object of JSON or an item of a list: which of them were cut."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Final, NoReturn

from skill_evaluator.graders.translation.protocol.faults import Faults
from skill_evaluator.texts import tr

_LINE: Final = re.compile(r"[^\n]+")
_OBJECT: Final = re.compile(r'[^\S\n]*\{[^\S\n]*"[^"\n]*"[^\S\n]*:')
_BULLET: Final = re.compile(r"[^\S\n]*(?:([-*\u2022\u2013])|(\(?)[0-9]{1,9}([):]))(?=[^\S\n]|$)")


def look_for_cut_lines(text: str, faults: Faults) -> None:
    """Note objects of JSON Lines that are broken, and empty items of a list.

    Only where the first line begins like that: then the others are meant to.

    Args:
        text: The items, with LF line ends.
        faults: Where they are noted.
    """
    _, first = next(_lines(text), (0, ""))
    if _OBJECT.match(first):
        _note(text, faults, tr("The JSON object of a line is broken."), _is_broken)
    elif (bullet := _BULLET.match(first)) is not None and first[bullet.end() :].strip():
        kind = bullet.groups()
        _note(text, faults, tr("An item of the list is empty."), lambda line: _is_bare(line, kind))


def _note(text: str, faults: Faults, message: str, is_cut: Callable[[str], bool]) -> None:
    for at, line in _lines(text):
        if is_cut(line):
            faults.malformed(message, text, at)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    return ((line.start(), line[0]) for line in _LINE.finditer(text) if not line[0].isspace())


def _is_broken(line: str) -> bool:
    if not _OBJECT.match(line):
        return False
    try:
        json.loads(line, parse_int=str, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return True
    return False


def _refuse(word: str) -> NoReturn:
    raise ValueError(word)


def _is_bare(line: str, kind: tuple[str | None, ...]) -> bool:
    found = _BULLET.match(line)
    return found is not None and found.groups() == kind and not line[found.end() :].strip()
