"""Intervals against published values, statsmodels, SciPy, full enumeration and a bootstrap in plain Python."""

import itertools
import random
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.stats.proportion import proportion_confint

from skill_evaluator.metrics.intervals import Share, bootstrap_interval, wilson_interval
from skill_evaluator.results import Interval

HIT, MISS, FALSE_TRIGGER, QUIET = Share(2, 2, 1), Share(0, 1, 1), Share(0, 1, 0), Share(0, 0, 0)  # F1 by one case
SEED = 7


def ratio(sample: Sequence[Share]) -> float | None:
    top, bottom, support = (sum(column) for column in zip(*sample, strict=True))
    return top / bottom if support else None


def assert_cuts_off_a_fortieth_at_each_end(interval: Interval, ratios: Sequence[float], slack: float) -> None:
    """`ratios` is the sampling distribution; an end may stand inside a step of it."""
    ordered, size = sorted(ratios), len(ratios)
    low, high = interval.low, interval.high
    assert bisect_left(ordered, low - 1e-9) / size <= 0.025 + slack
    assert bisect_right(ordered, low + 1e-9) / size >= 0.025 - slack
    assert bisect_left(ordered, high - 1e-9) / size <= 0.975 + slack
    assert bisect_right(ordered, high + 1e-9) / size >= 0.975 - slack


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_gives_the_published_intervals(successes: int, trials: int, low: float, high: float) -> None:
    """R. G. Newcombe (1998), Statistics in Medicine 17:857-872, table I, method 3."""
    interval = wilson_interval(successes, trials)

    assert interval is not None
    assert (round(interval.low, 4), round(interval.high, 4)) == (low, high)


@given(st.integers(1, 2_000).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials))))
def test_wilson_agrees_with_statsmodels_and_scipy(counts: tuple[int, int]) -> None:
    successes, trials = counts
    interval = wilson_interval(successes, trials)
    theirs = binomtest(successes, trials).proportion_ci(method="wilson")

    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)
    assert (interval.low, interval.high) == pytest.approx(
        proportion_confint(successes, trials, method="wilson"), abs=1e-12
    )
    assert 0 <= interval.low <= successes / trials <= interval.high <= 1


def test_no_trial_has_no_interval() -> None:
    assert wilson_interval(0, 0) is None


@pytest.mark.parametrize(("successes", "trials"), [(2, 1), (-1, 3), (0, -1)])
def test_impossible_counts_are_refused(successes: int, trials: int) -> None:
    with pytest.raises(ValueError, match="is no proportion"):
        wilson_interval(successes, trials)


@pytest.mark.parametrize(
    "cases",
    [
        [HIT, MISS, QUIET],
        [HIT, HIT, FALSE_TRIGGER],
        [HIT, HIT, MISS, FALSE_TRIGGER],
        [HIT, HIT, HIT, MISS, FALSE_TRIGGER, QUIET],
    ],
)
def test_bootstrap_agrees_with_all_possible_resamples(cases: list[Share]) -> None:
    every = itertools.product(cases, repeat=len(cases))
    interval = bootstrap_interval(cases, seed=SEED)

    assert interval is not None
    assert_cuts_off_a_fortieth_at_each_end(interval, [r for s in every if (r := ratio(s)) is not None], slack=0.015)


@given(st.lists(st.sampled_from([HIT, MISS, FALSE_TRIGGER, QUIET]), min_size=8, max_size=40))
def test_bootstrap_agrees_with_drawing_cases_one_by_one(cases: list[Share]) -> None:
    draw = random.Random(SEED)  # noqa: S311 - statistics, no secret
    drawn = [ratio(draw.choices(cases, k=len(cases))) for _ in range(1_000)]
    ratios = [value for value in drawn if value is not None]
    interval = bootstrap_interval(cases, seed=SEED)

    if interval is None:
        assert len(set(ratios)) <= 1
    else:
        assert_cuts_off_a_fortieth_at_each_end(interval, ratios, slack=0.035)


def test_resamples_without_a_positive_are_left_out() -> None:
    """Of the four draws one has no positive: what is left is 2/3 (twice) and 1, and no 0."""
    assert bootstrap_interval([HIT, FALSE_TRIGGER], seed=SEED) == Interval(low=2 / 3, high=1.0)


@pytest.mark.parametrize("cases", [[], [QUIET], [FALSE_TRIGGER, QUIET]])
def test_an_undefined_ratio_has_no_interval(cases: list[Share]) -> None:
    assert bootstrap_interval(cases, seed=SEED) is None


@pytest.mark.parametrize("cases", [[HIT] * 5, [MISS] * 5, [HIT, QUIET], [Share(1 / 3, 1, 1)] * 7])
def test_resamples_that_all_agree_claim_no_certainty(cases: list[Share]) -> None:
    assert bootstrap_interval(cases, seed=SEED) is None


def test_repeating_a_run_without_change_narrows_nothing() -> None:
    once = [Share(1, 1, 1)] * 7 + [Share(0, 1, 1)] * 3
    thrice = [Share(3, 3, 3)] * 7 + [Share(0, 3, 3)] * 3

    assert bootstrap_interval(thrice, seed=SEED) == bootstrap_interval(once, seed=SEED)


@given(st.permutations([HIT] * 5 + [MISS] * 3 + [FALSE_TRIGGER, QUIET, QUIET]))
def test_order_of_cases_does_not_matter(cases: list[Share]) -> None:
    assert bootstrap_interval(cases, seed=SEED) == bootstrap_interval(sorted(cases), seed=SEED)


def test_the_seed_alone_decides_the_draw() -> None:
    cases = [Share(top**2 / 100, 1, 1) for top in range(11)]

    assert bootstrap_interval(cases, seed=1) == bootstrap_interval(cases, seed=1)
    assert len({bootstrap_interval(cases, seed=seed) for seed in range(5)}) > 1
