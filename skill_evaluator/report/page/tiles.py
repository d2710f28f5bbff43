"""The main figures of a split, one tile each: the value, what it was made of, and what it is held against."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from skill_evaluator.metrics.limits import MIN_VALID_RUNS, TENTH
from skill_evaluator.metrics.output import OUTPUT_PASS_RATE
from skill_evaluator.model import Split
from skill_evaluator.report import numbers
from skill_evaluator.report.escape import Html, Md
from skill_evaluator.report.json_layout import ranked
from skill_evaluator.report.limits import beside_limit, limit_of
from skill_evaluator.report.output_only import is_output_only
from skill_evaluator.report.page.charts import Strip, strip_chart
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.report.scores import counts, shown, why_undefined
from skill_evaluator.results import Change, Metric, MetricChange, Report

_TILES = ("precision", "recall", "f1", "false_trigger_rate", OUTPUT_PASS_RATE)
_TILES_FOR_OUTPUTS = (OUTPUT_PASS_RATE, "pass_hat_k")
_UNSTABLE = "unstable_share"


@dataclass(frozen=True, kw_only=True, slots=True)
class Tile:
    """One figure in words.

    Attributes:
        id: What it is called among the tiles; no text of others.
        name: The figure.
        value: A dash where it is undefined.
        counts: What a share was made of; None where it is no share.
        why: Why it is undefined, or None.
        reaches: Whether it is as good as it must be; None where nothing is asked of it.
        verdict: The same in words, or None.
        strip: The share and its interval on a scale, or None where it is undefined.
        lines: What it is held against, one each.
    """

    id: str
    name: Md
    value: Md
    counts: Md | None
    why: Md | None
    reaches: bool | None
    verdict: Md | None
    strip: Strip | None
    lines: tuple[Md, ...]

    @property
    def chart(self) -> Html | None:
        """The strip as a drawing; None where there is none, or it cannot be drawn."""
        return strip_chart(self.strip) if self.strip else None


def tiles(report: Report, split: Split, say: Phrases) -> tuple[Tile, ...]:
    """The main figures of a split, in the order in which they are read."""
    names = _TILES_FOR_OUTPUTS if is_output_only(report) else _TILES
    metrics = report.splits[split].metrics
    found = [_tile(metrics[name], report, split, say) for name in names if name in metrics]
    return (*found, _stability(report, split, say))


def _tile(metric: Metric, report: Report, split: Split, say: Phrases) -> Tile:
    limit, old = limit_of(metric.name, report), _old(metric.name, report, split)
    do_nothing = report.splits[split].do_nothing.get(metric.name)
    lines = (*_interval(metric, say), *_never_fires(metric, do_nothing, report, say), *_baseline(metric, old, say))
    reaches = _reaches(metric, limit)
    return Tile(
        id=metric.name,
        name=say.name(metric.name, "metric"),
        value=beside_limit(metric, limit, say),
        counts=counts(metric, say) if metric.denominator and metric.numerator is not None else None,
        why=say(f"undefined.{why_undefined(metric.name, report, split)}") if metric.value is None else None,
        reaches=reaches,
        verdict=_verdict(metric, limit, reaches, say),
        strip=_strip(metric, limit, old, do_nothing),
        lines=lines,
    )


def _stability(report: Report, split: Split, say: Phrases) -> Tile:
    """How many cases waver, and how far the repetitions lie apart: both must stay within a tenth.

    Too few repetitions show neither.
    """
    share, spread = report.splits[split].unstable_share, report.splits[split].spread
    known = {name: value for name in ranked(spread) if (value := spread[name]) is not None}
    steady = share.value is None or share.value <= TENTH
    told = share.value is not None and report.config.runs >= MIN_VALID_RUNS
    reaches = None if not told else steady and all(value <= TENTH for value in known.values())
    key = "html.steady" if reaches else "html.unsteady"
    return Tile(
        id=_UNSTABLE,
        name=say("html.unstable_estimate" if report.agent.estimate else "html.unstable"),
        value=beside_limit(share, TENTH, say),
        counts=counts(share, say) if share.denominator else None,
        why=say("html.unstable_undefined") if share.value is None else None,
        reaches=reaches,
        verdict=None if reaches is None else say(key),
        strip=_strip(share, TENTH, None, None),
        lines=(*_interval(share, say), *_spreads(known, say)),
    )


def _spreads(spread: Mapping[str, float], say: Phrases) -> Iterator[Md]:
    if spread:
        each = (
            say("html.spread", name=say.name(name, "metric"), value=Md(numbers.apart(value, TENTH)))
            for name, value in spread.items()
        )
        yield say("html.spreads", limit=Md(numbers.exactly(TENTH)), each=say.join(each))


def _reaches(metric: Metric, limit: float | None) -> bool | None:
    if metric.value is None or limit is None:
        return None
    return metric.value >= limit if metric.higher_is_better else metric.value <= limit


def _verdict(metric: Metric, limit: float | None, reaches: bool | None, say: Phrases) -> Md | None:  # noqa: FBT001 - a finding
    if limit is None or reaches is None:
        return None
    side = ("reaches" if reaches else "below") if metric.higher_is_better else ("within" if reaches else "above")
    return say(f"html.{side}", limit=Md(numbers.exactly(limit)))


def _old(name: str, report: Report, split: Split) -> MetricChange | None:
    """The metric beside the baseline's, where the two can be compared."""
    changes = report.comparison.changes.get(split, ()) if report.comparison else ()
    comparable = (one for one in changes if one.mark is not Change.NOT_COMPARABLE and one.old is not None)
    return next((one for one in comparable if one.name == name), None)


def _interval(metric: Metric, say: Phrases) -> Iterator[Md]:
    if metric.interval is not None:
        yield say("html.interval", interval=Md(numbers.interval(metric.interval)))
    elif metric.value is not None:
        yield say("html.no_interval")


def _never_fires(metric: Metric, do_nothing: Metric | None, report: Report, say: Phrases) -> Iterator[Md]:
    if do_nothing is not None and metric.value is not None and not is_output_only(report):
        key = "html.never_fires" if do_nothing.value is not None else "html.never_fires_undefined"
        yield say(key, value=shown(do_nothing.value, "ratio", say))


def _baseline(metric: Metric, old: MetricChange | None, say: Phrases) -> Iterator[Md]:
    if old is not None and old.difference is not None:
        points = Md(numbers.points(old.difference))
        yield say("html.baseline", value=shown(old.old, metric.unit, say), points=points)


def _strip(metric: Metric, limit: float | None, old: MetricChange | None, do_nothing: Metric | None) -> Strip | None:
    if metric.value is None:
        return None
    interval = (metric.interval.low, metric.interval.high) if metric.interval else None
    return Strip(
        value=metric.value,
        interval=interval,
        limit=limit,
        old=old.old if old else None,
        do_nothing=do_nothing.value if do_nothing else None,
    )
