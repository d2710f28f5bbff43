"""The cases of a report."""

from collections.abc import Mapping

from skill_evaluator.report.phrases import Phrases
from skill_evaluator.results import Report


def case_list(_report: Report, _say: Phrases) -> Mapping[str, object]:
    """Word the cases."""
    return {}
