"""Reads reports, and answers of eval suites, that were saved earlier."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from skill_evaluator.errors import InputError
from skill_evaluator.model import Finding, Level
from skill_evaluator.reasons import reason_of
from skill_evaluator.regular_files import read_regular
from skill_evaluator.report.faults import MAX_SIZE_MB, parse_report_json
from skill_evaluator.report.serialize import report_from_json
from skill_evaluator.results import Comparison, FailOn, Report
from skill_evaluator.texts import tr

if TYPE_CHECKING:
    from skill_evaluator.results.suite_result import SuiteResult

T = TypeVar("T")

_MAX_BYTES = MAX_SIZE_MB * 1_000_000
_SUITE_KEY = '"schemaVersion"'


def load_report(path: Path) -> Report:
    """Read a report's JSON.

    Raises:
        InputError: If it cannot be read or is no report of a version this program knows.
    """
    return report_from_json(_text_of(path), name=str(path))


def load_suite_result(path: Path) -> "SuiteResult":
    """Read an `aggregate-result.json`, ours or one of the real program.

    Raises:
        InputError: If it cannot be read or is no such file of a version this program knows.
    """
    from skill_evaluator.report.suite.reading import suite_result_from_json  # noqa: PLC0415 - only the kind at hand is loaded

    return suite_result_from_json(_text_of(path), name=str(path))


def load_any(path: Path) -> "Report | SuiteResult":
    """Read a report of `run` or the answer of an eval suite, told apart by their content.

    Raises:
        InputError: As `load_report` and `load_suite_result`.
    """
    text, name = _text_of(path), str(path)
    if _SUITE_KEY not in text:
        return report_from_json(text, name=name)
    from skill_evaluator.report.suite.reading import is_suite_result, suite_result_of  # noqa: PLC0415 - only the kind at hand is loaded

    content = parse_report_json(text, name)
    return suite_result_of(content, name=name) if is_suite_result(content) else report_from_json(text, name=name)


def load_baseline(path: Path) -> Report:
    """Read a report that another one is to be compared with.

    Raises:
        InputError: As `load_report`, and if it measured too little to compare with.
    """
    from skill_evaluator.compare.reports import refuse_as_baseline  # noqa: PLC0415 - only the kind at hand is loaded

    report = load_report(path)
    refuse_as_baseline(report, str(path))
    return report


def load_pair(new: Path, old: Path) -> tuple[Report, Report]:
    """Read two reports that are to be compared.

    Returns:
        The later one and the earlier one, as named.

    Raises:
        InputError: With the faults of both files, or if they are of two kinds.
    """
    later, earlier = _both((new, load_report), (old, load_baseline))
    _refuse_two_kinds(later, earlier, (new, old))
    return later, earlier


class ReportPair(NamedTuple):
    """Two reports of `run`."""

    new: Report
    old: Report


class SuitePair(NamedTuple):
    """Two answers of eval suites."""

    new: "SuiteResult"
    old: "SuiteResult"


def load_any_pair(new: Path, old: Path) -> ReportPair | SuitePair:
    """Read two reports of `run`, or two answers of eval suites, that are to be compared.

    Returns:
        The later one and the earlier one, as named.

    Raises:
        InputError: With the faults of both files, or if they are of two kinds.
    """
    later, earlier = _both((new, load_any), (old, load_any))
    if not isinstance(later, Report) and not isinstance(earlier, Report):
        return SuitePair(later, earlier)
    if isinstance(later, Report) and isinstance(earlier, Report):
        from skill_evaluator.compare.reports import refuse_as_baseline  # noqa: PLC0415 - only the kind at hand is loaded

        _refuse_two_kinds(later, earlier, (new, old))
        refuse_as_baseline(earlier, str(old))
        return ReportPair(later, earlier)
    message = tr(
        "{new} and {old} cannot be compared: one is a report of `run`, the other a result of an eval suite; "
        "name two of one kind",
        new=str(new),
        old=str(old),
    )
    raise InputError([Finding(level=Level.FAIL, code="compare-kinds", message=message)])


def compare_reports(new: Path, old: Path, *, on_shared_cases: bool = False, fail_on: FailOn = "never") -> Comparison:
    """Compare two saved reports.

    Args:
        new: The later one.
        old: The earlier one.
        on_shared_cases: Compare on the shared cases where the questions differ.
        fail_on: Which regressions `Comparison.stops` names.

    Raises:
        InputError: With the faults of both files.
    """
    from skill_evaluator.compare.reports import compare  # noqa: PLC0415 - only the kind at hand is loaded

    return compare(*load_pair(new, old), on_shared_cases=on_shared_cases, fail_on=fail_on)


def _refuse_two_kinds(new: Report, old: Report, names: tuple[Path, Path]) -> None:
    from skill_evaluator.api.kinds import pair_faults  # noqa: PLC0415 - only where two reports meet

    if faults := list(pair_faults(new, old, names)):
        raise InputError(faults)


def _both(new: tuple[Path, Callable[[Path], T]], old: tuple[Path, Callable[[Path], T]]) -> tuple[T, T]:
    """Read two files, each in its way; the faults of both are raised together."""
    findings: list[Finding] = []
    found: list[T] = []
    for path, load in (new, old):
        try:
            found.append(load(path))
        except InputError as error:
            findings += error.findings
    if findings:
        raise InputError(findings)
    return found[0], found[1]


def _text_of(path: Path) -> str:
    try:
        raw = read_regular(path, max_bytes=_MAX_BYTES + 1)
        text = raw.decode("utf-8-sig") if len(raw) <= _MAX_BYTES else None
    except OSError as error:
        raise _unreadable(
            path, tr("cannot be read ({why}); name the .json file of a report", why=reason_of(error))
        ) from error
    except UnicodeDecodeError as error:
        raise _unreadable(
            path, tr("is not UTF-8 at byte {start}; name the .json file of a report", start=error.start)
        ) from error
    if text is None:
        raise _unreadable(
            path, tr("is larger than {max_size_mb} MB; name the .json file of a report", max_size_mb=MAX_SIZE_MB)
        )
    return text


def _unreadable(path: Path, message: str) -> InputError:
    return InputError([Finding(level=Level.FAIL, code="report-unreadable", file=str(path), message=message)])
