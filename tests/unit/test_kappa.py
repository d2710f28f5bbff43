"""Agreement of two raters beyond chance, against scikit-learn."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from skill_evaluator.metrics.kappa import quadratic_kappa

SCORES = st.integers(1, 5)


@pytest.mark.parametrize(
    ("pairs", "kappa"),
    [
        ([(1, 1), (3, 3), (5, 5)], 1.0),
        ([(1, 5), (5, 1)], -1.0),
        # n S(a-b)^2 = 4 * 2; n (S a^2 + S b^2) - 2 S a S b = 4 * (54 + 60) - 2 * 14 * 14 = 64
        ([(2, 3), (3, 3), (4, 4), (5, 4)], 1 - 8 / (4 * (54 + 50) - 2 * 14 * 14)),
        ([(3, 1), (3, 5)], None),  # it would be 0 whatever the second one gave
        ([(1, 3), (5, 3)], None),
        ([(2, 4), (2, 4)], None),
        ([(4, 4), (4, 4)], None),
        ([(4, 4)], None),
        ([], None),
    ],
)
def test_kappa_by_hand(pairs: list[tuple[int, int]], kappa: float | None) -> None:
    assert quadratic_kappa(pairs) == pytest.approx(kappa)


@given(st.lists(st.tuples(SCORES, SCORES), min_size=2, max_size=40))
def test_kappa_is_that_of_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    first, second = ([pair[place] for pair in pairs] for place in (0, 1))
    found = quadratic_kappa(pairs)

    if found is None:
        assert 1 in {len(set(first)), len(set(second))}
    else:
        assert found == pytest.approx(cohen_kappa_score(first, second, labels=range(1, 6), weights="quadratic"))


@given(st.lists(st.tuples(SCORES, SCORES), max_size=20), st.randoms())
def test_neither_the_order_of_pairs_nor_who_is_first_matters(pairs: list[tuple[int, int]], draw: Random) -> None:
    draw.shuffle(shuffled := pairs[:])

    assert (
        quadratic_kappa(shuffled) == quadratic_kappa([(other, one) for one, other in pairs]) == quadratic_kappa(pairs)
    )
