"""The `expect` of a mock file: what each named part of a call's input must be.

Source: Suites recorded with Claude Code 2.1.332.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from skill_evaluator.formats.suite.expect_patterns import ExpectPattern, looks_like_pattern, read_pattern
from skill_evaluator.formats.suite.faults import KeyPath, SuiteFault, Values
from skill_evaluator.formats.suite.form import described
from skill_evaluator.graders.javascript_json import number_text
from skill_evaluator.texts import listed, tr

TYPE_WORDS: Final = ("string", "number", "boolean", "array", "object")
MAX_GUARDS: Final = 32


@dataclass(frozen=True, kw_only=True, slots=True)
class IsType:
    """The value must be of a JSON type, named by one of `TYPE_WORDS`; null is of none."""

    word: str


@dataclass(frozen=True, kw_only=True, slots=True)
class IsOneOf:
    """The value must be text, number or truth value, and read as one of these texts as JavaScript writes it."""

    texts: tuple[str, ...]


Expected = IsType | IsOneOf | ExpectPattern


@dataclass(frozen=True, kw_only=True, slots=True)
class Guard:
    """What one part of the input must be.

    Attributes:
        path: Keys and indexes from the top of the input, joined by dots.
        expected: What stands there.
    """

    path: str
    expected: Expected


def read_guards(expect: Values) -> tuple[Guard, ...] | tuple[SuiteFault, ...]:
    """Read the mapping under `expect`.

    Args:
        expect: Dotted path -> type word, text, `/pattern/`, number, truth value, list of such, or a mapping of further
            parts.

    Returns:
        Its guards in the order of the file, or all its faults, placed below `expect`.
    """
    guards: list[Guard] = []
    faults: list[SuiteFault] = []
    for path, value in _leaves(expect):
        expected = _read_expected(value)
        if isinstance(expected, str):
            place = ".".join(str(part) for part in path)
            faults.append(
                _fault("bad-expectation", path, tr("`expect` of {place!r} {expected}", place=place, expected=expected))
            )
        else:
            guards.append(Guard(path=".".join(str(part) for part in path), expected=expected))
    if len(guards) + len(faults) > MAX_GUARDS:
        message = tr(
            "`expect` names {count} parts of the input; keep the {limit} that tell most",
            count=len(guards) + len(faults),
            limit=MAX_GUARDS,
        )
        faults.append(_fault("too-many-expectations", (), message))
    return tuple(faults) or tuple(guards)


def scalar_text(value: object) -> str:
    """Write a text, number or truth value as JavaScript's `String` does.

    >>> [scalar_text(value) for value in (5.0, True, "x")]
    ['5', 'true', 'x']
    """
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return number_text(value)
        case _:
            return str(value)


def _leaves(expect: Values) -> Iterator[tuple[KeyPath, object]]:
    waiting: list[tuple[KeyPath, object]] = [((key,), value) for key, value in reversed(list(expect.items()))]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict):
            waiting.extend(((*path, key), inner) for key, inner in reversed(list(value.items())))
        else:
            yield path, value


def _read_expected(value: object) -> Expected | str:
    match value:
        case str() if value in TYPE_WORDS:
            return IsType(word=value)
        case str() if looks_like_pattern(value):
            pattern = read_pattern(value)
            return (
                tr("is {value!r}, which {pattern}", value=value, pattern=pattern)
                if isinstance(pattern, str)
                else pattern
            )
        case list():
            return _read_list(value)
        case _:
            return IsOneOf(texts=(scalar_text(value),)) if _is_plain(value) else _unknown(value)


def _unknown(value: object) -> str:
    return tr(
        "is {found}; expected a type ({names}), a text, '/pattern/', a number, true or false, a list "
        "of such, or a mapping of further parts",
        found=described(value),
        names=listed(TYPE_WORDS),
    )


def _read_list(values: list[object]) -> IsOneOf | str:
    if not values:
        return tr("is an empty list, which no value is in; list the values that are right")
    for item in values:
        if not _is_plain(item):
            return tr("lists {found}; only texts, numbers and truth values can be listed", found=described(item))
    return IsOneOf(texts=tuple(scalar_text(item) for item in values))


def _is_plain(value: object) -> bool:
    return isinstance(value, str | int) or (isinstance(value, float) and math.isfinite(value))


def _fault(code: str, path: KeyPath, message: str) -> SuiteFault:
    return SuiteFault(code=code, path=("expect", *path), message=message, effect="fails")
