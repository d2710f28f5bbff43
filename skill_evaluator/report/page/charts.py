"""Charts: specifications for Vega-Lite, which draws them as SVG that stands in the page itself.

Colours are names of page.css, so a chart follows the theme; what a chart shows stands beside it as text too.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from skill_evaluator.report.escape import Html
from skill_evaluator.report.page.room import can_draw

Spec = Mapping[str, object]

_STRIP_WIDTH, _STRIP_HEIGHT = 144, 18
_PLOT_WIDTH, _PLOT_HEIGHT = 380, 110
_LABELS = 10
_BEYOND = 1.04  # how far the scale goes on behind the last bar
_MOST_TICKS = 4
_RIGHT = 0.75  # of the scale; a mark beyond is named on its left
_LEGEND = ("value", "interval", "limit", "old", "never")
_CONFIG: Spec = {
    "aria": False,  # the text beside the chart tells its numbers
    "font": "inherit",
    "view": {"stroke": None},
    "axis": {
        "domainColor": "var(--line)",
        "tickColor": "var(--line)",
        "labelColor": "currentColor",
        "titleColor": "currentColor",
        "titleFontWeight": "normal",
        "labelFontSize": _LABELS,
        "titleFontSize": _LABELS,
        "grid": False,
    },
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Strip:
    """A number up to 1 with what it is held against.

    Attributes:
        value: The number.
        low: Where the scale begins: 0 for shares, -1 for differences.
        interval: Lower and upper end, or None.
        limit: The threshold, or None.
        old: The baseline's number, or None.
        do_nothing: That of a skill that never fires, or None.
    """

    value: float
    low: float = 0.0
    interval: tuple[float, float] | None = None
    limit: float | None = None
    old: float | None = None
    do_nothing: float | None = None

    @property
    def marks(self) -> frozenset[str]:
        """What is drawn of it, by the names that the legend has for it."""
        drawn_ = {"interval": self.interval, "limit": self.limit, "old": self.old, "never": self.do_nothing}
        return frozenset({"value", *(name for name, what in drawn_.items() if what is not None)})


def legend_of(strips: Iterable[Strip]) -> tuple[str, ...]:
    """Name the marks that stand on at least one of the strips, in the order in which a legend lists them."""
    if not can_draw():
        return ()
    marks = {mark for strip in strips for mark in strip.marks}
    return tuple(mark for mark in _LEGEND if mark in marks)


def strip_chart(strip: Strip) -> Html | None:
    """Draw a number with its interval on a scale up to 1; None where nothing can be drawn."""
    return _strip(strip) if can_draw() else None


@lru_cache(maxsize=64)
def _strip(strip: Strip) -> Html | None:
    layers = [_scale(strip.low), *_interval(strip.interval)]
    layers += _at(strip.do_nothing, {"type": "point", "shape": "circle", "size": 26, "color": "var(--soft)"})
    layers += _at(strip.limit, {"type": "tick", "thickness": 2, "height": _STRIP_HEIGHT, "color": "var(--limit)"})
    layers += _at(strip.old, {"type": "point", "shape": "diamond", "size": 60, "color": "var(--baseline)"})
    layers += _at(strip.value, {"type": "point", "filled": True, "size": 60, "color": "var(--ink)"})
    return drawn({"width": _STRIP_WIDTH, "height": _STRIP_HEIGHT, "layer": layers})


@dataclass(frozen=True, kw_only=True, slots=True)
class Bars:
    """How many runs lie where.

    Attributes:
        edges: Of the bars, ascending, from 0; one more than there are counts.
        counts: Runs in each bar.
        marks: Words by the value that they mark.
        across: What the values are.
        up: What is counted.
    """

    edges: Sequence[float]
    counts: Sequence[int]
    marks: Sequence[tuple[str, float]]
    across: str
    up: str


def bar_chart(bars: Bars) -> Html | None:
    """Draw how values are distributed; None where nothing can be drawn."""
    pairs = zip(bars.edges, bars.edges[1:], bars.counts, strict=False)
    values = [{"from": low, "to": high, "runs": count} for low, high, count in pairs]
    end = bars.edges[-1] * _BEYOND
    scale, axis = {"domain": [0, end], "nice": False}, {"tickCount": 5, "format": "~r"}
    # More ticks than runs would stand between whole numbers, and be labelled with the next one.
    count_axis = {"format": "d", "tickCount": min(_MOST_TICKS, max(bars.counts))}
    rectangles = {
        "data": {"values": values},
        "mark": {"type": "rect", "color": "var(--chart)", "stroke": "var(--card)", "strokeWidth": 1},
        "encoding": {
            "x": {"field": "from", "type": "quantitative", "title": bars.across, "scale": scale, "axis": axis},
            "x2": {"field": "to"},
            "y": {"field": "runs", "type": "quantitative", "title": bars.up, "axis": count_axis},
            "y2": {"datum": 0},
        },
    }
    return drawn({"width": _PLOT_WIDTH, "height": _PLOT_HEIGHT, "layer": [rectangles, *_marks(bars.marks, end)]})


def drawn(spec: Spec) -> Html | None:
    """Draw a chart as SVG that can stand in a page.

    Args:
        spec: What to draw, without schema, background and the looks that all charts share.

    Returns:
        The drawing, or None where nothing can be drawn.

    Source:
        Vega-Lite 5, https://vega.github.io/vega-lite/docs/spec.html
    """
    if not can_draw():
        return None
    from vl_convert import vegalite_to_svg  # noqa: PLC0415 - heavy, loaded when needed

    return Html(vegalite_to_svg({"background": None, "padding": 2, "config": _CONFIG, **spec}))


def _marks(marks: Sequence[tuple[str, float]], end: float) -> Iterable[Spec]:
    place = {"field": "at", "type": "quantitative"}
    for row, (name, value) in enumerate(marks):
        data = {"values": [{"at": value, "name": name}]}
        yield {"data": data, "mark": {"type": "rule", "color": "var(--ink)"}, "encoding": {"x": place}}
        side = {"align": "right", "dx": -4} if value > _RIGHT * end else {"align": "left", "dx": 4}
        text = {"type": "text", **side, "fontSize": _LABELS, "color": "currentColor"}
        encoding = {"x": place, "y": {"value": -6 - 12 * row}, "text": {"field": "name"}}
        yield {"data": data, "mark": text, "encoding": encoding}


def _scale(low: float) -> Spec:
    axis = {"values": [low, (low + 1) / 2, 1], "format": "~f", "title": None, "domain": False, "offset": 1}
    x = {"datum": low, "type": "quantitative", "scale": {"domain": [low, 1]}, "axis": axis}
    mark = {"type": "rule", "color": "var(--track)", "strokeWidth": 2}
    return {"data": {"values": [{}]}, "mark": mark, "encoding": {"x": x, "x2": {"datum": 1}}}


def _interval(interval: tuple[float, float] | None) -> list[Spec]:
    if interval is None:
        return []
    values = [{"low": interval[0], "high": interval[1]}]
    mark = {"type": "bar", "height": 8, "cornerRadius": 2, "color": "var(--chart)"}
    encoding = {"x": {"field": "low", "type": "quantitative"}, "x2": {"field": "high"}}
    return [{"data": {"values": values}, "mark": mark, "encoding": encoding}]


def _at(value: float | None, mark: Spec) -> list[Spec]:
    if value is None:
        return []
    x = {"field": "at", "type": "quantitative"}
    return [{"data": {"values": [{"at": value}]}, "mark": {**mark, "opacity": 1}, "encoding": {"x": x}}]
