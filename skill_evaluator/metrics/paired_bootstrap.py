"""How far the difference of a rate between two reports can be trusted: pairs of cases drawn again."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from skill_evaluator.metrics.intervals import Share
from skill_evaluator.results import Interval

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESAMPLES = 5_000  # widened ends lie far out: with 15 cases 0.5 % to 1.3 %, which is 25 to 65 of these
_AGREE = 1e-12  # what adding floats in another order leaves between equal ratios

PairedShare = tuple[Share, Share]  # what one case adds to the rate of the new and of the old report


def paired_intervals(
    shares: Sequence[PairedShare], *, levels: Sequence[float], seed: int
) -> tuple[Interval, ...] | None:
    """Bound the difference, new minus old, of a ratio of sums over the same cases.

    Questions are drawn whole: with all their repetitions in both reports. The ends are widened for few cases, as a
    percentile interval is too narrow by the square root of (n - 1)/n and ignores that the spread is estimated too.
    As in `bootstrap_interval`, distinct shares are drawn by count, and resamples without a ratio are left out.

    Args:
        shares: One for each case.
        levels: Confidence of each interval asked for, 0..1.
        seed: Seeds the draw.

    Returns:
        One interval for each level, all from the same draw; None where the difference is undefined, where fewer than
        two cases enter the ratio, and where all resamples agree, which says nothing.

    Source:
        B. Efron and R. J. Tibshirani (1993), An Introduction to the Bootstrap, chapter 13; T. C. Hesterberg (2015),
        "What Teachers Should Know About the Bootstrap", Am. Stat. 69:371-386, for the expanded percentile interval.
    """
    cases = entering(shares)
    if cases <= 1 or all(new == old for new, old in shares):
        return None
    import numpy as np  # noqa: PLC0415 - heavy, loaded when needed

    found = _resampled(shares, seed)
    if not len(found) or np.ptp(found) < _AGREE:
        return None
    ends = (np.quantile(found, (tail, 1 - tail)) for tail in (widened_tail(level, cases) for level in levels))
    return tuple(Interval(low=float(low), high=float(high)) for low, high in ends)


def entering(shares: Sequence[PairedShare]) -> int:
    """How many cases enter the ratio of at least one of the reports."""
    return sum(bool(new.bottom or old.bottom) for new, old in shares)


def widened_tail(level: float, cases: int) -> float:
    """The share of resamples beyond either end: that of the normal distribution where Student's t has its quantile.

    Args:
        level: The confidence wanted, 0..1.
        cases: How many enter the ratio, at least 2.
    """
    from scipy.special import ndtr, stdtrit  # noqa: PLC0415 - heavy, loaded when needed

    return float(ndtr(-math.sqrt(cases / (cases - 1)) * stdtrit(cases - 1, (1 + level) / 2)))


def _resampled(shares: Sequence[PairedShare], seed: int) -> "NDArray[np.float64]":
    """The difference in each resample in which both ratios are defined."""
    import numpy as np  # noqa: PLC0415 - heavy, loaded when needed

    rows = np.asarray([(*new, *old) for new, old in shares], dtype=np.float64)
    kinds, counts = np.unique(rows, axis=0, return_counts=True)
    draws = np.random.default_rng(seed).multinomial(len(rows), counts / len(rows), size=RESAMPLES)
    sums = draws @ kinds
    top, bottom, support, old_top, old_bottom, old_support = sums[(sums[:, 2] > 0) & (sums[:, 5] > 0)].T
    del support, old_support
    found: NDArray[np.float64] = top / bottom - old_top / old_bottom
    return found
