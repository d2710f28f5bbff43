r"""Lays plain values out as JavaScript's `JSON.stringify(value, null, 2)` does.

Unlike `report.json_layout`, keys stay in their order, whole numbers have no point, and numbers that JSON lacks are
`null`, since programs that read the real program's file expect that.
"""

import math
import re
from collections.abc import Iterable, Mapping
from json.encoder import encode_basestring

from skill_evaluator.graders.javascript_json import number_text

_STEP = "  "
_SURROGATE = re.compile("[\ud800-\udfff]")
_WORDS = {None: "null", True: "true", False: "false"}


def javascript_text(value: object) -> str:
    r"""Write a value out.

    Args:
        value: Mappings, sequences, strings, numbers, truth values and None; nothing nests deeper than a suite's file.

    Raises:
        TypeError: If a value is of no JSON type.

    >>> print(javascript_text({"b": 1.0, "a": [0.1, float("nan")], "c": {}}))
    {
      "b": 1,
      "a": [
        0.1,
        null
      ],
      "c": {}
    }
    """
    parts: list[str] = []
    _write(value, "\n", parts)
    return "".join(parts)


def _write(value: object, newline: str, parts: list[str]) -> None:
    match value:
        case None | bool():
            parts.append(_WORDS[value])
        case str():
            parts.append(_string(value))
        case int() | float():
            parts.append(number_text(value) if math.isfinite(value) else "null")
        case Mapping():
            inner = newline + _STEP
            _block("{}", ((f"{_string(str(key))}: ", item) for key, item in value.items()), inner, parts)
        case list() | tuple():
            _block("[]", (("", item) for item in value), newline + _STEP, parts)
        case _:
            raise TypeError(f"{type(value).__name__} is of no JSON type")


def _block(ends: str, members: Iterable[tuple[str, object]], inner: str, parts: list[str]) -> None:
    before = ends[0]
    for lead, item in members:
        parts.append(f"{before}{inner}{lead}")
        _write(item, inner, parts)
        before = ","
    parts.append(ends if before == ends[0] else inner.removesuffix(_STEP) + ends[1])


def _string(text: str) -> str:
    """Half a surrogate pair is escaped, as no UTF-8 file can hold it."""
    return _SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", encode_basestring(str(text)))
