"""Writes JSON as `JSON.stringify` does, since patterns are written against that text."""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence

_INDEX = re.compile(r"0|[1-9][0-9]{0,9}")
_LAST_INDEX = 2**32 - 2
_EXACT = 2**53
_SURROGATE = re.compile("[\ud800-\udfff]")
_SMALLEST_PLAIN, _LARGEST_PLAIN = -6, 21  # places of the decimal point between which JavaScript writes no exponent


class _Written(str):
    """A piece of JSON that is done."""

    __slots__ = ()


def stringify(value: object) -> str:
    r"""Write a JSON value as JavaScript would.

    Compact; whole numbers without a point; keys that look like array indexes first, ascending; lone surrogates
    escaped, all other characters from U+007F on as they are; numbers that JSON lacks as `null`.

    >>> stringify({"b": 1.0, "10": "\u2028", "9": 1e21, "a": [None, True, -0.0]}) == (
    ...     '{"9":1e+21,"10":"\u2028","b":1,"a":[null,true,0]}'
    ... )
    True
    """
    parts: list[str] = []
    stack = [value]
    while stack:  # no recursion: models nest as deep as they like
        match stack.pop():
            case _Written() as text:
                parts.append(text)
            case Mapping() as mapping:
                stack.extend(reversed([*_members(mapping)]))
            case list() | tuple() as items:
                stack.extend(reversed([*_items(items)]))
            case scalar:
                parts.append(_scalar(scalar))
    return "".join(parts)


def number_text(number: float) -> str:
    """Write a number as JavaScript's `String` does.

    Source:
        ECMA-262, Number::toString; the shortest digits that read back as the same number are those of Python's repr.
    """
    if isinstance(number, int) and abs(number) < _EXACT:
        return str(int(number))
    try:
        number = float(number)
    except OverflowError:
        number = math.inf if number > 0 else -math.inf
    if math.isinf(number) or math.isnan(number):
        return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"
    if number == 0:
        return "0"
    mantissa, _, exponent = f"{abs(number)!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(digits) - len(fraction) + int(exponent or 0)  # the value is 0.DIGITS times 10 to the power of this
    return ("-" if number < 0 else "") + _placed(digits.rstrip("0"), point)


def _placed(digits: str, point: int) -> str:
    """Put the decimal point behind so many of the digits, or write an exponent."""
    if _SMALLEST_PLAIN < point <= 0:
        return f"0.{'0' * -point}{digits}"
    if 0 < point <= _LARGEST_PLAIN:
        padded = digits.ljust(point, "0")
        return padded[:point] + (f".{padded[point:]}" if len(padded) > point else "")
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{digits[0]}{fraction}e{point - 1:+d}"


def _scalar(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            text = number_text(value)
            return text if text[-1].isdigit() else "null"
        case _:
            return _string(str(value))


def _string(text: str) -> str:
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    written = json.dumps(joined, ensure_ascii=False)
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", written)


def _members(mapping: Mapping[object, object]) -> Iterator[object]:
    yield _Written("{")
    names = {str(name): name for name in mapping}
    indexes = sorted((name for name in names if _is_index(name)), key=int)
    others = [name for name in names if not _is_index(name)]
    for place, name in enumerate([*indexes, *others]):
        yield _Written(("," if place else "") + _string(name) + ":")
        yield mapping[names[name]]
    yield _Written("}")


def _items(items: Sequence[object]) -> Iterator[object]:
    yield _Written("[")
    for place, item in enumerate(items):
        if place:
            yield _Written(",")
        yield item
    yield _Written("]")


def _is_index(name: str) -> bool:
    return _INDEX.fullmatch(name) is not None and int(name) <= _LAST_INDEX
