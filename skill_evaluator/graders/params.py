"""Check of the fields of the JSON in the output.

Types are strict: `1` is not `"1"`, `true` is not `1`. JSON has one kind of number, so `1` equals `1.0`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from skill_evaluator.graders.evidence import clean, cut_middle, normalised, not_run, output_cut, shown
from skill_evaluator.graders.json_in_text import find_json
from skill_evaluator.model import JsonObject, Outcome, Run

_ABSENT = object()
_INDEX_DIGITS = 9  # longer numbers index nothing, and Python refuses to read very long ones


@dataclass(frozen=True, kw_only=True, slots=True)
class Params:
    """One JSON value of the output has all these fields.

    The output may be JSON, hold it in fenced blocks or in its sentences, see `find_json`.

    Attributes:
        expected: Field -> value. A field is a key, or a dotted path such as `a.b.0.c` where no key has that very
            name. An object expects its fields within the field, others may stand beside them; an array expects
            exactly its items; text is compared in NFC with LF line ends.
    """

    expected: JsonObject

    def check(self, run: Run) -> Outcome:
        """Compare field by field; the evidence shows the value of the output that comes closest."""
        if run.output is None:
            return not_run("makes no output")
        if run.output_cut:
            return output_cut("which JSON it holds")
        expected = {normalised(name): _comparable(value) for name, value in self.expected.items()}
        found = map(_comparable, find_json(run.output))
        closest = min((_faults(expected, value) for value in found), key=_distance, default=None)
        if closest is None:
            return self._no_json(run.output)
        return _mismatch(closest, run.output) if closest else _OK

    def _no_json(self, output: str) -> Outcome:
        return Outcome(
            passed=False,
            code="params_no_json",
            message="The output holds no JSON object, so no field could be compared.",
            evidence={"expected": shown(self.expected), "output": cut_middle(clean(output))},
        )


_OK = Outcome(passed=True, code="params_ok", message="The JSON in the output has all fields expected.")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Fault:
    """One field that is not as expected; `actual` is None where it is missing."""

    path: str
    expected: object
    actual: object
    why: Literal["missing", "type", "value"]

    def as_json(self) -> JsonObject:
        """Put the fault into JSON types."""
        return {
            "path": clean(self.path),
            "expected": shown(self.expected),
            "actual": shown(self.actual),
            "why": self.why,
        }


def _mismatch(faults: Sequence[_Fault], output: str) -> Outcome:
    return Outcome(
        passed=False,
        code="params_mismatch",
        message=f"Fields that are not as expected: {', '.join(clean(fault.path) for fault in faults)}.",
        evidence={"fields": [fault.as_json() for fault in faults], "output": cut_middle(clean(output))},
    )


def _comparable(value: object) -> object:
    """Turn a JSON value into lists and dicts whose texts are equal where they look the same."""
    match value:
        case str():
            return normalised(value)
        case Mapping():
            return {normalised(key): _comparable(item) for key, item in value.items()}
        case Sequence():
            return [_comparable(item) for item in value]
        case _:
            return value


def _faults(expected: JsonObject, value: object, above: str = "") -> list[_Fault]:
    """List the fields of `expected` that `value` lacks or has otherwise."""
    return [fault for name, wanted in expected.items() for fault in _field_faults(name, wanted, value, above)]


def _field_faults(name: str, wanted: object, value: object, above: str) -> Iterator[_Fault]:
    path = above + name
    actual = _find(value, name)
    if actual is _ABSENT:
        yield _Fault(path=path, expected=wanted, actual=None, why="missing")
    elif isinstance(wanted, dict) and isinstance(actual, dict):
        yield from _faults(wanted, actual, f"{path}.")
    elif _kind(wanted) != _kind(actual):
        yield _Fault(path=path, expected=wanted, actual=actual, why="type")
    elif not _equal(wanted, actual):
        yield _Fault(path=path, expected=wanted, actual=actual, why="value")


def _distance(faults: Sequence[_Fault]) -> tuple[int, int]:
    """Count the values that are wrong, then the fields that are not even there."""
    return sum(_leaves(fault.expected) for fault in faults), sum(fault.why == "missing" for fault in faults)


def _leaves(wanted: object) -> int:
    return sum(map(_leaves, wanted.values())) if isinstance(wanted, dict) and wanted else 1


def _find(value: object, path: str) -> object:
    """Follow a path; a key that is the whole rest of the path goes before a step into it."""
    match value:
        case dict():
            if path in value:
                return value[path]
            head, _, rest = path.partition(".")
            return _find(value[head], rest) if rest and head in value else _ABSENT
        case list():
            head, _, rest = path.partition(".")
            if not (head.isascii() and head.isdigit() and len(head) <= _INDEX_DIGITS and int(head) < len(value)):
                return _ABSENT
            return _find(value[int(head)], rest) if rest else value[int(head)]
        case _:
            return _ABSENT


def _equal(wanted: object, actual: object) -> bool:
    """Compare two JSON values exactly, with the equality of JSON."""
    if _kind(wanted) != _kind(actual):
        return False
    match wanted, actual:
        case dict(), dict():
            return wanted.keys() == actual.keys() and all(_equal(item, actual[key]) for key, item in wanted.items())
        case list(), list():
            return len(wanted) == len(actual) and all(map(_equal, wanted, actual))
        case _:
            return wanted == actual


def _kind(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            return "string"
        case dict():
            return "object"
        case _:
            return "array"
