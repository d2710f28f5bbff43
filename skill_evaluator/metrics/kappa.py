"""How far two raters agree beyond chance, in plain Python: reading a report must not load numpy for it."""

from collections.abc import Sequence

FEWEST_PAIRS = 2


def quadratic_kappa(pairs: Sequence[tuple[int, int]]) -> float | None:
    """Weigh how far two raters lie apart on a scale of whole numbers, against chance.

    With weights that grow with the square of the distance, kappa is 1 - n S(a - b)^2 / (n S a^2 + n S b^2 - 2 S a S b),
    S being sums over the n pairs: the mean square distance seen, over that of ratings paired at random.

    Args:
        pairs: What either rater gave for the same thing.

    Returns:
        1 for ratings that are all equal, 0 for what chance would give, below 0 for less; None with fewer than two
        pairs, and where either rater gave one number throughout: kappa would be 0 whatever the other gave.

    Source:
        J. Cohen (1968), "Weighted kappa: nominal scale agreement with provision for scaled disagreement or partial
        credit", Psychological Bulletin 70:213-220.

    >>> quadratic_kappa([(1, 1), (2, 3), (5, 5)]), quadratic_kappa([(2, 4), (2, 4)]), quadratic_kappa([(4, 4), (4, 4)])
    (0.9411764705882353, None, None)
    """
    if len(pairs) < FEWEST_PAIRS or any(len(set(ratings)) == 1 for ratings in zip(*pairs, strict=True)):
        return None
    seen = len(pairs) * sum((one - other) ** 2 for one, other in pairs)
    squares = sum(one**2 + other**2 for one, other in pairs)
    by_chance = len(pairs) * squares - 2 * sum(one for one, _ in pairs) * sum(other for _, other in pairs)
    return (by_chance - seen) / by_chance
