"""Numbers of an eval suite as a terminal shows them."""

import math
from decimal import ROUND_HALF_UP, Decimal

UNKNOWN = "—"
_CENTS = 2  # places of decimals
_SMALLEST = 0.0001  # dollars; what is less is not nothing


def score_text(score: float | None) -> str:
    """Show a score with two decimals.

    >>> score_text(0.125), score_text(None)
    ('0.13', '—')
    """
    return UNKNOWN if score is None else _fixed(score)


def delta_text(delta: float | None) -> str:
    """Show a difference of scores with its sign; nothing at all has none.

    >>> delta_text(2 / 3), delta_text(0.0), delta_text(-0.5)
    ('+0.67', '0.00', '-0.50')
    """
    return UNKNOWN if delta is None else ("+" if delta > 0 else "") + _fixed(delta)


def percent_text(share: float | None) -> str:
    """Show a share in whole per cent.

    >>> percent_text(0.125)
    '13%'
    """
    return UNKNOWN if share is None or not math.isfinite(share) else f"{math.floor(share * 100 + 0.5)}%"


def dollars_text(dollars: float) -> str:
    """Show an amount in dollars and cents, below a dollar as far as hundredths of a cent.

    >>> dollars_text(12.345), dollars_text(0.4), dollars_text(0.0117), dollars_text(0.00001)
    ('$12.35', '$0.40', '$0.0117', '<$0.0001')
    """
    if 0 < dollars < _SMALLEST:
        return f"<${_SMALLEST}"
    if not 0 < dollars < 1:
        return "$" + _fixed(dollars)
    whole, _, parts = str(Decimal(dollars).quantize(Decimal("0.0001"), rounding=ROUND_HALF_UP)).partition(".")
    return f"${whole}.{parts.rstrip('0'):0<2}"


def ceiling_text(dollars: float) -> str:
    """Show a bound on costs as it was given: it decides, so nothing of it is rounded away.

    >>> ceiling_text(5), ceiling_text(0.3), ceiling_text(0.00001), ceiling_text(1.005)
    ('$5.00', '$0.30', '$0.00001', '$1.005')
    """
    exact = f"{Decimal(repr(dollars)):f}"
    has_cents_alone = len(exact.partition(".")[2]) <= _CENTS
    return dollars_text(dollars) if has_cents_alone else f"${exact}"


def count_text(count: int, word: str) -> str:
    """Show how many.

    >>> count_text(1, "run"), count_text(2, "run")
    ('1 run', '2 runs')
    """
    return f"{count} {word}" + ("" if count == 1 else "s")


def _fixed(number: float) -> str:
    if not math.isfinite(number):
        return UNKNOWN
    return str(Decimal(number).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP))
