"""What can be wrong with a report's JSON file, each fault with its place and what to do."""

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, is_dataclass, replace
from typing import NoReturn

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from skill_evaluator.errors import InputError
from skill_evaluator.formats.json_syntax import explain, line_of
from skill_evaluator.model import Finding, Level
from skill_evaluator.reasons import reason_of
from skill_evaluator.report.differences import Difference, escaped
from skill_evaluator.results import SCHEMA_VERSION
from skill_evaluator.texts import tr

_AS_WRITTEN = tr("use the file as it was written")
_EDITED = tr("the file was edited or damaged: make the report again with `skill-evaluator regrade RUN_DIR`")
MAX_SIZE_MB = 256
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
        reason = explain(text, error)
        message = tr("this is no JSON ({reason}); name the .json file of a report", reason=reason)
        finding = _fault(name, "report-not-json", message, {"error": reason})
        raise InputError([replace(finding, line=line_of(text, error))]) from error
    except RecursionError as error:
        raise InputError([_too_deep(name)]) from error
    except ValueError as error:
        message = tr(
            "this is no JSON that a report can hold ({error}); {as_written}",
            error=reason_of(error),
            as_written=_AS_WRITTEN,
        )
        raise InputError([_fault(name, "report-not-json", message, {"error": str(error)})]) from error
    if not isinstance(content, dict):
        message = tr(
            "a report is a JSON object, and this is {content}; name the .json file of a report", content=_kind(content)
        )
        raise InputError([_fault(name, "report-not-object", message, {"found": _kind(content)})])
    return content


def version_faults(content: Mapping[str, object], name: str) -> tuple[Finding, ...]:
    """Tell whether a file is a report of the version that this program reads."""
    version = content.get("schema_version")
    values = {"version": version, "reads": SCHEMA_VERSION}
    if version is None and content.keys() >= _PLUGIN_EVAL_KEYS:
        message = tr("this is a result of `claude plugin eval`, not a report of a skill; name a report of `run`")
        return (_fault(name, "report-of-plugin-eval", message, {}),)
    if version is None:
        message = tr(
            "schema_version is missing, so this is no report of this program; it reads version {schema_version}. "
            "Name a report of `run`, or score that version of the skill again",
            schema_version=SCHEMA_VERSION,
        )
        return (_fault(name, "report-version-missing", message, values),)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        message = tr(
            "schema_version is {version}; this program reads version {schema_version}: {as_written}",
            version=_short(version),
            schema_version=SCHEMA_VERSION,
            as_written=_AS_WRITTEN,
        )
        return (_fault(name, "report-version-unknown", message, values),)
    if version > SCHEMA_VERSION:
        message = tr(
            "its schema_version is {version}; this program reads {schema_version}: upgrade skill-evaluator",
            version=version,
            schema_version=SCHEMA_VERSION,
        )
        return (_fault(name, "report-version-newer", message, values),)
    return ()


def schema_faults(error: ValidationError, name: str, *, under: str = "") -> tuple[Finding, ...]:
    """Word what does not fit the schema, one finding for each place.

    Args:
        error: What does not fit.
        name: The file as the user named it.
        under: JSON pointer of what was checked; empty for the whole file.
    """
    if any(detail["type"] == "json_invalid" for detail in error.errors(include_url=False, include_input=False)):
        return (_too_deep(name),)
    return tuple(_schema_fault(detail, name, under) for detail in error.errors(include_url=False))


def changed_fault(difference: Difference, name: str) -> Finding:
    """Word one place where a file contradicts its own cases."""
    found, expected = _short(difference.found), _short(difference.expected)
    message = tr(
        "{found} stands here, but the rest of the file gives {expected}: {edited}",
        found=found,
        expected=expected,
        edited=_EDITED,
    )
    return _fault(name, "report-changed", message, {"found": found, "expected": expected}, difference.pointer)


def impossible_fault(pointer: str, found: object, rule: str, name: str) -> Finding:
    """Word a value that no run can leave.

    Args:
        pointer: Where it stands.
        found: The value.
        rule: What holds for it in every report; one clause, in English.
        name: The file as the user named it.
    """
    message = tr("{found} cannot be: {rule}; {edited}", found=_short(found), rule=rule, edited=_EDITED)
    return _fault(name, "report-impossible", message, {"found": _short(found), "rule": rule}, pointer)


def more_fault(more: int, name: str) -> Finding:
    """Say how many contradictions are not named."""
    message = tr("and {more} more that the file contradicts itself in; {edited}", more=more, edited=_EDITED)
    return _fault(name, "report-changed-more", message, {"more": more})


def size_fault(name: str) -> Finding:
    """Word a file that is too large to be a report."""
    message = tr(
        "it is larger than {max_size_mb} MB, which no report is; name the .json file of a report",
        max_size_mb=MAX_SIZE_MB,
    )
    return _fault(name, "report-too-large", message, {"limit_mb": MAX_SIZE_MB})


def _too_deep(name: str) -> Finding:
    """Text that is JSON, and that the second parser still gives up on, is nested deeper than it follows."""
    error = tr("its arrays and objects are nested too deep")
    message = tr("this is no JSON that a report can hold ({error}); {as_written}", error=error, as_written=_AS_WRITTEN)
    return _fault(name, "report-not-json", message, {"error": error})


def _schema_fault(detail: ErrorDetails, name: str, under: str) -> Finding:
    pointer = under + _pointer(detail["loc"])
    match detail["type"]:
        case "missing":
            return _fault(
                name, "report-key-missing", tr("this key is missing; {as_written}", as_written=_AS_WRITTEN), {}, pointer
            )
        case kind if kind in _UNKNOWN_KEY:
            return _fault(
                name,
                "report-key-unknown",
                tr("no report has this key; {as_written}", as_written=_AS_WRITTEN),
                {},
                pointer,
            )
        case _:
            rule = detail["msg"].removeprefix("Value error, ").removeprefix("Input ")
            message = tr(
                "{found}: {rule}; {as_written}", found=_short(detail["input"]), rule=rule, as_written=_AS_WRITTEN
            )
            return _fault(name, "report-value", message, {"found": _short(detail["input"]), "rule": rule}, pointer)


def _pointer(place: Sequence[int | str]) -> str:
    """Write a place as a JSON pointer (RFC 6901)."""
    return "".join(f"/{escaped(str(step))}" for step in place if step != "[key]")


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    content = dict(pairs)
    if len(content) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise _RefusedError(tr("the key {twice!r} stands twice in one object", twice=twice))
    return content


def _not_finite(constant: str) -> NoReturn:
    raise _RefusedError(tr("{constant} is no number", constant=constant))


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise _RefusedError(tr("{digits} is too large for a number", digits=digits))
    return value


def _kind(value: object) -> str:
    match value:
        case list():
            return tr("an array")
        case str():
            return tr("a string")
        case bool() | None:
            return tr("a constant")
        case _:
            return tr("a number")


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=_plain)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return dict(value) if isinstance(value, Mapping) else repr(value)


def _fault(name: str, code: str, message: str, values: Mapping[str, object], pointer: str | None = None) -> Finding:
    return Finding(level=Level.FAIL, code=code, file=name, pointer=pointer or None, message=message, values=values)
