"""A trend in words: a table for each line, and what was left out, by name."""

from collections.abc import Iterator
from dataclasses import dataclass

from skill_evaluator.compare.marks import marked_change
from skill_evaluator.report import numbers
from skill_evaluator.report.escape import Md, Table, table
from skill_evaluator.report.json_layout import entries, laid_out
from skill_evaluator.report.moments import moment
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.report.scores import shown
from skill_evaluator.report.suite.figures import signed
from skill_evaluator.results import Change, Metric, Note
from skill_evaluator.results.trends import LeftOut, Trend, TrendLine, TrendPoint

_RATES = ("precision", "recall", "f1", "false_trigger_rate")
METRICS_OF = {
    "run": (*_RATES, "output_pass_rate", "judged_pass_rate", "rubric_pass_rate", "latency_p50", "cost_usd"),
    "suite": ("score", "delta", "pass_share", *_RATES),
}
_MOVED = (Change.REGRESSED, Change.IMPROVED)
_SIGNED = "delta"
_WHY_OF_REPORTS = frozenset({"split_hash", "agent", "model", "runs", "checks"})
_SHORT_HASH = 12


@dataclass(frozen=True, kw_only=True, slots=True)
class LineView:
    """A line in words.

    Attributes:
        notes: What to know before believing it.
    """

    heading: Md
    who: Md
    table: Table
    notes: tuple[Md, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class TrendView:
    """A trend in words; `left_out` is None where nothing was."""

    title: Md
    lead: Md
    lines: tuple[LineView, ...]
    rule: Md
    left_out: Table | None


def trend_view(found: Trend, say: Phrases) -> TrendView:
    """Word a trend."""
    points = sum(len(line.points) for line in found.lines)
    return TrendView(
        title=say("trend.title"),
        lead=say("trend.lead", points=points, left_out=len(found.left_out)),
        lines=tuple(_line(line, say) for line in found.lines),
        rule=say("trend.rule", of_runs=any(line.kind == "run" for line in found.lines)),
        left_out=_left_out(found.left_out, say) if found.left_out else None,
    )


def trend_to_markdown(found: Trend, say: Phrases) -> str:
    """Lay a trend out for people."""
    return say.environment.get_template("trend.md.j2").render(trend=trend_view(found, say))


def trend_to_json(found: Trend) -> str:
    """Lay a trend out for programs; no number is rounded."""
    return laid_out(entries(found)) + "\n"


def shown_metrics(line: TrendLine) -> tuple[str, ...]:
    """The metrics that have a value somewhere on a line, in the order of the tables."""
    values = [point.metrics for point in line.points]
    return tuple(name for name in METRICS_OF[line.kind] if any(_value(one.get(name)) is not None for one in values))


def metric_name(name: str, line: TrendLine, say: Phrases) -> Md:
    """Name a metric as the table of its kind does."""
    return say.name(name, "metric") if line.kind == "run" else say.name(name, "trend_metric")


def _line(line: TrendLine, say: Phrases) -> LineView:
    names = shown_metrics(line)
    header = [*say.cells(f"trend.header_{line.kind}"), *(metric_name(name, line, say) for name in names)]
    rows = [
        [*_head(point, say), *(_cell(name, point, before, say) for name in names)]
        for point, before in zip(line.points, (None, *line.points), strict=False)
    ]
    key = "trend.line_estimate" if line.is_estimate else f"trend.line_{line.kind}"
    return LineView(
        heading=say(key, subject=line.subject),
        who=say(
            "trend.who",
            agent=line.agent,
            model=line.model or say("trend.no_model"),
            threshold=Md(numbers.exactly(line.threshold)),
        ),
        table=table(header, rows),
        notes=tuple(_notes(line, say)),
    )


def _notes(line: TrendLine, say: Phrases) -> Iterator[Md]:
    if line.is_estimate:
        yield say("trend.estimate")
    if len(line.points) == 1:
        yield say("trend.single")
    for point in line.points:
        if point.apart:
            yield say("trend.apart", file=point.file, why=say.join(_differs(code, say) for code in point.apart))


def _head(point: TrendPoint, say: Phrases) -> Iterator[Md]:
    yield moment(point.timestamp, say)
    yield say.join(point.versions) if point.versions else say("page.undefined")
    if point.verdict is not None:
        yield say.quote(point.sha256[:_SHORT_HASH]) if point.sha256 else say("page.undefined")
        yield say.name(point.verdict, "verdict")


def _cell(name: str, point: TrendPoint, before: TrendPoint | None, say: Phrases) -> Md:
    """A value, and whether it moved by more than the rule of comparisons allows."""
    metric = point.metrics.get(name)
    value = _shown(name, metric, say)
    old = before.metrics.get(name) if before else None
    if metric is None or old is None:
        return value
    mark = marked_change(metric, metric.value, old.value, ()).mark
    return say(f"trend.{mark}", value=value) if mark in _MOVED else value


def _shown(name: str, metric: Metric | None, say: Phrases) -> Md:
    if metric is None or metric.value is None:
        return say("page.undefined")
    if name == _SIGNED:
        return signed(metric.value)
    return shown(metric.value, metric.unit, say)


def _left_out(found: tuple[LeftOut, ...], say: Phrases) -> Table:
    rows = [
        [
            say.quote(one.file),
            say.quote(one.subject),
            moment(one.timestamp, say),
            say.join(_reason(note, say) for note in one.why),
        ]
        for one in found
    ]
    return table(say.cells("trend.header_left_out"), rows)


def _reason(note: Note, say: Phrases) -> Md:
    if note.code != "not_comparable":
        return say.coded("left_out", note.code, note.values)
    codes = note.values["why"]
    names = [_differs(str(code), say) for code in codes] if isinstance(codes, list | tuple) else []
    return say("left_out.not_comparable", file=str(note.values["file"]), why=say.join(names))


def _differs(code: str, say: Phrases) -> Md:
    return say.name(code, "why" if code in _WHY_OF_REPORTS else "trend_why")


def _value(metric: Metric | None) -> float | None:
    return None if metric is None else metric.value
