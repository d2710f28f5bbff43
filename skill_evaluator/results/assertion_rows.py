"""Results of assertions as JSON objects: the seven fields, always all of them, in the order of the contract.

`assertion-result.schema.json` beside this module says the same to other programs.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import fields
from typing import Final

from skill_evaluator.model import Severity
from skill_evaluator.results.assertions import AssertionResult
from skill_evaluator.texts import joined, tr

FIELDS: Final = tuple(field.name for field in fields(AssertionResult))
# Controls, marks of direction, ends of lines and halves of characters: all are equal to their escapes in JSON.
_STEERING: Final = re.compile(
    "[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
_PLAIN: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
_ASCII: Final = json.JSONEncoder(ensure_ascii=True, allow_nan=False)
_TEXTS: Final = ("case_id", "assertion", "code", "message")


def result_row(result: AssertionResult) -> dict[str, object]:
    """Give the JSON object of a result."""
    return {
        "case_id": result.case_id,
        "assertion": result.assertion,
        "passed": result.passed,
        "severity": str(result.severity),
        "code": result.code,
        "message": result.message,
        "evidence": result.evidence,
    }


def read_result(row: Mapping[str, object]) -> AssertionResult:
    """Read the JSON object of a result.

    Args:
        row: As `json.loads` gives it.

    Raises:
        ValueError: If it is none; names every fault.
    """
    faults = [tr("{name!r} is missing", name=name) for name in FIELDS if name not in row]
    faults += [tr("{name!r} is no field of a result", name=name) for name in row if name not in FIELDS]
    faults += [
        tr("{name!r} should be text", name=name) for name in _TEXTS if name in row and not isinstance(row[name], str)
    ]
    passed, severity, evidence = (row.get(name) for name in ("passed", "severity", "evidence"))
    if not (passed is None or isinstance(passed, bool)):
        faults.append(tr("'passed' should be true, false or null"))
    if "severity" in row and severity not in tuple(Severity):
        faults.append(tr("'severity' should be one of {severity}", severity=", ".join(Severity)))
    if "evidence" in row and not isinstance(evidence, dict):
        faults.append(tr("'evidence' should be an object"))
    if faults or not isinstance(evidence, dict) or not (passed is None or isinstance(passed, bool)):
        raise ValueError(joined("; ", faults))
    texts = {name: str(row[name]) for name in _TEXTS}
    return AssertionResult(**texts, passed=passed, severity=Severity(str(severity)), evidence=evidence)


def result_line(result: AssertionResult, *, ascii_only: bool = False) -> str:
    r"""Write a result as one line of JSON that no terminal is steered by.

    Args:
        result: What is written.
        ascii_only: Whether all letters but those of ASCII are escaped.

    Raises:
        ValueError: If a number in the evidence is not finite.
        TypeError: If a value in the evidence is of no JSON type.
    """
    text = (_ASCII if ascii_only else _PLAIN).encode(result_row(result))
    return text if text.isascii() else _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
