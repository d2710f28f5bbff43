"""YAML scalars and keys as JavaScript has them."""

import math
import re
from typing import Final

from yaml.events import ScalarEvent

from skill_evaluator.formats.yaml_scalars import NUMBER_STARTS, PATTERNS, PREFIX, WORDS, float_value
from skill_evaluator.texts import tr

_BASED: Final = re.compile(r"([-+]?)0(?:o([0-7]+)|x([0-9a-fA-F]+))\Z")
_BASED_MAX: Final = 2**64 - 1  # beyond it stays text
_EXACT_MAX: Final = 2**53  # JavaScript counts in steps of one up to here
_KEY_MAX_CHARS: Final = 10_000


def js_scalar(event: ScalarEvent, text: str) -> object:
    """Give the value of a scalar; a tag that is not known makes text of it.

    Source: Bun 1.4.5.
    """
    if event.style:
        return text
    if event.tag is None or event.tag.removeprefix(PREFIX) in PATTERNS:
        return js_plain_value(text)
    return text if text or event.tag == PREFIX + "str" else None


def js_plain_value(text: str) -> object:
    """Give the value of a scalar without quotes as JavaScript has it: a whole number is an int up to 2 ** 53."""
    if text in WORDS:
        return WORDS[text]
    if text[0] not in NUMBER_STARTS:
        return text
    if match := _BASED.match(text):
        size = int(match[2], 8) if match[2] else int(match[3], 16)
        return text if size > _BASED_MAX else _js_number(float(-size if match[1] == "-" else size))
    return _js_number(float_value(text)) if PATTERNS["float"].match(text) else text


def js_key(key: object) -> str:
    """Write a key as JavaScript does when it makes it a text.

    Raises:
        ValueError: If the key is a list that would be very long as text.
    """
    match key:
        case str():
            text = key
        case bool() | None:
            text = {None: "null", True: "true", False: "false"}[key]
        case int():
            text = str(key)
        case float():
            text = _js_number_text(key)
        case list():
            text = _js_list_text(key)
        case _:
            text = "[object Object]"
    return text


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
    if -6 <= int(exponent) < 0:  # noqa: PLR2004 - where it starts for small numbers; Python does so at -5
        return f"{number:.{len(mantissa.lstrip('-').replace('.', '')) - 1 - int(exponent)}f}"
    return f"{mantissa.removesuffix('.0')}e{int(exponent):+d}"


def _js_list_text(items: list[object]) -> str:
    parts: list[str] = []
    left = _KEY_MAX_CHARS  # a few aliases could make it as long as the memory
    for item in items:
        parts.append("" if item is None else js_key(item))
        left -= len(parts[-1]) + 1
        if left < 0:
            raise ValueError(
                tr(
                    "a list of more than {key_max_chars:,} characters stands where a key belongs",
                    key_max_chars=_KEY_MAX_CHARS,
                )
            )
    return ",".join(parts)
