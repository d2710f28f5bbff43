"""Whether a call to a stand-in keeps to the `expect` of its mock file."""

import re
from collections.abc import Sequence
from typing import Final

from skill_evaluator.formats.suite.expect_guards import Expected, Guard, IsOneOf, IsType, read_guards, scalar_text
from skill_evaluator.formats.suite.expect_patterns import ExpectPattern
from skill_evaluator.formats.suite.faults import Values
from skill_evaluator.formats.visible import visible
from skill_evaluator.graders.javascript_json import stringify

_MAX_SHOWN: Final = 80
_MISSING: Final = object()
_INDEX: Final = re.compile(r"[0-9]{1,9}")


def violation(expect: Values, arguments: Values) -> str | None:
    """Say how the input of a call differs from what a mock file expects.

    Args:
        expect: The mapping of the mock file, which was read without faults.
        arguments: The input of the call, as JSON.

    Returns:
        The first difference in the order of the file, with the place and the value; None for a call as expected.
    """
    guards = [guard for guard in read_guards(expect) if isinstance(guard, Guard)]
    return broken_guard(guards, arguments)


def broken_guard(guards: Sequence[Guard], arguments: Values) -> str | None:
    """Say which guard the input of a call breaks first; see `violation`.

    Source:
        Suites recorded with Claude Code 2.1.332: only own keys and indexes are walked, a missing part and null are
        never right, and texts, numbers and truth values are compared as JavaScript writes them.
    """
    for guard in guards:
        value = value_at(arguments, guard.path)
        if (problem := _problem(guard.expected, value)) is not None:
            return f"{visible(guard.path)} = {_shown(value)} {problem}"
    return None


def value_at(arguments: Values, path: str) -> object:
    """Give the value at a dotted path of an input, or a value that stands for nothing; see `is_missing`."""
    value: object = arguments
    for part in path.split("."):
        match value:
            case dict() if part in value:
                value = value[part]
            case list() if _INDEX.fullmatch(part) and int(part) < len(value):
                value = value[int(part)]
            case _:
                return _MISSING
    return value


def is_missing(value: object) -> bool:
    """Say whether `value_at` found nothing."""
    return value is _MISSING


def _problem(expected: Expected, value: object) -> str | None:
    match expected:
        case IsType(word=word):
            return None if _type_word(value) == word else f"is not of the type {word}"
        case IsOneOf(texts=[text]):
            return None if _is_scalar(value) and scalar_text(value) == text else f"is not {_shown(text)}"
        case IsOneOf(texts=texts):
            is_listed = _is_scalar(value) and scalar_text(value) in texts
            return None if is_listed else f"is none of {_shown(list(texts))}"
        case ExpectPattern():
            return _pattern_problem(expected, value)


def _pattern_problem(pattern: ExpectPattern, value: object) -> str | None:
    from skill_evaluator.graders.javascript import has_match  # noqa: PLC0415 - loads an engine

    text = scalar_text(value) if _is_scalar(value) else ""
    units = len(text.encode("utf-16-le", "surrogatepass")) // 2
    if units > pattern.max_units:
        return (
            f"has {units:,} characters, more than the {pattern.max_units:,} that {visible(pattern.written)} is tried on"
        )
    is_match = _is_scalar(value) and has_match(pattern.body, pattern.flags, text) is True
    return None if is_match else f"does not match {visible(pattern.written)}"


def _type_word(value: object) -> str | None:
    match value:
        case bool():
            return "boolean"
        case str():
            return "string"
        case int() | float():
            return "number"
        case list():
            return "array"
        case dict():
            return "object"
        case _:
            return None


def _is_scalar(value: object) -> bool:
    return isinstance(value, str | int | float)


def _shown(value: object) -> str:
    if value is _MISSING:
        return "(missing)"
    text = stringify(value)
    return visible(text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…")
