"""How numbers are shown; what is kept and compared is never rounded.

A number is never shown as a limit that it has not reached: 0.997 is `>0.99`, not `1.00`. Nothing is shown
as `-0.00`.
"""

from collections.abc import Sequence
from itertools import groupby

from skill_evaluator.results import HIGHEST, LOWEST, Interval

_NOISE = 1e-9  # what floating-point arithmetic leaves of an exact 0 or 1
_MAX_DECIMALS = 12
_SHORTEST_RANGE = 3
_SMALLEST_USD = 0.0001
_SMALLEST_P = 0.0001


def ratio(value: float) -> str:
    """Show a share of 0..1 with two decimals.

    >>> ratio(14 / 15), ratio(0.995), ratio(1.0), ratio(0.0004), ratio(-0.0)
    ('0.93', '>0.99', '1.00', '<0.01', '0.00')
    """
    return _between(value, 1.0, decimals=2)


def score(value: float) -> str:
    """Show a mean score of 1..5 with one decimal.

    >>> score(4.25), score(4.97), score(5), score(1.01)
    ('4.2', '<5.0', '5.0', '>1.0')
    """
    shown = f"{value:.1f}"
    if shown == "5.0" and value < HIGHEST:
        return "<5.0"
    return ">1.0" if shown == "1.0" and value > LOWEST else shown


def percent(value: float) -> str:
    """Show a share of 0..1 in per cent with one decimal.

    >>> percent(12 / 14), percent(0.9999), percent(1), percent(0)
    ('85.7%', '>99.9%', '100.0%', '0.0%')
    """
    return _between(100 * value, 100.0, decimals=1) + "%"


def apart(value: float, limit: float) -> str:
    """Show a share with as many decimals, at least two, as it takes to tell it from a limit.

    >>> apart(0.71, 0.85), apart(0.8496, 0.85), apart(0.85, 0.85), apart(0.997, 0.85), apart(0.004, 0.1)
    ('0.71', '0.8496', '0.85', '>0.99', '<0.01')
    """
    for decimals in range(2, _MAX_DECIMALS):
        if value == limit or round(value, decimals) != round(limit, decimals):
            return _between(value, 1.0, decimals=decimals)
    return repr(value)


def exactly(value: float) -> str:
    """Show a limit somebody chose: two decimals, more only where it has more.

    >>> exactly(0.85), exactly(0.9), exactly(0.875), exactly(1)
    ('0.85', '0.90', '0.875', '1.00')
    """
    whole, _, decimals = f"{value:.{_MAX_DECIMALS}f}".partition(".")
    return f"{whole}.{decimals.rstrip('0'):0<2}"


def points(difference: float) -> str:
    """Show a difference of shares in points, with its sign.

    >>> points(0.09), points(-0.0312), points(-0.0001)
    ('+9.0', '-3.1', '0.0')
    """
    return _signed(100 * difference)


def points_interval(value: Interval) -> str:
    """Show an interval of differences in points; an end that is not 0 is never shown as 0.

    >>> points_interval(Interval(low=-0.441, high=-0.152)), points_interval(Interval(low=-0.0004, high=0.0))
    ('[-44.1, -15.2]', '[-0.04, 0.0]')
    """
    return f"[{_points_apart(value.low)}, {_points_apart(value.high)}]"


def difference(value: float) -> str:
    """Show a difference of scores of 0..1 with its sign; one that is not 0 is never shown as 0.

    >>> difference(2 / 3), difference(-0.5), difference(0.001), difference(-1e-17)
    ('+0.67', '-0.50', '+<0.01', '0.00')
    """
    if abs(value) < _NOISE:
        return "0.00"
    shown = _plain(abs(value), 2)
    return ("-" if value < 0 else "+") + ("<0.01" if shown == "0.00" else shown)


def weight(value: float) -> str:
    """Show a weight as somebody wrote it.

    >>> weight(1.0), weight(0.25)
    ('1', '0.25')
    """
    return f"{value:g}"


def probability(value: float) -> str:
    """Show a p value with four decimals.

    >>> probability(0.0703125), probability(1.0), probability(1e-9), probability(0.99999)
    ('0.0703', '1.0000', '<0.0001', '>0.9999')
    """
    return "<0.0001" if 0 < value < _SMALLEST_P / 2 else _between(value, 1.0, decimals=4)


def change_percent(difference: float) -> str:
    """Show a difference relative to the old value in per cent, with its sign.

    >>> change_percent(0.25), change_percent(-0.5)
    ('+25.0%', '-50.0%')
    """
    return _signed(100 * difference) + "%"


def seconds(value: float) -> str:
    """Show seconds, without the unit: one decimal, two significant digits below a tenth.

    >>> seconds(1.44), seconds(75.06), seconds(0.0123), seconds(0.0001), seconds(0)
    ('1.4', '75.1', '0.012', '<0.001', '0.0')
    """
    if 0 < value < 0.001:  # noqa: PLR2004 - a millisecond is the finest that means anything
        return "<0.001"
    return f"{value:.2g}" if 0 < value < 0.1 else _plain(value, 1)  # noqa: PLR2004 - as the docstring says


def seconds_apart(value: float, other: float) -> str:
    """Show seconds with as many digits as it takes to tell them from others that they are compared with.

    >>> seconds_apart(0.104, 0.113), seconds_apart(0.113, 0.104), seconds_apart(1.44, 1.44), seconds_apart(1.44, 2.0)
    ('0.10', '0.11', '1.4', '1.4')
    """
    plain = seconds(value)
    if value == other or plain != seconds(other):
        return plain
    decimals = next((count for count in range(2, _MAX_DECIMALS) if round(value, count) != round(other, count)), None)
    return plain if decimals is None else _plain(value, decimals)


def clock(value: float) -> str:
    """Show how long something takes as a clock does: minutes and seconds, from an hour on hours too.

    >>> clock(7.6), clock(754), clock(3_600)
    ('0:08', '12:34', '1:00:00')
    """
    minutes, rest = divmod(round(value), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def tokens(value: float) -> str:
    """Show a number of tokens.

    >>> tokens(1234567), tokens(812.4)
    ('1,234,567', '812')
    """
    return f"{round(value):,}"


def usd(value: float) -> str:
    """Show US dollars: cents from one dollar on, hundredths of a cent below.

    >>> usd(12.5), usd(0.0123), usd(0.00001), usd(0)
    ('$12.50', '$0.0123', '<$0.0001', '$0.00')
    """
    if 0 < value < _SMALLEST_USD:
        return f"<${_SMALLEST_USD}"
    return "$" + _plain(value, 4 if 0 < value < 1 else 2)


def interval(value: Interval) -> str:
    """Show an interval of shares.

    >>> interval(Interval(low=0.7018, high=0.9881))
    '0.70–0.99'
    """
    return f"{ratio(value.low)}–{ratio(value.high)}"


def ranges(whole: Sequence[int]) -> tuple[str, ...]:
    """Show ascending whole numbers, three or more in a row as a range.

    >>> ranges([1, 2, 3, 5]), ranges([1, 2]), ranges([])
    (('1–3', '5'), ('1', '2'), ())
    """
    shown: list[str] = []
    for _, group in groupby(enumerate(whole), key=lambda pair: pair[1] - pair[0]):
        row = [str(number) for _, number in group]
        shown += [f"{row[0]}–{row[-1]}"] if len(row) >= _SHORTEST_RANGE else row
    return tuple(shown)


def _points_apart(difference: float) -> str:
    value = 100 * difference
    decimals = next((count for count in range(1, _MAX_DECIMALS) if abs(round(value, count)) > _NOISE), None)
    return "0.0" if decimals is None else f"{round(value, decimals):+.{decimals}f}"


def _between(value: float, top: float, *, decimals: int) -> str:
    step = 10.0**-decimals
    if _NOISE < value < step / 2:
        return "<" + _plain(step, decimals)
    if top - step / 2 <= value < top - _NOISE:
        return ">" + _plain(top - step, decimals)
    return _plain(value, decimals)


def _signed(value: float) -> str:
    rounded = _plain_zero(round(value, 1))
    return f"{rounded:+.1f}" if rounded else "0.0"


def _plain(value: float, decimals: int) -> str:
    return f"{_plain_zero(round(value, decimals)):.{decimals}f}"


def _plain_zero(value: float) -> float:
    return value + 0.0  # turns -0.0 into 0.0
