"""A YAML scalar as it was written -> its value in the core schema, strictly or as JavaScript has it."""

import math
import re
from types import MappingProxyType
from typing import Final

PREFIX: Final = "tag:yaml.org,2002:"
# Source: YAML 1.2.2, chapter 10.3.2.
PATTERNS: Final = MappingProxyType(
    {
        "null": re.compile(r"(?:~|null|Null|NULL|)\Z"),
        "bool": re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z"),
        "int": re.compile(r"(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)\Z"),
        "float": re.compile(
            r"(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z"
        ),
    }
)
_WORDS: Final = MappingProxyType(
    dict.fromkeys(("", "~", "null", "Null", "NULL"), None)
    | dict.fromkeys(("true", "True", "TRUE"), True)
    | dict.fromkeys(("false", "False", "FALSE"), False)
)
_NUMBER_STARTS: Final = frozenset("+-.0123456789")
_BASED: Final = re.compile(r"([-+]?)0(?:o([0-7]+)|x([0-9a-fA-F]+))\Z")
_BASED_MAX: Final = 2**64 - 1  # beyond it stays text
_EXACT_MAX: Final = 2**53  # JavaScript counts in steps of one up to here
_KEY_MAX_CHARS: Final = 10_000


def plain_value(text: str) -> object:
    """Give the value of a scalar without quotes and tag.

    Raises:
        ValueError: If it has more digits than Python converts.
    """
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMBER_STARTS:
        return text
    if PATTERNS["int"].match(text):
        return int(text, {"0o": 8, "0x": 16}.get(text[:2], 10))
    return _float(text) if PATTERNS["float"].match(text) else text


def tagged_value(text: str, tag: str) -> object:
    """Give the value of a scalar with a tag of the core schema, quoted or not.

    Args:
        text: The scalar.
        tag: Its tag without the prefix of the core schema.

    Raises:
        LookupError: If the tag is of no core type, or does not fit the text.
        ValueError: If it has more digits than Python converts.
    """
    if tag == "str":
        return text
    if not PATTERNS[tag].match(text):
        raise LookupError(tag)
    return _float(text) if tag == "float" else plain_value(text)


def js_plain_value(text: str) -> object:
    """Give the value of a scalar without quotes as JavaScript has it: a whole number is an int up to 2 ** 53."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMBER_STARTS:
        return text
    if match := _BASED.match(text):
        size = int(match[2], 8) if match[2] else int(match[3], 16)
        return text if size > _BASED_MAX else _js_number(float(-size if match[1] == "-" else size))
    return _js_number(_float(text)) if PATTERNS["float"].match(text) else text


def js_key(key: object) -> str:
    """Write a key as JavaScript does when it makes it a text.

    Raises:
        ValueError: If the key is a list that would be very long as text.
    """
    match key:
        case str():
            return key
        case None:
            return "null"
        case bool():
            return "true" if key else "false"
        case int():
            return str(key)
        case float():
            return _js_number_text(key)
        case list():
            return _js_list_text(key)
        case _:
            return "[object Object]"


def _float(text: str) -> float:
    return float(text if text[-1].isdigit() else re.sub(r"\.(?=inf|nan)", "", text.lower()))


def _js_number(number: float) -> int | float:
    return int(number) if abs(number) <= _EXACT_MAX and number.is_integer() else number


def _js_number_text(number: float) -> str:
    """Write a number that is no small whole one.

    Source: ECMA-262, Number::toString.
    """
    if not math.isfinite(number):
        return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"
    mantissa, _, exponent = f"{number!r}".partition("e")
    if number.is_integer() and abs(number) < 1e21:  # noqa: PLR2004 - where JavaScript starts to write exponents
        digits = mantissa.removesuffix(".0").replace(".", "")
        return digits.ljust(int(exponent) + 1 + (number < 0), "0") if exponent else digits
    if not exponent:
        return mantissa
    if int(exponent) >= -6:  # noqa: PLR2004 - the same for small numbers; Python starts at -5
        return f"{number:.{len(mantissa.lstrip('-').replace('.', '')) - 1 - int(exponent)}f}"
    return f"{mantissa.removesuffix('.0')}e{int(exponent):+d}"


def _js_list_text(items: list[object]) -> str:
    parts: list[str] = []
    left = _KEY_MAX_CHARS  # a few aliases could make it as long as the memory
    for item in items:
        parts.append("" if item is None else js_key(item))
        left -= len(parts[-1]) + 1
        if left < 0:
            raise ValueError(f"a list of more than {_KEY_MAX_CHARS:,} characters stands where a key belongs")
    return ",".join(parts)
