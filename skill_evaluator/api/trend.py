"""Several saved results over time."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from skill_evaluator.api.saved import load_any
from skill_evaluator.compare.trend import trend
from skill_evaluator.compare.trend_sides import ReportSide, Side, SuiteSide
from skill_evaluator.errors import InputError
from skill_evaluator.results import Report
from skill_evaluator.results.trends import Trend

if TYPE_CHECKING:
    from skill_evaluator.model import Finding


def load_trend(paths: Iterable[Path]) -> Trend:
    """Put saved reports of `run`, and saved results of eval suites, in the order of time.

    Args:
        paths: JSON files of either kind, in any order.

    Raises:
        InputError: With the faults of all files that cannot be read.
    """
    return trend(_sides(paths))


def _sides(paths: Iterable[Path]) -> Iterator[Side]:
    findings: list[Finding] = []
    for path in paths:
        try:
            saved = load_any(path)
        except InputError as error:
            findings += error.findings
            continue
        yield ReportSide(str(path), saved) if isinstance(saved, Report) else SuiteSide(str(path), saved)
    if findings:
        raise InputError(findings)
