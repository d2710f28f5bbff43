"""Reports as JSON text, there and back.

Equal reports give equal text, and what was written is read back equal. Two things are not kept: a tuple
among free JSON values comes back as a list, and half a surrogate pair as U+FFFD, since neither exists in a
JSON file.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from pydantic import ValidationError

from skill_evaluator.errors import InputError
from skill_evaluator.report.consistency import contradictions
from skill_evaluator.report.faults import MAX_SIZE_MB, parse_report_json, schema_faults, size_fault, version_faults
from skill_evaluator.report.upgrades import upgraded
from skill_evaluator.report.wire import ReportFile, derived

if TYPE_CHECKING:
    from skill_evaluator.model import Finding
    from skill_evaluator.results import Comparison, Report

# Mappings with these keys keep this order; all other keys are sorted.
_ORDER = (
    *("acceptance", "tuning"),
    *("positive", "negative"),
    *("precision", "recall", "f1", "false_trigger_rate"),
    *("output_pass_rate", "params_pass_rate", "tool_order_pass_rate", "pass_hat_k"),
    *("latency_p50", "latency_p95", "input_tokens", "output_tokens", "cost_usd"),
)
_HALF_PAIR = re.compile(r"\\u[dD][89a-fA-F]")  # an escape of a surrogate
_RANK = {name: rank for rank, name in enumerate(_ORDER)}


def report_to_json(report: "Report") -> str:
    """Lay a report out as the text of its JSON file.

    Returns:
        Two spaces of indent, keys in a fixed order, no ASCII escapes, a line end at the end. Numbers are
        never rounded.

    Raises:
        ValueError: If a number is not finite.
        TypeError: If a value is of no JSON type.
    """
    extra = derived(report)
    values = {name: extra[name] if name in extra else getattr(report, name) for name in ReportFile.model_fields}
    return _text({name: _ordered(value) for name, value in values.items()})


def comparison_to_json(comparison: "Comparison") -> str:
    """Lay a comparison out as JSON text, as it stands in a report."""
    return _text(_ordered(comparison))


def report_from_json(text: str, *, name: str) -> "Report":
    """Read a report back, trusting nothing: all that its cases decide is worked out again.

    Args:
        text: The text of the file, without a byte order mark.
        name: The file as the user named it, for the findings.

    Raises:
        InputError: With every fault of `parse_report`; else with the first contradictions between the cases and what
            the file says of them.
    """
    content, report = _parsed(text, name)
    repeated = {key: (content[key], value) for key, value in derived(report).items()}
    _refuse(contradictions(report, repeated, name))
    return report


def parse_report(text: str, *, name: str) -> "Report":
    """Read a report's keys and types, believing its numbers.

    Raises:
        InputError: With every fault: no JSON, another kind of file, a version this program does not read, unknown or
            missing keys, or wrong types.
    """
    return _parsed(text, name)[1]


def _parsed(text: str, name: str) -> "tuple[Mapping[str, object], Report]":
    if len(text) > MAX_SIZE_MB * 2**20:
        raise InputError([size_fault(name)])
    content = parse_report_json(text, name)
    _refuse(version_faults(content, name))
    current = upgraded(content)
    if current is not content:
        content, text = current, json.dumps(current, ensure_ascii=False)
    try:
        file = ReportFile.model_validate_json(_for_pydantic(text, content))
    except ValidationError as error:
        raise InputError(schema_faults(error, name)) from error
    return content, file.report()


def _for_pydantic(text: str, content: Mapping[str, object]) -> str:
    """The same JSON, without the half pairs that pydantic refuses; one written as an escape has to be parsed first."""
    return _without_half_pairs(json.dumps(content, ensure_ascii=False) if _HALF_PAIR.search(text) else text)


def _text(layout: object) -> str:
    return _without_half_pairs(json.dumps(layout, indent=2, ensure_ascii=False, allow_nan=False)) + "\n"


def _refuse(faults: "tuple[Finding, ...]") -> None:
    if faults:
        raise InputError(faults)


def _ordered(value: object) -> object:
    """Turn a value into plain JSON types, every key in its place."""
    if is_dataclass(value):
        return {field.name: _ordered(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _ordered(value[key]) for key in sorted(value, key=_place)}
    if isinstance(value, list | tuple):
        return [_ordered(item) for item in value]
    return str(value) if isinstance(value, StrEnum) else value


def _place(key: str) -> tuple[int, str]:
    return _RANK.get(key, len(_RANK)), key


def _without_half_pairs(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
