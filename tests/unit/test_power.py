"""How many cases show a change, and how large a change the present ones can show."""

import numpy as np
import pytest

from skill_evaluator.metrics.mcnemar import mcnemar_mid_p
from skill_evaluator.metrics.power import CHANCE_FLIPS, cases_needed, smallest_change


def test_chance_flips_are_those_of_three_runs_at_nine_tenths() -> None:
    right = 0.9**3 + 3 * 0.9**2 * 0.1

    assert pytest.approx(2 * right * (1 - right)) == CHANCE_FLIPS


def test_by_hand() -> None:
    """(1.959964 sqrt(0.2) + 0.841621 sqrt(0.2 - 0.0025))^2 / 0.0025 = (0.876523 + 0.374024)^2 / 0.0025 = 625.5."""
    assert cases_needed(0.05, 0.2) == 626


@pytest.mark.parametrize(("change", "flips"), [(0.05, 0.0), (0.05, 0.2), (0.1, 0.25), (0.1, 0.0)])
def test_so_many_cases_show_the_change_four_times_in_five(change: float, flips: float) -> None:
    """McNemar's test itself, on simulated flips."""
    cases, share, chance = cases_needed(change, flips), max(flips, change + CHANCE_FLIPS), np.random.default_rng(5)
    shares = ((share + change) / 2, (share - change) / 2, 1 - share)
    drawn = chance.multinomial(cases, shares, size=1_500)
    shown = [(mcnemar_mid_p(int(worse), int(better)) or 1.0) <= 0.05 for worse, better, _ in drawn]

    assert sum(shown) / len(shown) == pytest.approx(0.8, abs=0.04)


@pytest.mark.parametrize("cases", [6, 16, 30, 60, 500, 10_000])
@pytest.mark.parametrize("flips", [0.0, 0.1, 0.4])
def test_the_smallest_change_needs_as_many_cases_as_there_are(cases: int, flips: float) -> None:
    change = smallest_change(cases, flips)

    assert change is not None
    assert cases_needed(change, flips) <= cases + 1
    assert cases_needed(0.98 * change, flips) > cases


def test_more_cases_show_smaller_changes_and_more_flips_hide_larger_ones() -> None:
    found = [smallest_change(cases, 0.1) or 1.0 for cases in (10, 16, 30, 60, 326, 1_000)]

    assert found == sorted(found, reverse=True)
    assert (smallest_change(326, 0.0) or 1) == pytest.approx(0.05, abs=1e-4)
    assert (smallest_change(60, 0.3) or 1) > (smallest_change(60, 0.0) or 1)


@pytest.mark.parametrize("cases", [0, 1, 5])
def test_a_handful_of_cases_shows_nothing(cases: int) -> None:
    assert smallest_change(cases, 0.0) is None
