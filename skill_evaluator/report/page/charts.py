"""Charts: specifications for Vega-Lite, which draws them as SVG that stands in the page itself.

Colours are names of page.css, so a chart follows the theme; what a chart shows stands beside it as text too.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from skill_evaluator.report.escape import Html
from skill_evaluator.report.page.room import has_room

Spec = Mapping[str, object]

_STRIP_WIDTH, _STRIP_HEIGHT = 144, 18
_PLOT_WIDTH, _PLOT_HEIGHT = 380, 110
_LABELS = 10
_BEYOND = 1.04  # how far the scale goes on behind the last bar
_RIGHT = 0.75  # of the scale; a mark beyond is named on its left
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
    """A share of 0..1 with what it is held against.

    Attributes:
        value: The share.
        interval: Lower and upper end, or None.
        limit: The threshold, or None.
        old: The baseline's share, or None.
        do_nothing: That of a skill that never fires, or None.
    """

    value: float
    interval: tuple[float, float] | None = None
    limit: float | None = None
    old: float | None = None
    do_nothing: float | None = None


def strip_chart(strip: Strip) -> Html | None:
    """Draw a share with its interval on a scale from 0 to 1; None as for `drawn`."""
    layers = [_scale(), *_interval(strip.interval)]
    layers += _at(strip.do_nothing, {"type": "point", "shape": "circle", "size": 26, "color": "var(--soft)"})
    layers += _at(strip.limit, {"type": "tick", "thickness": 2, "height": _STRIP_HEIGHT, "color": "var(--limit)"})
    layers += _at(strip.old, {"type": "point", "shape": "diamond", "size": 60, "color": "var(--baseline)"})
    layers += _at(strip.value, {"type": "point", "filled": True, "size": 60, "color": "var(--ink)"})
    return _drawn({"width": _STRIP_WIDTH, "height": _STRIP_HEIGHT, "layer": layers})


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
    """Draw how values are distributed; None as for `drawn`."""
    pairs = zip(bars.edges, bars.edges[1:], bars.counts, strict=False)
    values = [{"from": low, "to": high, "runs": count} for low, high, count in pairs]
    end = bars.edges[-1] * _BEYOND
    scale, axis = {"domain": [0, end], "nice": False}, {"tickCount": 5, "format": "~r"}
    count_axis = {"tickMinStep": 1, "format": "d", "tickCount": 4}
    bars_ = {
        "data": {"values": values},
        "mark": {"type": "rect", "color": "var(--chart)", "stroke": "var(--card)", "strokeWidth": 1},
        "encoding": {
            "x": {"field": "from", "type": "quantitative", "title": bars.across, "scale": scale, "axis": axis},
            "x2": {"field": "to"},
            "y": {"field": "runs", "type": "quantitative", "title": bars.up, "axis": count_axis},
            "y2": {"datum": 0},
        },
    }
    return _drawn({"width": _PLOT_WIDTH, "height": _PLOT_HEIGHT, "layer": [bars_, *_marks(bars.marks, end)]})


def _marks(marks: Sequence[tuple[str, float]], end: float) -> Iterable[Spec]:
    place = {"field": "at", "type": "quantitative"}
    for row, (name, value) in enumerate(marks):
        data = {"values": [{"at": value, "name": name}]}
        yield {"data": data, "mark": {"type": "rule", "color": "var(--ink)"}, "encoding": {"x": place}}
        side = {"align": "right", "dx": -4} if value > _RIGHT * end else {"align": "left", "dx": 4}
        text = {"type": "text", **side, "fontSize": _LABELS, "color": "currentColor"}
        encoding = {"x": place, "y": {"value": -6 - 12 * row}, "text": {"field": "name"}}
        yield {"data": data, "mark": text, "encoding": encoding}


def _scale() -> Spec:
    axis = {"values": [0, 0.5, 1], "format": "~f", "title": None, "domain": False, "offset": 1}
    x = {"datum": 0, "type": "quantitative", "scale": {"domain": [0, 1]}, "axis": axis}
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


def drawn(spec: Spec) -> Html | None:
    """Draw a specification as SVG.

    Returns:
        The drawing; None where memory is limited, as what draws would end the whole process.
    """
    if not has_room():
        return None
    from vl_convert import vegalite_to_svg  # noqa: PLC0415 - heavy, loaded when needed

    return Html(vegalite_to_svg(dict(spec)))


def _drawn(spec: Spec) -> Html | None:
    return drawn({"background": None, "padding": 2, "config": _CONFIG, **spec})
