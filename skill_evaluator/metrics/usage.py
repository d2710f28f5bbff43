"""What it took: tokens and money by run, and how long the runs lasted.

All of it over valid runs, see `aspects`. What no run reports is None, never 0.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from skill_evaluator.metrics.aspects import is_valid
from skill_evaluator.metrics.cases import run_state
from skill_evaluator.model import Run, Usage
from skill_evaluator.results import CaseResult, Metric, Unit

_REPORTED: Mapping[str, tuple[Unit, Callable[[Usage], float | None]]] = MappingProxyType(
    {
        "input_tokens": ("tokens", lambda usage: usage.input_tokens),
        "output_tokens": ("tokens", lambda usage: usage.output_tokens),
        "cost_usd": ("usd", lambda usage: usage.cost_usd),
    }
)
_PERCENTILES: Mapping[str, int] = MappingProxyType({"latency_p50": 50, "latency_p95": 95})


def usage_metrics(cases: Iterable[CaseResult]) -> dict[str, Metric]:
    """Tokens and US dollars: the mean over the valid runs that report them, whose number is the denominator."""
    usages = [
        run.usage
        for case in cases
        for run in case.runs
        if run.usage is not None and is_valid(run.state, expected=case.expect_trigger)
    ]
    return {
        name: _mean(name, unit, [amount for usage in usages if (amount := read(usage)) is not None])
        for name, (unit, read) in _REPORTED.items()
    }


def latency_metrics(runs: Iterable[Run], *, output_only: Iterable[Run] = ()) -> dict[str, Metric]:
    """Median and 95th percentile of the seconds that valid runs took, whose number is the denominator.

    Percentiles lie between two runs in proportion to their rank (numpy's method `linear`).

    Args:
        runs: Of cases that say whether the skill should fire.
        output_only: Of those that do not.

    Source:
        R. J. Hyndman and Y. Fan (1996), "Sample Quantiles in Statistical Packages", Am. Stat. 50:361-365, definition 7.
    """
    asked: tuple[tuple[bool | None, Iterable[Run]], ...] = ((True, runs), (None, output_only))
    durations_s = [
        run.duration_s
        for expected, found in asked
        for run in found
        if run.duration_s is not None and is_valid(run_state(run), expected=expected)
    ]
    return latency_of(durations_s)


def latency_of(durations_s: Sequence[float]) -> dict[str, Metric]:
    """The metrics of `latency_metrics` of seconds that are at hand already."""
    return {name: _percentile(name, percent, durations_s) for name, percent in _PERCENTILES.items()}


def _mean(name: str, unit: Unit, amounts: Sequence[float]) -> Metric:
    value = math.fsum(amounts) / len(amounts) if amounts else None
    return Metric(name=name, value=value, denominator=len(amounts), unit=unit, higher_is_better=False)


def _percentile(name: str, percent: int, durations_s: Sequence[float]) -> Metric:
    value = percentile(durations_s, percent) if durations_s else None
    return Metric(name=name, value=value, denominator=len(durations_s), unit="s", higher_is_better=False)


def percentile(values: Sequence[float], percent: int) -> float:
    """Interpolate between the two values around a rank, bit for bit as numpy does, whose import takes longer.

    Args:
        values: At least one finite number, in any order.
        percent: 0..100.

    Source:
        numpy.percentile, method `linear`: numbers in the upper half of a gap are reckoned from its upper end.
    """
    ordered = sorted(values)
    rank = (len(ordered) - 1) * (percent / 100)
    below = math.floor(rank)
    low, high = float(ordered[below]), float(ordered[min(below + 1, len(ordered) - 1)])
    part, gap = rank - below, high - low
    return high - gap * (1 - part) if part >= 0.5 else low + gap * part  # noqa: PLR2004 - the middle of the gap
