"""How far the difference of a rate between two reports can be trusted."""

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest
from scipy.stats import norm, t

from skill_evaluator.metrics.intervals import Share
from skill_evaluator.metrics.paired_bootstrap import (
    RESAMPLES,
    PairedShare,
    _resampled,
    entering,
    paired_intervals,
    widened_tail,
)

NOTHING = Share(0, 0, 0)


def over_runs(*fired: tuple[int, int]) -> list[PairedShare]:
    """Positives by how many of three runs fired, now and before."""
    return [(Share(new, 3, 3), Share(old, 3, 3)) for new, old in fired]


MIXED: Sequence[PairedShare] = (
    (Share(2, 4, 3), Share(3, 3, 3)),
    (Share(0, 1, 0), Share(0, 0, 0)),
    (Share(3, 3, 3), Share(1, 2, 3)),
    (NOTHING, Share(0, 1, 0)),
)


def brute_force(shares: Sequence[PairedShare]) -> list[float]:
    """The difference in each of the n^n resamples, the undefined ones left out."""
    found = []
    for drawn in itertools.product(shares, repeat=len(shares)):
        new, old = ([pair[side] for pair in drawn] for side in (0, 1))
        if any(one.support for one in new) and any(one.support for one in old):
            ratio = [sum(one.top for one in side) / sum(one.bottom for one in side) for side in (new, old)]
            found.append(ratio[0] - ratio[1])
    return sorted(found)


@pytest.mark.parametrize(
    "shares",
    [over_runs((3, 3), (1, 3), (3, 2)), over_runs((0, 3), (3, 3), (2, 3), (3, 0), (3, 3)), MIXED],
    ids=["three", "five", "a ratio whose denominator moves"],
)
def test_the_draw_is_that_of_all_resamples(shares: Sequence[PairedShare]) -> None:
    """The two distributions part by less than 0.02; 5,000 draws of the same one do so by chance once in 60."""
    drawn, exact = np.sort(_resampled(shares, seed=1)), brute_force(shares)
    at = sorted({round(value, 12) for value in exact})
    parted = [
        abs(np.searchsorted(drawn, value + 1e-9) / len(drawn) - np.searchsorted(exact, value + 1e-9) / len(exact))
        for value in at
    ]

    assert max(parted) < 0.02
    assert {round(float(value), 12) for value in drawn} <= set(at)
    assert len(drawn) == pytest.approx(RESAMPLES * len(exact) / len(shares) ** len(shares), rel=0.02)


@pytest.mark.parametrize("level", [0.8, 0.9])
def test_the_ends_are_quantiles_of_all_resamples(level: float) -> None:
    shares = over_runs((0, 3), (3, 3), (2, 3), (3, 0), (1, 3), (3, 3))
    found, exact, tail = paired_intervals(shares, levels=(level,), seed=3), brute_force(shares), widened_tail(level, 6)

    assert found is not None
    low = np.quantile(exact, (tail - 0.01, tail + 0.01))
    high = np.quantile(exact, (1 - tail - 0.01, 1 - tail + 0.01))
    assert low[0] <= found[0].low <= low[1]
    assert high[0] <= found[0].high <= high[1]


@pytest.mark.parametrize("cases", [2, 5, 15, 30, 1_000])
def test_ends_are_widened_as_much_as_student_asks(cases: int) -> None:
    expected = norm.cdf(-math.sqrt(cases / (cases - 1)) * t.ppf(0.975, cases - 1))

    assert widened_tail(0.95, cases) == pytest.approx(expected)
    assert widened_tail(0.95, cases) < 0.025


def test_a_mean_of_differences_has_about_the_interval_of_student() -> None:
    chance = np.random.default_rng(4)
    new, old = chance.binomial(3, 0.6, 40), chance.binomial(3, 0.8, 40)
    found = paired_intervals(over_runs(*zip(new.tolist(), old.tolist(), strict=True)), levels=(0.95,), seed=0)
    half = t.ppf(0.975, 39) * np.std((new - old) / 3, ddof=1) / math.sqrt(40)
    centre = np.mean(new - old) / 3

    assert found is not None
    assert found[0].low == pytest.approx(centre - half, abs=0.02)
    assert found[0].high == pytest.approx(centre + half, abs=0.02)


def test_a_wider_level_holds_the_narrower_one() -> None:
    found = paired_intervals(over_runs(*[(0, 3), (3, 3), (2, 3)] * 5), levels=(0.95, 0.99), seed=0)

    assert found is not None
    assert found[1].low <= found[0].low < found[0].high <= found[1].high


def test_the_order_of_the_cases_does_not_matter_and_the_seed_does() -> None:
    shares = over_runs((0, 3), (1, 3), (2, 3), (3, 3), (3, 0), (3, 1))
    found = paired_intervals(shares, levels=(0.95,), seed=0)

    assert paired_intervals(shares[::-1], levels=(0.95,), seed=0) == found
    assert _resampled(shares, seed=0).tolist() != _resampled(shares, seed=1).tolist()


@pytest.mark.parametrize(
    "shares",
    [
        [],
        over_runs((0, 3)),
        over_runs((3, 3), (1, 1), (0, 0)),  # nothing differs
        over_runs((0, 3), (0, 3), (0, 3)),  # all differ alike
        [(NOTHING, Share(3, 3, 3)), (NOTHING, Share(1, 3, 3))],  # undefined on one side
    ],
)
def test_resamples_that_agree_give_no_interval(shares: Sequence[PairedShare]) -> None:
    assert paired_intervals(shares, levels=(0.95,), seed=0) is None


def test_a_case_that_adds_nothing_does_not_enter() -> None:
    assert entering([*over_runs((1, 2)), (NOTHING, NOTHING), (NOTHING, Share(0, 1, 0))]) == 2


def test_about_95_of_100_intervals_hold_the_true_difference() -> None:
    """Forty positives, each right in 90 % of runs before and in 70 % now; chance alone spreads this by 1.5 points."""
    chance, held = np.random.default_rng(6), 0
    for seed in range(200):
        drawn = zip(chance.binomial(3, 0.7, 40).tolist(), chance.binomial(3, 0.9, 40).tolist(), strict=True)
        found = paired_intervals(over_runs(*drawn), levels=(0.95,), seed=seed)
        assert found is not None
        held += found[0].low <= -0.2 <= found[0].high

    assert 0.91 <= held / 200 <= 0.99
