"""Finds the JSON that a model wrote among other words.

A broken object counts for nothing, nor do its parts: whoever wrote it did not write JSON. The time taken grows with
the length of the text, whatever it holds, since outputs come from programs nobody controls.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator
from typing import NoReturn

_FIRST_PIECE = 1_024
_LONGEST_WORD = 16  # no escape or literal of JSON is longer, so a cut one is blamed within so many characters

MAX_DEPTH = 100  # deeper values are left out: writing them to a report would exhaust the stack

# An object opens with a key and a colon; a brace in prose does not.
_START = re.compile(r'\[|\{\s*+(?:\}|"(?:[^"\\\x00-\x1f]|\\.)*+"\s*+:)')
# In a broken object a string may run over line ends, but not over the end of a paragraph.
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.|\n(?![ \t\r]*\n))*+"|\\.|[\[{\]}]|```|\n[ \t\r]*+\n\s*+')


def find_json(text: str) -> tuple[object, ...]:
    """Collect the JSON values that could hold fields.

    Args:
        text: Any text: JSON alone, JSON in fenced blocks, JSON inside sentences.

    Returns:
        Where the whole text is one JSON object or array: that value, and after an array its objects one by one.
        Otherwise every object that stands in the text outside of other objects, and every array that holds one, in
        order. NaN, infinite and overlong numbers are not JSON; values nested deeper than `MAX_DEPTH` are left out.
    """
    try:
        whole = _DECODER.decode(text.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return tuple(_scan(text))
    return tuple(_parts(whole)) if isinstance(whole, dict | list) and not _too_deep(whole) else ()


def _scan(text: str) -> Iterator[object]:
    """Go through a text once; each failed attempt moves a barrier on, so that none is made twice."""
    place = 0
    arrays_from = 0  # an array that starts before this is part of one that broke here
    while found := _START.search(text, place):
        start = found.start()
        is_array = text[start] == "["
        if is_array and start < arrays_from:
            place = start + 1
            continue
        value, end = _read(text, start)
        if value is not None:
            place = end
            yield from _worth_it(value)
        elif is_array:
            place, arrays_from = start + 1, end
        else:
            place = _end_of_broken(text, start, end)


def _read(text: str, start: int) -> tuple[object, int]:
    """Read the value at `start`: the value and its end, or None and the place up to which the text was tried.

    The decoder gets no more of the text than it needs: each of its errors counts all lines before it.
    """
    length = _FIRST_PIECE
    while True:
        piece = text[start : start + length]
        try:
            value, end = _DECODER.raw_decode(piece)
        except json.JSONDecodeError as error:
            if len(piece) == length and _may_be_cut(error):
                length *= 4
                continue
            return None, start + max(error.pos, 1)
        except (ValueError, RecursionError):
            return None, len(text)
        return value, start + end


def _may_be_cut(error: json.JSONDecodeError) -> bool:
    """Say whether the end of the piece, not its content, could be the fault."""
    return error.msg.startswith("Unterminated") or error.pos > len(error.doc) - _LONGEST_WORD


def _end_of_broken(text: str, start: int, broken_at: int) -> int:
    """Find where a broken object ends: at its closing brace, or else with its paragraph, fence or text."""
    depth = 0
    for token in _TOKEN.finditer(text, start):
        match token[0][0]:
            case "[" | "{":
                depth += 1
            case "]" | "}":
                depth -= 1
            case "`" | "\n" if token.end() >= broken_at:
                return token.start()
            case _:
                continue
        if depth == 0:
            return token.end()
    return len(text)


def _worth_it(value: object) -> Iterator[object]:
    if _too_deep(value):
        return
    parts = tuple(_parts(value))
    if any(isinstance(part, dict) for part in parts):
        yield from parts


def _parts(value: object) -> Iterator[object]:
    """Give a value and, where it is an array, whatever stands in it outside of objects."""
    yield value
    if isinstance(value, list):
        for item in value:
            if isinstance(item, dict | list):
                yield from _parts(item)


def _too_deep(value: object) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [inner for outer in level for inner in _inside(outer) if isinstance(inner, dict | list)]
        if not level:
            return False
    return True


def _inside(value: object) -> Iterable[object]:
    match value:
        case dict():
            return value.values()
        case list():
            return value
        case _:
            return ()


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"no JSON number: {digits}")
    return number


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"no JSON number: {word}")


_DECODER = json.JSONDecoder(parse_float=_finite, parse_constant=_refuse)
