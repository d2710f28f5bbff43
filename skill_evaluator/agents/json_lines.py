"""Reads one line of a JSON Lines file that another program wrote."""

import json
from typing import NoReturn


def read_line(line: str) -> object:
    """Parse a line; lone surrogates, which no file can hold, become U+FFFD.

    Raises:
        ValueError: If it is not JSON (NaN and the infinities are not).
    """
    try:
        value: object = json.loads(line, parse_constant=_refuse)
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    return _clean(value) if "\\ud" in line.lower() else value


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


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
