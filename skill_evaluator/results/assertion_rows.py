"""Results of assertions as JSON objects: the seven fields, always all of them, in the order of the contract.

`assertion-result.schema.json` beside this module says the same to other programs.
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import Final

from skill_evaluator.model import Severity
from skill_evaluator.results.assertions import AssertionResult

FIELDS: Final = tuple(field.name for field in fields(AssertionResult))
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
    faults = [f"{name!r} is missing" for name in FIELDS if name not in row]
    faults += [f"{name!r} is no field of a result" for name in row if name not in FIELDS]
    faults += [f"{name!r} should be text" for name in _TEXTS if name in row and not isinstance(row[name], str)]
    passed, severity, evidence = (row.get(name) for name in ("passed", "severity", "evidence"))
    if not (passed is None or isinstance(passed, bool)):
        faults.append("'passed' should be true, false or null")
    if "severity" in row and severity not in tuple(Severity):
        faults.append(f"'severity' should be one of {', '.join(Severity)}")
    if "evidence" in row and not isinstance(evidence, dict):
        faults.append("'evidence' should be an object")
    if faults or not isinstance(evidence, dict) or not (passed is None or isinstance(passed, bool)):
        raise ValueError("; ".join(faults))
    texts = {name: str(row[name]) for name in _TEXTS}
    return AssertionResult(**texts, passed=passed, severity=Severity(str(severity)), evidence=evidence)
