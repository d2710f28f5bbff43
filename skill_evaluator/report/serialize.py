"""Reports as JSON text, there and back.

Equal reports give equal text, and what was written is read back equal. Two things are not kept: a tuple
among free JSON values comes back as a list, and half a surrogate pair as U+FFFD, since neither exists in a
JSON file.
"""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from pydantic import ValidationError

from skill_evaluator.errors import InputError
from skill_evaluator.report.faults import changed_faults, parse_report_json, schema_faults, version_faults
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
    """Read a report back, trusting nothing.

    Args:
        text: The text of the file, without a byte order mark.
        name: The file as the user named it, for the findings.

    Raises:
        InputError: With every fault: no JSON, another kind of file, a version this program does not read,
            unknown or missing keys, wrong types, or metrics that its own splits contradict.
    """
    content = parse_report_json(text, name)
    _refuse(version_faults(content, name))
    try:
        file = ReportFile.model_validate_json(_without_half_pairs(json.dumps(content, ensure_ascii=False)))
    except ValidationError as error:
        raise InputError(schema_faults(error, name)) from error
    report = file.report()
    _refuse(changed_faults(content, derived(report), name))
    return report


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
