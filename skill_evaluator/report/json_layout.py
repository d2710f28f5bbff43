"""Lays values out as JSON text, keys in a fixed order.

The text is that of `json.dumps(..., indent=2, ensure_ascii=False, allow_nan=False)`. It is built straight from the
values, since a second copy of a report with 100,000 runs, as plain JSON types, would take most of the memory.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from json.encoder import encode_basestring

# Mappings with these keys keep this order; all other keys are sorted.
_ORDER = (
    *("acceptance", "tuning"),
    *("positive", "negative", "output_only"),
    *("precision", "recall", "f1", "false_trigger_rate"),
    *("output_pass_rate", "params_pass_rate", "tool_order_pass_rate", "judged_pass_rate"),
    *("expected_skill_rate", "rubric_pass_rate", "pass_hat_k"),
    *("latency_p50", "latency_p95", "input_tokens", "output_tokens", "cost_usd"),
)
_RANK = {name: rank for rank, name in enumerate(_ORDER)}
_WORDS = {None: "null", True: "true", False: "false"}
_STEP = "  "


def laid_out(content: Iterable[tuple[str, object]]) -> str:
    """Give the text of an object.

    Args:
        content: Its keys in the order wanted, with dataclasses, mappings, sequences and plain JSON values.

    Raises:
        ValueError: If a number is not finite.
        TypeError: If a value is of no JSON type.
    """
    parts: list[str] = []
    _object(iter(content), "\n", parts)
    return "".join(parts)


def entries(value: object) -> Iterator[tuple[str, object]]:
    """Give what an object holds in the order of the file: fields as declared, keys of a mapping as ranked.

    Raises:
        TypeError: If it is no object.
    """
    if is_dataclass(value) and not isinstance(value, type):
        return ((name, getattr(value, name)) for name in _names(type(value)))
    if isinstance(value, Mapping):
        return ((str(key), value[key]) for key in sorted(value, key=_place))
    raise TypeError(f"{type(value).__name__} is of no JSON type")


def ranked(mapping: Mapping[str, object]) -> list[str]:
    """Give the keys of a mapping in the order of the file."""
    return sorted(mapping, key=_place)


def _value(value: object, newline: str, parts: list[str]) -> None:
    if isinstance(value, str):
        parts.append(encode_basestring(str(value)))
    elif value is None or isinstance(value, bool):
        parts.append(_WORDS[value])
    elif isinstance(value, int):
        parts.append(int.__repr__(value))
    elif isinstance(value, float):
        parts.append(_number(value))
    elif isinstance(value, list | tuple):
        _array(value, newline, parts)
    else:
        _object(entries(value), newline, parts)


def _object(content: Iterator[tuple[str, object]], newline: str, parts: list[str]) -> None:
    inner, before = newline + _STEP, "{"
    for key, value in content:
        parts.append(f"{before}{inner}{encode_basestring(key)}: ")
        _value(value, inner, parts)
        before = ","
    parts.append("{}" if before == "{" else f"{newline}}}")


def _array(items: Iterable[object], newline: str, parts: list[str]) -> None:
    inner, before = newline + _STEP, "["
    for item in items:
        parts.append(before + inner)
        _value(item, inner, parts)
        before = ","
    parts.append("[]" if before == "[" else f"{newline}]")


def _number(value: float) -> str:
    if not math.isfinite(value):
        raise ValueError(f"Out of range float values are not JSON compliant: {value}")
    return float.__repr__(value)


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def _place(key: str) -> tuple[int, str]:
    return _RANK.get(key, len(_RANK)), key
