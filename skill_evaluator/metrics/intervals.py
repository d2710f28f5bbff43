"""How far a number can be trusted: 95 % intervals of shares and of ratios of sums."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from skill_evaluator.results import Interval

Z_95 = 1.959963984540054  # the 97.5 % quantile of the standard normal distribution
RESAMPLES = 2_000  # keeps the Monte Carlo error of an end's probability (0.025) below 0.004


class Share(NamedTuple):
    """What one case adds to a ratio of sums, `sum(top) / sum(bottom)`.

    Attributes:
        top: Its part of the numerator.
        bottom: Its part of the denominator.
        support: What has to be there for the ratio to mean anything: undefined while the sum is 0.
    """

    top: float
    bottom: float
    support: float


def wilson_interval(successes: int, trials: int) -> Interval | None:
    """Bound the proportion of independent trials with 95 % confidence.

    It lies within 0..1 and has width at 0 and at 1, where a handful of cases often ends up.

    Args:
        successes: Trials that came out so, 0 <= successes <= trials.
        trials: Trials made.

    Returns:
        The interval, or None without any trial.

    Raises:
        ValueError: If the counts are impossible.

    Source:
        E. B. Wilson (1927), "Probable inference, the law of succession, and statistical inference",
        J. Am. Stat. Assoc. 22:209-212; without continuity correction.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} of {trials} is no proportion")
    if trials == 0:
        return None
    share, spread = successes / trials, Z_95 * Z_95 / trials
    centre = (share + spread / 2) / (1 + spread)
    half = Z_95 * math.sqrt(share * (1 - share) / trials + spread / (4 * trials)) / (1 + spread)
    low = 0.0 if successes == 0 else centre - half
    high = 1.0 if successes == trials else centre + half
    return Interval(low=low, high=high)


def bootstrap_interval(shares: Sequence[Share], *, seed: int) -> Interval | None:
    """Bound a ratio of sums over cases with 95 % confidence, by drawing the cases again with replacement.

    A case stays whole, so that repetitions of one case, which depend on each other, are never taken for independent
    ones. The draw counts how often each distinct share comes up, which is the same draw, and makes the result
    independent of the order of the cases. Resamples in which the ratio is undefined are left out: at most 37 % of them
    ((1 - 1/n)^n < 1/e), since one case with support is enough to be defined.

    Args:
        shares: One for each measured case; those that add nothing belong to the sample too.
        seed: Seeds the draw.

    Returns:
        The 2.5 % and 97.5 % quantiles over 2,000 resamples; None where the ratio is undefined, and where all resamples
        agree: then drawing again says nothing about how far the ratio can be trusted.

    Source:
        B. Efron and R. J. Tibshirani (1993), An Introduction to the Bootstrap, chapter 13 (percentile interval);
        A. C. Davison and D. V. Hinkley (1997), Bootstrap Methods and their Application, section 3.8 (whole clusters).
    """
    if not any(share.support for share in shares):
        return None
    import numpy as np  # noqa: PLC0415 - heavy, loaded when needed

    kinds, counts = np.unique(np.asarray(shares, dtype=np.float64), axis=0, return_counts=True)
    draws = np.random.default_rng(seed).multinomial(len(shares), counts / len(shares), size=RESAMPLES)
    top, bottom, support = (draws @ kinds).T
    ratios = top[support > 0] / bottom[support > 0]
    low, high = np.quantile(ratios, (0.025, 0.975))
    return None if low == high else Interval(low=float(low), high=float(high))
