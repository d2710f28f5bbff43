"""The failed cases of a report, each once, with all the ways in which it failed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from skill_evaluator.model import Split
from skill_evaluator.report.escape import Md
from skill_evaluator.report.failures import FailedView, failed_view
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.results import CaseResult, FailedCase, Report

_FLIP = "flip"


@dataclass(frozen=True, kw_only=True, slots=True)
class Failed:
    """One failed case.

    Attributes:
        case: The case.
        failures: All the ways in which it failed, never empty.
        is_flip: Whether the baseline had decided it rightly.
    """

    case: CaseResult
    failures: Sequence[FailedCase]
    is_flip: bool

    @property
    def is_unmeasured(self) -> bool:
        """Whether nothing is known of it, so that it is no wrong decision."""
        return self.failures[0].sort == "unmeasured"

    @property
    def type(self) -> str:
        """A stable name of what happened: the first sort of failure, and whether it is new."""
        sort = self.failures[0].sort
        return f"{_FLIP}.{sort}" if self.is_flip else sort

    def views(self, say: Phrases) -> list[FailedView]:
        """Every failure in words."""
        return [failed_view(failure, self.case, say) for failure in self.failures]

    def headline(self, say: Phrases) -> Md:
        """What went wrong in one line, and whether it went right before."""
        summaries = dict.fromkeys(view.summary for view in self.views(say))
        return say("ci.flipped" if self.is_flip else "ci.failed", what=say.join(summaries))


def failed_cases(report: Report, split: Split) -> Mapping[str, Failed]:
    """Give the failed cases of a split by id, in the order of the test set."""
    failures: dict[str, list[FailedCase]] = {}
    for one in report.failed_cases:
        if one.split is split:
            failures.setdefault(one.id, []).append(one)
    worsened = frozenset(flips(report, split)[0])
    return {
        case.id: Failed(case=case, failures=failures[case.id], is_flip=case.id in worsened)
        for case in report.cases
        if case.split is split and case.id in failures
    }


def flips(report: Report, split: Split) -> tuple[Sequence[str], Sequence[str]]:
    """Give the ids of cases that are wrong now and were right in the baseline, and of those that went the other way."""
    paired = report.comparison.paired.get(split) if report.comparison else None
    return (paired.worsened, paired.improved) if paired else ((), ())
