"""Faults of a line -> findings, with the file, the line and the place in it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from skill_evaluator.formats.evalcase.form import Fault
from skill_evaluator.formats.json_text import pointer_to
from skill_evaluator.formats.visible import visible_findings
from skill_evaluator.model import Finding

_MAX_SHOWN: Final = 300  # characters of an id or a place; nobody means a longer one


def finding_of(fault: Fault, path: Path, line: int | None = None, raw: Mapping[str, object] | None = None) -> Finding:
    """Say where a fault is.

    Args:
        fault: The fault.
        path: The file.
        line: 1-based, or None for the file as a whole.
        raw: The object of the line, which names its case; None where there is none.
    """
    from skill_evaluator.formats.evalcase.secrets import holds_secret  # noqa: PLC0415 - start-up of other commands

    case_id = raw.get("id") if raw else None
    named = isinstance(case_id, str) and case_id.strip() and len(case_id) <= _MAX_SHOWN and not holds_secret(case_id)
    finding = Finding(
        level=fault.level,
        code=fault.code,
        message=fault.message,
        file=str(path),
        case=str(case_id) if named else None,
        pointer=_pointer(fault),
        line=line,
        values=fault.values,
    )
    return visible_findings([finding])[0]


def _pointer(fault: Fault) -> str | None:
    pointer = pointer_to(*fault.parts)
    return (pointer if len(pointer) <= _MAX_SHOWN else f"{pointer[:_MAX_SHOWN]}...") or None
