"""Reads JSON Lines that another program wrote."""

import json
import math
from collections.abc import Sequence
from typing import NoReturn

from skill_evaluator.texts import tr

MAX_DEPTH = 100  # pydantic, which reads the journal back, gives up below 200
_MAX_DIGITS = 1_000  # Python refuses 4,300 in words of its own
_SHOWN = 30


def read_line(line: str, *, strict: bool = False) -> object:
    """Parse a line; lone surrogates, which no file can hold, become U+FFFD.

    Args:
        line: One line, with or without its end.
        strict: Refuse keys that stand twice, NaN, and numbers beyond what a float holds or with more than 1,000
            digits. Otherwise the last of the keys counts, and such numbers become None: what else the line says must
            not be lost with them.

    Raises:
        ValueError: If it is not JSON.
    """
    try:
        value: object = json.loads(
            line,
            parse_constant=_refuse if strict else _nothing,
            parse_float=_strict_float if strict else _float,
            parse_int=_strict_int if strict else _int,
            object_pairs_hook=_distinct if strict else None,
        )
        return _clean(value) if "\\ud" in line.lower() else value
    except RecursionError as error:
        raise ValueError(tr("nested too deep")) from error


def nests_deeper(value: object, levels: int) -> bool:
    """Whether lists and objects stand inside each other in more than so many levels."""
    inside = [value]
    for _ in range(levels):
        inside = [item for outer in inside for item in _items(outer)]
    return any(isinstance(item, dict | list) for item in inside)


def _items(value: object) -> Sequence[object]:
    match value:
        case dict():
            return list(value.values())
        case list():
            return value
        case _:
            return ()


def _refuse(word: str) -> NoReturn:
    raise ValueError(tr("{word} is not JSON", word=word))


def _nothing(_word: str) -> None:
    return None


def _float(text: str) -> float | None:
    number = float(text)
    return number if math.isfinite(number) else None


def _int(text: str) -> int | None:
    return int(text) if len(text) <= _MAX_DIGITS else None


def _strict_float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(tr("the number {number} is too large", number=text[:_SHOWN]))
    return number


def _strict_int(text: str) -> int:
    if len(text) > _MAX_DIGITS:
        raise ValueError(tr("a number of {n:,} digits is too large", n=len(text)))
    return int(text)


def _distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(tr("the key {key!r} stands twice; keep one of them", key=key[:_SHOWN]))
        found[key] = value
    return found


def _clean(value: object) -> object:
    match value:
        case str():
            return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        case dict():
            return {str(_clean(key)): _clean(item) for key, item in value.items()}
        case list():
            return [_clean(item) for item in value]
        case _:
            return value
