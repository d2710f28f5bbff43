"""How many cases it takes to show a change, and how large a change the present ones can show."""

import math

from skill_evaluator.metrics.intervals import Z_95

CHANGE = 0.05  # the size of change that the mark is about
CHANCE_FLIPS = 0.054432  # 2 x 0.972 x 0.028: an unchanged skill, right in 90 % of runs, decided by 3 runs twice
_Z_80 = 0.8416212335729143  # the 80 % quantile of the standard normal distribution
_STEPS = 60  # halvings; a double has 53 bits


def cases_needed(change: float, flips: float) -> int:
    """How many paired cases show a change of decisions with 95 % confidence in four of five repeats.

    Args:
        change: By how much the share of right decisions moves, above 0 to 1.
        flips: The share of cases that flipped either way, 0..1. At least what chance makes of the unchanged
            skill, and the change itself beside it, is reckoned with.

    Source:
        R. J. Connor (1987), "Sample size for testing differences in proportions for the paired-sample design",
        Biometrics 43:207-211: n = (z_a sqrt(psi) + z_b sqrt(psi - d^2))^2 / d^2; after O. S. Miettinen (1968),
        "The matched pairs design in the case of all-or-none responses", Biometrics 24:339-352.

    >>> cases_needed(0.05, 0.0), cases_needed(0.05, 0.2), cases_needed(0.2, 0.0)
    (326, 626, 48)
    """
    return math.ceil(_needed(change, flips))


def smallest_change(cases: int, flips: float) -> float | None:
    """How large a change of decisions is at least that so many paired cases show, as `cases_needed` has it.

    Returns:
        The share, 0..1; None where not even the largest change would show.
    """
    low, high = 0.0, 1.0 - CHANCE_FLIPS
    if cases < _needed(high, flips):
        return None
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if middle and _needed(middle, flips) <= cases else (middle, high)
    return high


def _needed(change: float, flips: float) -> float:
    share = min(1.0, max(flips, change + CHANCE_FLIPS))
    root = Z_95 * math.sqrt(share) + _Z_80 * math.sqrt(max(0.0, share - change * change))
    return (root / change) ** 2
