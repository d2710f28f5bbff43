"""Are as many cases won as lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom
from statsmodels.stats.contingency_tables import mcnemar

from skill_evaluator.metrics.mcnemar import mcnemar_mid_p


@pytest.mark.parametrize(
    ("worsened", "improved", "p"),
    [
        (0, 0, None),  # nothing flipped, so there is nothing to split
        (1, 6, 9 / 128),  # 2 (1 + 7) / 2^7 - 7 / 2^7
        (6, 1, 9 / 128),
        (0, 1, 0.5),  # 2 / 2 - 1 / 2
        (0, 4, 1 / 16),
        (0, 5, 1 / 32),  # 2 / 2^5 - 1 / 2^5
        (3, 3, 1.0),  # 2 (1 + 6 + 15 + 20) / 2^6 - 20 / 2^6
        (2, 3, 22 / 32),  # 2 (1 + 5 + 10) / 2^5 - 10 / 2^5
    ],
)
def test_by_hand(worsened: int, improved: int, p: float | None) -> None:
    assert mcnemar_mid_p(worsened, improved) == p


@given(st.integers(0, 1_500), st.integers(1, 1_500))
def test_scipy_agrees_for_any_number_of_flips(worsened: int, improved: int) -> None:
    flips, fewer = worsened + improved, min(worsened, improved)
    expected = 2 * binom.cdf(fewer, flips, 0.5) - binom.pmf(fewer, flips, 0.5)

    assert mcnemar_mid_p(worsened, improved) == pytest.approx(expected, rel=1e-9, abs=1e-290)


@pytest.mark.parametrize(("worsened", "improved"), [(1, 6), (0, 5), (2, 9), (12, 30)])
def test_it_is_half_a_term_below_the_exact_test_of_statsmodels(worsened: int, improved: int) -> None:
    exact = mcnemar([[5, worsened], [improved, 7]], exact=True).pvalue
    term = binom.pmf(min(worsened, improved), worsened + improved, 0.5)

    assert mcnemar_mid_p(worsened, improved) == pytest.approx(exact - term)


def test_fewer_than_no_flips_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="no fewer than 0"):
        mcnemar_mid_p(-1, 2)
