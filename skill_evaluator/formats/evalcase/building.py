"""A sound object -> the case it stands for."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from skill_evaluator.formats.evalcase.checks import check_of
from skill_evaluator.model import Assertion, EvalCase, Provenance, Severity, Source

_SEVERITIES: Final[Mapping[str, Severity]] = {severity.value: severity for severity in Severity}
_provenance = lru_cache(maxsize=256)(Provenance)  # most cases of a file have the same


def build_case(row: Mapping[str, Any], place: Source, *, locked: bool) -> EvalCase:
    """Make the case of a sound object.

    Args:
        row: What `check_row` found no fault in.
        place: File and line.
        locked: Whether it lies in `locked/`.
    """
    return EvalCase(
        id=row["id"],
        source_locale=row["source_locale"],
        target_locale=row["target_locale"],
        domain=row["domain"],
        source=row["source"],
        assertions=tuple([_assertion(one, row) for one in row["assertions"]]),
        provenance=_provenance(**row["provenance"]),
        place=place,
        locked=locked,
        context=row.get("context", {}),
        required_tokens=tuple(row.get("required_tokens", ())),
        references=tuple(row.get("references", ())),
        difficulty=row.get("difficulty"),
        tags=tuple(row.get("tags", ())),
        row=row,
    )


def _assertion(written: Mapping[str, Any], row: Mapping[str, Any]) -> Assertion:
    name, params = written["name"], written.get("params", {})
    check = check_of(name, params, row)
    return Assertion(name=name, severity=_SEVERITIES[written["severity"]], params=params, check=check)
