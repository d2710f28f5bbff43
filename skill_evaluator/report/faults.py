"""What can be wrong with a report's JSON file, each fault with its place and what to do."""

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NoReturn

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from skill_evaluator.errors import InputError
from skill_evaluator.model import Finding, Level
from skill_evaluator.results import SCHEMA_VERSION

_AS_WRITTEN = "use the file as it was written"
_SHOWN = 80  # of a wrong value, in characters
_PLUGIN_EVAL_KEYS = frozenset({"schemaVersion", "cases", "aggregates"})
_UNKNOWN_KEY = frozenset({"extra_forbidden", "unexpected_keyword_argument"})


class _RefusedError(ValueError):
    """JSON that the parser of the standard library would let through."""


def parse_report_json(text: str, name: str) -> Mapping[str, object]:
    """Parse the text of a report, down to plain JSON values.

    Raises:
        InputError: If it is no JSON, no object, or has a key twice or a number that is not finite.
    """
    try:
        content: object = json.loads(text, object_pairs_hook=_unique, parse_constant=_not_finite, parse_float=_finite)
    except json.JSONDecodeError as error:
        message = f"this is no JSON ({error.msg}); name the .json file of a report"
        finding = _fault(name, "report-not-json", message, {"error": error.msg})
        raise InputError([replace(finding, line=error.lineno)]) from error
    except (ValueError, RecursionError) as error:
        message = f"this is no JSON that a report can hold ({error}); {_AS_WRITTEN}"
        raise InputError([_fault(name, "report-not-json", message, {"error": str(error)})]) from error
    if not isinstance(content, dict):
        message = f"a report is a JSON object, and this is {_kind(content)}; name the .json file of a report"
        raise InputError([_fault(name, "report-not-object", message, {"found": _kind(content)})])
    return content


def version_faults(content: Mapping[str, object], name: str) -> tuple[Finding, ...]:
    """Tell whether a file is a report of the version that this program reads."""
    version = content.get("schema_version")
    values = {"version": version, "reads": SCHEMA_VERSION}
    if version is None and content.keys() >= _PLUGIN_EVAL_KEYS:
        message = "this is a result of `claude plugin eval`, not a report of a skill; name a report of `run`"
        return (_fault(name, "report-of-plugin-eval", message, {}),)
    if version is None:
        message = (
            f"schema_version is missing, so this is no report of this program; it reads version {SCHEMA_VERSION}. "
            "Name a report of `run`, or score that version of the skill again"
        )
        return (_fault(name, "report-version-missing", message, values),)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        message = f"schema_version is {_short(version)}; this program reads version {SCHEMA_VERSION}: {_AS_WRITTEN}"
        return (_fault(name, "report-version-unknown", message, values),)
    if version > SCHEMA_VERSION:
        message = f"its schema_version is {version}; this program reads {SCHEMA_VERSION}: upgrade skill-evaluator"
        return (_fault(name, "report-version-newer", message, values),)
    return ()


def schema_faults(error: ValidationError, name: str) -> tuple[Finding, ...]:
    """Word what does not fit the schema, one finding for each place."""
    return tuple(_schema_fault(detail, name) for detail in error.errors(include_url=False))


def changed_faults(stored: Mapping[str, object], worked_out: Mapping[str, object], name: str) -> tuple[Finding, ...]:
    """Compare the keys that repeat something with what they repeat.

    Args:
        stored: The whole file.
        worked_out: What `wire.derived` makes of the same report.
        name: The file as the user named it.
    """
    return tuple(
        _changed(pointer, found, expected, name)
        for pointer, found, expected in _differences("", {key: stored[key] for key in worked_out}, worked_out)
    )


def _differences(pointer: str, found: object, expected: object) -> list[tuple[str, object, object]]:
    if isinstance(found, Mapping) and isinstance(expected, Mapping):
        return [
            difference
            for key in expected
            for difference in _differences(f"{pointer}/{key}", found.get(key), expected[key])
        ]
    same = list(expected) == found if isinstance(expected, tuple) else expected == found
    return [] if same else [(pointer, found, expected)]


def _changed(pointer: str, found: object, expected: object, name: str) -> Finding:
    message = (
        f"{_short(found)} stands here, but the rest of the file gives {_short(expected)}: it was changed after it "
        "was written; make it again with `skill-evaluator regrade`"
    )
    values = {"found": _short(found), "expected": _short(expected)}
    return _fault(name, "report-changed", message, values, pointer)


def _schema_fault(detail: ErrorDetails, name: str) -> Finding:
    pointer = _pointer(detail["loc"])
    match detail["type"]:
        case "missing":
            return _fault(name, "report-key-missing", f"this key is missing; {_AS_WRITTEN}", {}, pointer)
        case kind if kind in _UNKNOWN_KEY:
            return _fault(name, "report-key-unknown", f"no report has this key; {_AS_WRITTEN}", {}, pointer)
        case _:
            rule = detail["msg"].removeprefix("Value error, ").removeprefix("Input ")
            message = f"{_short(detail['input'])}: {rule}; {_AS_WRITTEN}"
            return _fault(name, "report-value", message, {"found": _short(detail["input"]), "rule": rule}, pointer)


def _pointer(place: Sequence[int | str]) -> str:
    """Write a place as a JSON pointer (RFC 6901)."""
    steps = (str(step) for step in place if step != "[key]")
    return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in steps)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    content = dict(pairs)
    if len(content) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise _RefusedError(f"the key {twice!r} stands twice in one object")
    return content


def _not_finite(constant: str) -> NoReturn:
    raise _RefusedError(f"{constant} is no number")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise _RefusedError(f"{digits} is too large for a number")
    return value


def _kind(value: object) -> str:
    match value:
        case list():
            return "an array"
        case str():
            return "a string"
        case bool() | None:
            return "a constant"
        case _:
            return "a number"


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _fault(name: str, code: str, message: str, values: Mapping[str, object], pointer: str | None = None) -> Finding:
    return Finding(level=Level.FAIL, code=code, file=name, pointer=pointer or None, message=message, values=values)
