"""How long runs took and what they cost: the numbers in a sentence, and how they are distributed."""

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from skill_evaluator.metrics.aspects import is_valid
from skill_evaluator.model import Split
from skill_evaluator.report.escape import Html, Md
from skill_evaluator.report.page.charts import Bars, bar_chart
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.report.scores import cases_of, shown
from skill_evaluator.results import Metric, Report, RunResult, Unit

_MOST_BARS, _FEWEST_BARS = 30, 8


@dataclass(frozen=True, kw_only=True, slots=True)
class Distribution:
    """The values of one kind in one split.

    Attributes:
        id: Of the sentence on the page; no text of others.
        sentence: The numbers.
        chart: How they are distributed, or None where nothing can be drawn.
    """

    id: str
    sentence: Md
    chart: Html | None


def times(report: Report, say: Phrases) -> tuple[Distribution, ...]:
    """The times of valid runs by split, acceptance first; nothing where they are not known."""
    found = {split: _durations(report, split) for split in Split}
    edges = _edges(found)
    return tuple(_times(split, found[split], edges, report, say) for split in Split if found[split] and edges)


def costs(report: Report, say: Phrases) -> tuple[Distribution, ...]:
    """What valid runs cost by split, acceptance first; nothing where that is not known."""
    found = {split: _costs(report, split) for split in Split}
    edges = _edges(found)
    return tuple(_cost(split, found[split], edges, report, say) for split in Split if found[split] and edges)


def _times(split: Split, values: Sequence[float], edges: Sequence[float], report: Report, say: Phrases) -> Distribution:
    latency = report.volatile.latency.get(split, {})
    half, most = (latency.get(name) for name in ("latency_p50", "latency_p95"))
    sentence = say(
        "html.times",
        split=say(f"page.split_{split}"),
        runs=len(values),
        half=_shown(half, "s", say),
        most=_shown(most, "s", say),
        longest=shown(max(values), "s", say),
    )
    marks = [(name, one.value) for name, one in (("P50", half), ("P95", most)) if one and one.value is not None]
    chart = _chart(values, edges, marks, say("html.seconds"), say)
    return Distribution(id=f"times-{split}", sentence=sentence, chart=chart)


def _cost(split: Split, values: Sequence[float], edges: Sequence[float], report: Report, say: Phrases) -> Distribution:
    mean = report.splits[split].metrics.get("cost_usd")
    sentence = say(
        "html.costs",
        split=say(f"page.split_{split}"),
        runs=len(values),
        mean=_shown(mean, "usd", say),
        least=shown(min(values), "usd", say),
        most=shown(max(values), "usd", say),
    )
    marks = [(str(say("html.mean")), mean.value)] if mean and mean.value is not None else []
    chart = _chart(values, edges, marks, say("html.dollars"), say)
    return Distribution(id=f"costs-{split}", sentence=sentence, chart=chart)


def _chart(
    values: Sequence[float], edges: Sequence[float], marks: Sequence[tuple[str, float]], across: Md, say: Phrases
) -> Html | None:
    found = Counter(min(bisect_right(edges, value), len(edges) - 1) for value in values)  # the last bar has its end
    counts = [found[bar] for bar in range(1, len(edges))]
    up = say("html.runs_up")
    return bar_chart(Bars(edges=edges, counts=counts, marks=marks, across=str(across), up=str(up)))


def _edges(values: Mapping[Split, Sequence[float]]) -> tuple[float, ...]:
    """Bars of one width for both splits, from 0; none where all is 0."""
    every = [value for some in values.values() for value in some]
    longest = max(every, default=0.0)
    bars = min(_MOST_BARS, max(_FEWEST_BARS, math.ceil(math.sqrt(len(every)))))
    return tuple(longest * step / bars for step in range(bars + 1)) if longest else ()


def _durations(report: Report, split: Split) -> Sequence[float]:
    known = report.volatile.durations_s
    return [
        seconds
        for case in cases_of(report, split)
        for run, seconds in zip(case.runs, known.get(case.id, ()), strict=False)
        if seconds is not None and is_valid(run.state, expected=case.expect_trigger)
    ]


def _costs(report: Report, split: Split) -> Sequence[float]:
    return [run.usage.cost_usd for run in _valid(report, split) if run.usage and run.usage.cost_usd is not None]


def _valid(report: Report, split: Split) -> Iterator[RunResult]:
    for case in cases_of(report, split):
        yield from (run for run in case.runs if is_valid(run.state, expected=case.expect_trigger))


def _shown(metric: Metric | None, unit: Unit, say: Phrases) -> Md:
    return shown(metric.value if metric else None, unit, say)
