"""Whether a report stops a build: the one rule behind exit statuses, JUnit files and annotations."""

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from skill_evaluator.results import Report, ReportVerdict

if TYPE_CHECKING:
    from collections.abc import Mapping

_PARTIAL: Final = 2  # of a report from which something is missing, whatever its verdict
_BY_VERDICT: Final["Mapping[ReportVerdict, int]"] = MappingProxyType(
    {
        ReportVerdict.PASS: 0,
        ReportVerdict.ESTIMATE: 0,
        ReportVerdict.FAIL: 1,
        ReportVerdict.UNSTABLE: 1,
        ReportVerdict.INVALID: 2,
        ReportVerdict.DRAFT: 2,
    }
)


def exit_status(report: Report) -> int:
    """Give the exit status of a report: 0 passed or estimated, 1 failed or regressed, 2 nothing to rely on."""
    stopped = report.comparison is not None and bool(report.comparison.stops)
    return max(_BY_VERDICT[report.verdict], int(stopped), _PARTIAL if report.stopped_by else 0)


def stops_build(report: Report) -> bool:
    """Whether a build that runs this is to fail."""
    return exit_status(report) != 0
