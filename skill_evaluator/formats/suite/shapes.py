"""Shapes of values, to write what a file may hold as a table, and the first place where a value has another."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from skill_evaluator.formats.suite.faults import KeyPath
from skill_evaluator.formats.suite.form import described


@dataclass(frozen=True, kw_only=True, slots=True)
class Plain:
    """A value of one type.

    Attributes:
        words: What it must be, as a message says it.
        holds: Whether a value is such a one.
    """

    words: str
    holds: Callable[[object], bool]


@dataclass(frozen=True, kw_only=True, slots=True)
class Items:
    """A list.

    Attributes:
        of: Shape of its items.
        once: Key whose value no two items may share, or None.
    """

    of: "Shape"
    once: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """A mapping with known keys; others may stand there and mean nothing.

    Attributes:
        keys: Key -> shape of its value.
        needs: Keys that must stand there.
        one_of: Keys of which exactly one must stand there; none of them where empty.
    """

    keys: "Mapping[str, Shape]"
    needs: tuple[str, ...] = ()
    one_of: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Each:
    """A mapping of the author's own keys.

    Attributes:
        value: Shape of every value.
        key: What a key must be, or None for any text.
        is_filled: Whether one key at least must stand there.
    """

    value: "Shape"
    key: Plain | None = None
    is_filled: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Kinds:
    """A mapping whose value of one key decides what else it holds.

    Attributes:
        key: That key.
        kinds: Value of the key -> the shape.
        default: Value that holds without the key, or None where it must stand there.
    """

    key: str
    kinds: "Mapping[str, Record]" = field(default_factory=dict)
    default: str | None = None


@dataclass(frozen=True, slots=True)
class Either:
    """One of several shapes, of which at most one is a list and at most one a mapping.

    Attributes:
        shapes: Those.
    """

    shapes: "tuple[Shape, ...]"


Shape = Plain | Items | Record | Each | Kinds | Either
Misfit = tuple[KeyPath, str]  # the place, and what stands there and was expected


def text(words: str, pattern: str = r".*") -> Plain:
    """Make the shape of a text; the pattern must fit all of it."""
    compiled = re.compile(pattern, re.DOTALL | re.ASCII)
    return Plain(words=words, holds=lambda value: isinstance(value, str) and compiled.fullmatch(value) is not None)


def whole(words: str, *, least: int, most: float = float("inf")) -> Plain:
    """Make the shape of a whole number; 2.0 is one."""
    return Plain(
        words=words,
        holds=lambda value: (
            isinstance(value, int | float)
            and not isinstance(value, bool)
            and least <= value <= most
            and value == value // 1
        ),
    )


YES_OR_NO: Final = Plain(words="true or false", holds=lambda value: isinstance(value, bool))
ANY_MAPPING: Final = Plain(words="a mapping", holds=lambda value: isinstance(value, dict))


def misfit(value: object, shape: Shape, path: KeyPath = ()) -> Misfit | None:
    """Give the first place where a value has another shape, or None."""
    found: Misfit | None
    match shape, value:
        case Plain(), _ if shape.holds(value):
            found = None
        case Either(), _:
            found = _of_any(value, shape, path)
        case Items(), list():
            found = _in_items(value, shape, path)
        case Record(), dict():
            found = _in_record(value, shape, path)
        case Each(), dict():
            found = _in_each(value, shape, path)
        case Kinds(), dict():
            found = _in_kinds(value, shape, path)
        case _:
            found = _other(value, shape, path)
    return found


def _of_any(value: object, shape: Either, path: KeyPath) -> Misfit | None:
    found = [misfit(value, one, path) for one in shape.shapes]
    if None in found:
        return None
    inner = (one for one in found if one is not None and len(one[0]) > len(path))
    return next(inner, None) or _other(value, shape, path)


def _in_items(value: list[object], shape: Items, path: KeyPath) -> Misfit | None:
    seen: list[object] = []
    for index, item in enumerate(value):
        if found := misfit(item, shape.of, (*path, index)):
            return found
        own = item.get(shape.once) if shape.once is not None and isinstance(item, dict) else None
        if own is not None and own in seen:
            return (*path, index), f"has the same {shape.once!r} as another; give each its own"
        seen.append(own)
    return None


def _in_record(value: Mapping[str, object], shape: Record, path: KeyPath) -> Misfit | None:
    for key in shape.needs:
        if key not in value:
            return (*path, key), f"is missing; expected {_words(shape.keys[key])}"
    if shape.one_of and sum(key in value for key in shape.one_of) != 1:
        return path, f"is {described(value)}; expected exactly one of the keys {' and '.join(shape.one_of)}"
    inner = (misfit(value[key], one, (*path, key)) for key, one in shape.keys.items() if key in value)
    return next((found for found in inner if found is not None), None)


def _in_each(value: Mapping[str, object], shape: Each, path: KeyPath) -> Misfit | None:
    if shape.is_filled and not value:
        return path, "is empty; expected one key at least"
    for key, item in value.items():
        if shape.key is not None and not shape.key.holds(key):
            return path, f"has the key {key!r}; expected {shape.key.words}"
        if found := misfit(item, shape.value, (*path, key)):
            return found
    return None


def _in_kinds(value: Mapping[str, object], shape: Kinds, path: KeyPath) -> Misfit | None:
    kind = value.get(shape.key, shape.default)
    if not isinstance(kind, str) or kind not in shape.kinds:
        found = f"is {described(kind)}" if shape.key in value else "is missing"
        return (*path, shape.key), f"{found}; expected one of {', '.join(shape.kinds)}"
    return _in_record(value, shape.kinds[kind], path)


def _other(value: object, shape: Shape, path: KeyPath) -> Misfit:
    return path, f"is {described(value)}; expected {_words(shape)}"


def _words(shape: Shape) -> str:
    match shape:
        case Plain():
            return shape.words
        case Items():
            return f"a list, each item {_words(shape.of)}"
        case Record() | Each() | Kinds():
            return "a mapping"
        case Either():
            return ", or ".join(_words(one) for one in shape.shapes)
