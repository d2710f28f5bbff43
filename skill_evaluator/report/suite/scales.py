"""Draws a number on a line to scale: its 95 % interval as a band, and what it is held against as an upright mark."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from skill_evaluator.report.escape import Html
from skill_evaluator.report.page.room import can_draw
from skill_evaluator.report.suite.tiles import Scale

_WIDTH, _HEIGHT = 144, 18
_SHARED: Final[Mapping[str, object]] = MappingProxyType({})  # the axis of the first layer
_SCHEMA: Final = "https://vega.github.io/schema/vega-lite/v5.json"


def drawn(scale: Scale | None) -> Html | None:
    """Draw a number as inline SVG; whoever shows it says the same in words.

    Args:
        scale: The number, or None for nothing to draw.

    Returns:
        The drawing; None where there is nothing, or what draws cannot be loaded.
    """
    return None if scale is None or not can_draw() else _drawn(scale)


@lru_cache(maxsize=64)
def _drawn(scale: Scale) -> Html:
    from vl_convert import vegalite_to_svg  # noqa: PLC0415 - heavy, loaded when needed

    return Html(vegalite_to_svg(dict(_spec(scale))))


def _spec(scale: Scale) -> Mapping[str, object]:
    layers = [_band(scale, scale.low, scale.high, height=2, colour="var(--track)", axis={"axis": _axis(scale)})]
    if scale.interval is not None:
        layers.append(_band(scale, scale.interval.low, scale.interval.high, height=8, colour="var(--chart)"))
    if scale.mark is not None:
        layers.append(_upright(scale, scale.mark))
    return {
        "$schema": _SCHEMA,
        "width": _WIDTH,
        "height": _HEIGHT,
        "padding": 2,
        "background": None,
        "view": {"stroke": None},
        "config": {"aria": False, "font": "inherit", "mark": {"aria": False, "opacity": 1}},
        "layer": [*layers, _point(scale)],
    }


def _axis(scale: Scale) -> Mapping[str, object]:
    middle = (scale.low + scale.high) / 2
    colours = {"labelColor": "currentColor", "tickColor": "var(--line)"}
    shown = {"values": [scale.low, middle, scale.high], "format": "~f", "title": None, "labelFontSize": 10}
    return {**shown, **colours, "grid": False, "domain": False, "offset": 1}


def _band(
    scale: Scale, low: float, high: float, *, height: int, colour: str, axis: Mapping[str, object] = _SHARED
) -> Mapping[str, object]:
    return {
        "data": {"values": [{"low": _within(scale, low), "high": _within(scale, high)}]},
        "mark": {"type": "bar", "height": height, "color": colour},
        "encoding": {"x": {**_x(scale, "low"), **axis}, "x2": {"field": "high"}},
    }


def _upright(scale: Scale, at: float) -> Mapping[str, object]:
    return _mark(scale, at, {"type": "tick", "thickness": 2, "size": _HEIGHT - 2, "color": "var(--limit)"})


def _point(scale: Scale) -> Mapping[str, object]:
    return _mark(scale, scale.value, {"type": "point", "filled": True, "size": 60, "color": "var(--ink)"})


def _mark(scale: Scale, at: float, mark: Mapping[str, object]) -> Mapping[str, object]:
    return {"data": {"values": [{"at": _within(scale, at)}]}, "mark": mark, "encoding": {"x": _x(scale, "at")}}


def _x(scale: Scale, field: str) -> Mapping[str, object]:
    domain: Sequence[float] = (scale.low, scale.high)
    return {"field": field, "type": "quantitative", "scale": {"domain": [*domain], "nice": False}}


def _within(scale: Scale, value: float) -> float:
    return min(scale.high, max(scale.low, value))
