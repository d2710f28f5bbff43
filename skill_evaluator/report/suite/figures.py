"""The numbers of a suite as people read them."""

from skill_evaluator.report import numbers
from skill_evaluator.report.escape import Md
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.results import Interval, Metric

UNDEFINED = Md("—")
_MINUTE = 60
_LONG_S = 120  # from here on in minutes


def share(value: float | None) -> Md:
    """Show a score or another share of 0..1.

    >>> share(2 / 3), share(None)
    ('0.67', '—')
    """
    return UNDEFINED if value is None else Md(numbers.ratio(value))


def signed(value: float | None) -> Md:
    """Show a difference of scores with its sign.

    >>> signed(2 / 3), signed(None)
    ('+0.67', '—')
    """
    return UNDEFINED if value is None else Md(numbers.difference(value))


def between(value: Interval | None, say: Phrases, *, is_difference: bool = False) -> Md | None:
    """Show a 95 % interval, or nothing where there is none."""
    if value is None:
        return None
    show = signed if is_difference else share
    return say("suite.interval", low=show(value.low), high=show(value.high))


def fraction(metric: Metric | None) -> Md:
    """Show a rate with what it counts.

    >>> fraction(Metric(name="recall", value=0.75, numerator=3, denominator=4))
    '0.75 (3/4)'
    """
    if metric is None or metric.value is None:
        return UNDEFINED
    counted = metric.numerator is not None and metric.denominator is not None
    return Md(f"{share(metric.value)} ({metric.numerator}/{metric.denominator})" if counted else share(metric.value))


def weight(value: float | None) -> Md:
    """Show a weight as somebody wrote it."""
    return UNDEFINED if value is None else Md(numbers.weight(value))


def money(value: float) -> Md:
    """Show dollars; a negative amount, which no run has, stands as it is."""
    return Md(numbers.usd(value))


def duration(seconds: float | None, say: Phrases) -> Md:
    """Show whole seconds, as minutes from two minutes on."""
    if seconds is None:
        return UNDEFINED
    whole = round(seconds)
    if whole < _LONG_S:
        return say("suite.seconds", seconds=whole)
    return say("suite.minutes", minutes=whole // _MINUTE, seconds=whole % _MINUTE)
