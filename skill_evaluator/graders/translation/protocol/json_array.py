"""A JSON array read element by element, so that those before a break are known."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NoReturn

from skill_evaluator.reasons import foreign
from skill_evaluator.texts import Text, tr

_SPACE: Final = re.compile(r"[ \t\n\r]*")  # what JSON takes for white space
_LONGEST_INTEGER: Final = 18  # digits; no id is longer, and Python refuses some thousands
_CUT_MESSAGES: Final = ("Unterminated", "Invalid \\uXXXX")  # also said of a string that the end of the text cuts
# Said of what should stand somewhere, where what does stand there tells more: a typographic quote, a full-width comma.
_MISSING: Final = ("Expecting", "a comma")
# What the parser says most often, so that it can be said in other languages too.
_OFTEN_SAID: Final[Mapping[str, Text]] = {
    str(text): text
    for text in (
        tr("expecting value"),
        tr("expecting property name enclosed in double quotes"),
        tr("expecting ':' delimiter"),
        tr("expecting ',' delimiter"),
        tr("unterminated string"),
        tr("invalid control character"),
        tr("invalid \\escape"),
        tr("invalid \\uXXXX escape"),
    )
}


@dataclass(slots=True)
class Array:
    """An array as far as it was read.

    Attributes:
        start: Of its opening bracket.
        end: Where it ends, or where it breaks.
        elements: Those that are whole, each with its place.
        fault: Why it breaks, or None where it is whole.
        is_cut: Whether it breaks at the end of the text, so that nothing follows.
        has_part: Whether the start of another element stands there.
        repeated: A key that stands twice in an object, or None.
    """

    start: int
    end: int
    elements: list[tuple[object, int]] = field(default_factory=list)
    fault: str | None = None
    is_cut: bool = False
    has_part: bool = False
    repeated: str | None = None

    def breaks(self, text: str, at: int, why: str, *, has_part: bool = False) -> "Array":
        """Note where it breaks, and why."""
        self.is_cut = why.startswith(_CUT_MESSAGES) or at >= len(text.rstrip())
        said = why if isinstance(why, Text) else _of_parser(why)
        if not self.is_cut and why.startswith(_MISSING):
            character = text[at] if text[at].isprintable() else ascii(text[at])
            said = tr("{fault} where {character} stands", fault=said, character=character)
        self.end, self.fault, self.has_part = at, said, has_part
        return self


def _of_parser(why: str) -> str:
    """Go on with what Python's parser says."""
    said = why.removesuffix(" at").removesuffix(" starting")
    said = said[:1].lower() + said[1:]
    return _OFTEN_SAID.get(said) or foreign(said)


def skip_space(text: str, at: int) -> int:
    """Give the place of the next character that means something."""
    found = _SPACE.match(text, at)
    return found.end() if found else at


def read_array(text: str, start: int) -> Array:
    """Read the array whose bracket stands at `start`; the time taken grows with its length."""
    array = Array(start=start, end=skip_space(text, start + 1))
    if text.startswith("]", array.end):
        array.end += 1
        return array
    decoder = _decoder(array)
    while _read_element(array, text, decoder):
        match text[array.end : array.end + 1]:
            case ",":
                array.end = skip_space(text, array.end + 1)
            case "]":
                array.end += 1
                return array
            case _:
                return array.breaks(text, array.end, tr("a comma or the closing bracket is missing"))
    return array


def _read_element(array: Array, text: str, decoder: json.JSONDecoder) -> bool:
    """Read the element at `array.end` and go on behind it; False where the array breaks in it."""
    at = array.end
    try:
        value, end = decoder.raw_decode(text, at)
    except json.JSONDecodeError as error:
        array.breaks(text, error.pos, error.msg, has_part=at < len(text.rstrip()))
    except RecursionError:
        array.breaks(text, at, tr("it nests too deep"))
    except ValueError as error:
        array.breaks(text, at, str(error))
    else:
        array.elements.append((value, at))
        array.end = skip_space(text, end)
        return True
    return False


def _decoder(array: Array) -> json.JSONDecoder:
    def made(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs) and array.repeated is None:
            times = Counter(key for key, _ in pairs)
            array.repeated = next(key for key in found if times[key] > 1)
        return found

    return json.JSONDecoder(object_pairs_hook=made, parse_int=_integer, parse_constant=_refuse)


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= _LONGEST_INTEGER else float(digits)


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")
