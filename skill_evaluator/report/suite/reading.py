"""Reads `aggregate-result.json` back, as this product or the real program wrote it."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import TypeVar

from pydantic import ValidationError

from skill_evaluator.errors import InputError
from skill_evaluator.model import Finding, Level
from skill_evaluator.report.faults import parse_report_json, schema_faults
from skill_evaluator.report.suite.added_rows import AddedRow
from skill_evaluator.report.suite.rows import ResultRow, Row, RunRow
from skill_evaluator.results.suite_result import SUITE_SCHEMA_VERSION, CaseOfSuite, RunOfCase, SuiteResult
from skill_evaluator.texts import tr

OUR_KEY = "skillEvaluator"
_RowT = TypeVar("_RowT", bound=Row)
_Place = tuple[int, str, int]  # case, arm and run


def suite_result_from_json(text: str, *, name: str) -> SuiteResult:
    """Read the answer of a suite.

    Args:
        text: The text of the file, without a byte order mark.
        name: The file as the user named it, for the findings.

    Raises:
        InputError: With every fault and its place: no JSON, another version, missing keys, wrong types.
    """
    return suite_result_of(parse_report_json(text, name), name=name)


def suite_result_of(content: Mapping[str, object], *, name: str) -> SuiteResult:
    """Read the answer of a suite from its parsed file; faults as `suite_result_from_json`."""
    if faults := _version_faults(content, name):
        raise InputError(faults)
    found: list[Finding] = []
    row = _checked(ResultRow, content, name, found, under="")
    ours = content.get(OUR_KEY)
    added = None if ours is None else _checked(AddedRow, ours, name, found, under=f"/{OUR_KEY}")
    if row is None or found:
        raise InputError(found)
    return _result(row, added)


def is_suite_result(content: Mapping[str, object]) -> bool:
    """Whether a parsed file is the answer of a suite rather than a report of `run`."""
    return "schema_version" not in content and "schemaVersion" in content


def _checked(kind: type[_RowT], content: object, name: str, found: list[Finding], *, under: str) -> _RowT | None:
    try:
        return kind.model_validate(content)
    except ValidationError as error:
        found += schema_faults(error, name, under=under)
        return None


def _version_faults(content: Mapping[str, object], name: str) -> Sequence[Finding]:
    version = content.get("schemaVersion")
    if version == SUITE_SCHEMA_VERSION and not isinstance(version, bool):
        return ()
    reads = tr(
        "this program reads version {suite_schema_version} of a suite's result",
        suite_schema_version=SUITE_SCHEMA_VERSION,
    )
    if isinstance(version, int) and version > SUITE_SCHEMA_VERSION:
        message = tr("its schemaVersion is {version}; {reads}: upgrade skill-evaluator", version=version, reads=reads)
    else:
        message = tr(
            "schemaVersion is missing or not {suite_schema_version}; {reads}: name an aggregate-result.json",
            suite_schema_version=SUITE_SCHEMA_VERSION,
            reads=reads,
        )
    values = {"version": version, "reads": SUITE_SCHEMA_VERSION}
    return [Finding(level=Level.FAIL, code="suite-result-version", file=name, message=message, values=values)]


def _result(row: ResultRow, added: AddedRow | None) -> SuiteResult:
    ended = None if added is None else {(one.case, one.arm, one.run) for one in added.api_errors}
    return SuiteResult(
        claude_version=row.claude_version,
        started_at=datetime.fromisoformat(row.started_at),
        duration_s=row.duration_seconds,
        cost_usd=row.cost_usd,
        settings=row.suite.value(),
        cases=tuple(_case(row, place, ended) for place in range(len(row.cases))),
        numbers=row.aggregates.value(),
        partial_reason=row.partial_reason,
        measures=None if added is None else added.value(),
        refused=() if added is None else tuple(added.refused),
    )


def _case(result: ResultRow, place: int, ended: Collection[_Place] | None) -> CaseOfSuite:
    row = result.cases[place]
    without = row.arms.without
    return row.value(
        _runs(row.arms.with_, (place, "with"), ended),
        None if without is None else _runs(without, (place, "without"), ended),
    )


def _runs(rows: Sequence[RunRow], side: tuple[int, str], ended: Collection[_Place] | None) -> tuple[RunOfCase, ...]:
    return tuple(row.value(is_api_error=_is_api_error(row, (*side, index), ended)) for index, row in enumerate(rows))


def _is_api_error(row: RunRow, place: _Place, ended: Collection[_Place] | None) -> bool | None:
    """Our own files name such runs; one of the real program leaves it open for a run that was not graded."""
    if ended is not None:
        return place in ended
    return None if row.error is not None and not row.graders else False
