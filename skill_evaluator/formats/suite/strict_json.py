"""JSON as the real program reads it: no NaN and no Infinity, and whole numbers of any length."""

import json
from typing import Final

from skill_evaluator.texts import tr

_LONGEST_WHOLE: Final = 400  # digits; a longer one is infinite to JavaScript, and too long for Python to read


def _whole(digits: str) -> int | float:
    return int(digits) if len(digits) <= _LONGEST_WHOLE else float(digits)


def refuse_constant(name: str) -> float:
    """Refuse NaN and its like, which Python reads.

    Raises:
        ValueError: Always.
    """
    raise ValueError(tr("{word} is no JSON", word=name))


_DECODER: Final = json.JSONDecoder(parse_int=_whole, parse_constant=refuse_constant)


def read_json(text: str) -> object:
    """Read one value.

    Raises:
        ValueError: If the text is no JSON.
        RecursionError: If it is nested too deeply.
    """
    value: object = _DECODER.decode(text)
    return value
