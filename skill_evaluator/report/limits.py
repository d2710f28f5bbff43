"""What a metric has to reach, or must not exceed, and how it is shown beside that."""

from skill_evaluator.metrics.limits import TENTH
from skill_evaluator.metrics.output import OUTPUT_PASS_RATE
from skill_evaluator.report import numbers
from skill_evaluator.report.escape import Md
from skill_evaluator.report.output_only import is_output_only
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.report.scores import shown
from skill_evaluator.results import Metric, Report


def limit_of(name: str, report: Report) -> float | None:
    """What decides: F1, or where no case asks for a trigger the share of right outputs, and the false-trigger rate.

    Args:
        name: A metric.
        report: The report it stands in.

    Returns:
        The lowest value that passes, of the false-trigger rate the highest; None where nothing is asked.
    """
    if is_output_only(report):
        return report.config.pass_threshold if name == OUTPUT_PASS_RATE else None
    return {"f1": report.config.pass_threshold, "false_trigger_rate": TENTH}.get(name)


def beside_limit(metric: Metric, limit: float | None, say: Phrases) -> Md:
    """Show a metric with as many decimals as it takes to tell it from its limit; a dash where it is undefined."""
    if metric.value is None or limit is None:
        return shown(metric.value, metric.unit, say)
    return Md(numbers.apart(metric.value, limit))
