"""Shapes of values, to write what a file may hold as a table."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from skill_evaluator.texts import tr


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


YES_OR_NO: Final = Plain(words=tr("true or false"), holds=lambda value: isinstance(value, bool))
ANY_MAPPING: Final = Plain(words=tr("a mapping"), holds=lambda value: isinstance(value, dict))
