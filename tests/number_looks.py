"""How each kind of number is shown, by the table of docs/reports.md, in decimal arithmetic of its own.

Nothing of the program is imported: what its pages show is held against this.
"""

import math
from collections.abc import Mapping
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

DASH = "—"
_NOISE = 1e-9  # what floating-point arithmetic leaves of an exact value
_FINEST_S, _TENTH_S = 0.001, 0.1
_CENT_OF_A_CENT = 0.0001


def fixed(value: float, decimals: int) -> str:
    """Round the binary number itself, ties to even, and never to `-0.0`."""
    shown = str(Decimal(value).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_EVEN))
    return shown if float(shown) else shown.lstrip("-")


def _within(value: float, top: float, decimals: int) -> str:
    step = 10**-decimals
    if _NOISE < value < step / 2:
        return "<" + fixed(step, decimals)
    if top - step / 2 <= value < top - _NOISE:
        return ">" + fixed(top - step, decimals)
    return fixed(value, decimals)


def share(value: float | None) -> str:
    return DASH if value is None else _within(value, 1, 2)


def per_cent(value: float) -> str:
    return _within(100 * value, 100, 1) + "%"


def probability(value: float) -> str:
    return _within(value, 1, 4)


def beside(value: float, limit: float) -> str:
    """A share beside the limit that decides: the fewest decimals, at least two, that tell it from the limit."""
    if value == limit:
        return fixed(value, 2)
    return next(fixed(value, n) for n in range(2, 20) if fixed(value, n) != fixed(limit, n))


def limit(value: float) -> str:
    """A limit as somebody wrote it, with two decimals at least."""
    whole, _, decimals = format(Decimal(repr(value)), "f").partition(".")
    return f"{whole}.{decimals:0<2}"


def points(difference: float) -> str:
    shown = fixed(100 * difference, 1)
    return shown if shown == "0.0" or shown.startswith("-") else "+" + shown


def change(difference: float) -> str:
    return points(difference) + "%"


def points_span(ends: Mapping[str, float] | None) -> str:
    return DASH if ends is None else f"[{_end(ends['low'])}, {_end(ends['high'])}]"


def _end(value: float) -> str:
    if abs(100 * value) < _NOISE:
        return "0.0"
    shown = next(text for n in range(1, 20) if float(text := fixed(100 * value, n)))
    return shown if shown.startswith("-") else "+" + shown


def span(ends: Mapping[str, float] | None) -> str:
    return DASH if ends is None else f"{share(ends['low'])}–{share(ends['high'])}"


def difference(value: float | None) -> str:
    """A difference of scores."""
    if value is None:
        return DASH
    if abs(value) < _NOISE:
        return "0.00"
    shown = fixed(abs(value), 2)
    return ("-" if value < 0 else "+") + ("<0.01" if shown == "0.00" else shown)


def score(value: float | None) -> str:
    """A mean of scores of 1 to 5."""
    if value is None:
        return DASH
    shown = fixed(value, 1)
    if shown == "5.0" and value < 5:
        return "<5.0"
    return ">1.0" if shown == "1.0" and value > 1 else shown


def seconds(value: float) -> str:
    if 0 < value < _FINEST_S:
        return "<0.001"
    if not 0 < value < _TENTH_S:
        return fixed(value, 1)
    digits = 1 - math.floor(math.log10(value))
    rounded = fixed(value, digits)
    return rounded.rstrip("0") if rounded.endswith("0") else rounded


def seconds_beside(value: float, other: float) -> str:
    if value == other or seconds(value) != seconds(other):
        return seconds(value)
    return next(fixed(value, n) for n in range(2, 20) if fixed(value, n) != fixed(other, n))


def tokens(value: float) -> str:
    return format(int(fixed(value, 0)), ",")


def dollars(value: float | None) -> str:
    if value is None:
        return DASH
    if 0 < value < _CENT_OF_A_CENT:
        return "<$0.0001"
    return "$" + fixed(value, 4 if 0 < value < 1 else 2)


def clock(value: float) -> str:
    whole = int(fixed(value, 0))
    hours, minutes, rest = whole // 3600, whole // 60 % 60, whole % 60
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def in_unit(value: float | None, unit: str, second: str = "s") -> str:
    """A value of the JSON in its unit; `second` is the word for it."""
    if value is None:
        return DASH
    if unit == "s":
        return f"{seconds(value)} {second}"
    return {"ratio": share, "tokens": tokens, "usd": dollars, "score": score}[unit](value)


def counted(metric: Mapping[str, Any]) -> str:
    """What a share was made of."""
    if metric["numerator"] is None or metric["denominator"] is None:
        return DASH
    return f"{metric['numerator']}/{metric['denominator']}"
