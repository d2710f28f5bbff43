"""A trend as a page: for each line its charts and its table."""

from collections.abc import Iterator
from dataclasses import dataclass

from skill_evaluator.metrics.limits import TENTH
from skill_evaluator.report.escape import Html, Md
from skill_evaluator.report.page.charts import Spec, drawn
from skill_evaluator.report.page.shell import page
from skill_evaluator.report.phrases import Phrases, phrases
from skill_evaluator.report.trend import metric_name, shown_metrics, trend_view
from skill_evaluator.report.words import Lang
from skill_evaluator.results import Metric
from skill_evaluator.results.trends import Trend, TrendLine

_WIDTH, _HEIGHT = 260, 120  # pixels before the page scales it
_FEWEST = 2  # points that make a line


@dataclass(frozen=True, kw_only=True, slots=True)
class Chart:
    """One metric over time."""

    name: Md
    svg: Html


def trend_to_html(found: Trend, lang: Lang) -> str:
    """Lay a trend out as one page; the same trend gives the same bytes."""
    say = phrases(lang, "html")
    charts = [tuple(_charts(line, say)) for line in found.lines]
    return page("trend.html.j2", {"trend": trend_view(found, say), "charts": charts}, say)


def _charts(line: TrendLine, say: Phrases) -> Iterator[Chart]:
    """Draw the rates of a line that has something to connect."""
    for name in shown_metrics(line) if len(line.points) >= _FEWEST else ():
        metrics = [point.metrics.get(name) for point in line.points]
        if all(metric is None or metric.unit == "ratio" for metric in metrics):
            svg = _drawn(line, metrics, _limit(name, line))
            if svg is not None:
                yield Chart(name=metric_name(name, line, say), svg=svg)


def _limit(name: str, line: TrendLine) -> float | None:
    """What the metric has to reach, or must not exceed, where there is such a bound."""
    if line.kind == "run":
        return {"f1": line.threshold, "false_trigger_rate": TENTH}.get(name)
    return None


def _drawn(line: TrendLine, metrics: list[Metric | None], limit: float | None) -> Html | None:
    """Draw one metric with its intervals; the table beside it says the same in words."""
    rows: list[dict[str, object]] = [
        {
            "at": point.timestamp,
            "value": metric.value,
            "low": metric.interval.low if metric.interval else None,
            "high": metric.interval.high if metric.interval else None,
        }
        for point, metric in zip(line.points, metrics, strict=True)
        if metric is not None and metric.value is not None
    ]
    return drawn(_spec(rows, limit, signed=any(_is_negative(row["low"], row["value"]) for row in rows)))


def _is_negative(*values: object) -> bool:
    return any(isinstance(value, float) and value < 0 for value in values)


def _date_format(rows: list[dict[str, object]]) -> str:
    """How the axis writes times: by the clock where one day would stand under each of its marks."""
    days = {str(row["at"])[:10] for row in rows}
    return "%Y-%m-%d" if len(days) > 1 else "%H:%M"


def _spec(rows: list[dict[str, object]], limit: float | None, *, signed: bool) -> Spec:
    days = {"format": _date_format(rows), "labelOverlap": True, "tickCount": 3}
    time = {"field": "at", "type": "temporal", "scale": {"type": "utc"}, "title": None, "axis": days}
    rates = {"tickCount": 5, "format": ".1f", "grid": True, "gridColor": "var(--line)"}
    domain = [-1 if signed else 0, 1]
    rate = {"field": "value", "type": "quantitative", "title": None, "scale": {"domain": domain}, "axis": rates}
    at = {"x": time, "y": rate}
    ends = {"x": time, "y": {**rate, "field": "low"}, "y2": {"field": "high"}}
    layers: list[Spec] = [
        {"mark": {"type": "rule", "color": "var(--soft)"}, "encoding": ends},
        {"mark": {"type": "line", "color": "var(--link)", "strokeWidth": 2}, "encoding": at},
        {"mark": {"type": "point", "filled": True, "size": 45, "color": "var(--link)"}, "encoding": at},
    ]
    if limit is not None:
        dashes = {"type": "rule", "color": "var(--warn)", "strokeDash": [4, 3]}
        layers.append({"mark": dashes, "encoding": {"y": {"datum": limit}}})
    return {"width": _WIDTH, "height": _HEIGHT, "data": {"values": rows}, "layer": layers}
