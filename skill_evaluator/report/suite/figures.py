"""The numbers of a suite as people read them."""

from datetime import UTC, datetime

from skill_evaluator.report import numbers
from skill_evaluator.report.escape import Md
from skill_evaluator.results import Interval, Metric

UNDEFINED = Md("—")
_NOISE = 1e-9  # what floating-point arithmetic leaves of an exact 0


def share(value: float | None) -> Md:
    """Show a score or another share of 0..1.

    >>> share(2 / 3), share(None)
    ('0.67', '—')
    """
    return UNDEFINED if value is None else Md(numbers.ratio(value))


def signed(value: float | None) -> Md:
    """Show a difference of scores with its sign; one that is not 0 is never shown as 0.

    >>> signed(2 / 3), signed(-0.5), signed(0.001), signed(-1e-17), signed(None)
    ('+0.67', '-0.50', '+<0.01', '0.00', '—')
    """
    if value is None:
        return UNDEFINED
    if abs(value) < _NOISE:
        return Md("0.00")
    shown = f"{abs(value):.2f}"
    return Md(("-" if value < 0 else "+") + ("<0.01" if shown == "0.00" else shown))


def between(value: Interval | None, *, is_difference: bool = False) -> Md | None:
    """Show a 95 % interval, or nothing where there is none."""
    if value is None:
        return None
    show = signed if is_difference else share
    return Md(f"95% CI {show(value.low)} to {show(value.high)}")


def fraction(metric: Metric | None) -> Md:
    """Show a rate with what it counts.

    >>> fraction(Metric(name="recall", value=0.75, numerator=3, denominator=4))
    '0.75 (3/4)'
    """
    if metric is None or metric.value is None:
        return UNDEFINED
    counted = metric.numerator is not None and metric.denominator is not None
    return Md(f"{share(metric.value)} ({metric.numerator}/{metric.denominator})" if counted else share(metric.value))


def count(number: int, noun: str) -> Md:
    """Count things.

    >>> count(1, "case"), count(2, "case")
    ('1 case', '2 cases')
    """
    return Md(f"{number} {noun}{'' if number == 1 else 's'}")


def weight(value: float | None) -> Md:
    """Show a weight as somebody wrote it.

    >>> weight(1.0), weight(0.25), weight(None)
    ('1', '0.25', '—')
    """
    return UNDEFINED if value is None else Md(f"{value:g}")


def money(value: float) -> Md:
    """Show dollars; a negative amount, which no run has, stands as it is."""
    return Md(numbers.usd(value))


def moment(value: datetime) -> Md:
    """Show a moment to the minute.

    >>> moment(datetime(2026, 5, 1, 8, 43, 23, tzinfo=UTC))
    '2026-05-01 08:43 UTC'
    """
    return Md(f"{value.astimezone(UTC):%Y-%m-%d %H:%M} UTC")


def duration(seconds: float | None) -> Md:
    """Show seconds, as minutes from two minutes on.

    >>> duration(3), duration(754), duration(None)
    ('3 s', '12 min 34 s', '—')
    """
    if seconds is None:
        return UNDEFINED
    whole = round(seconds)
    return Md(f"{whole} s" if whole < 120 else f"{whole // 60} min {whole % 60} s")  # noqa: PLR2004 - as told above
