"""Pass rates of the checks, and pass^k."""

import itertools
import math
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.metrics.intervals import wilson_interval
from skill_evaluator.metrics.output import pass_hat_k, pass_rates
from skill_evaluator.model import Aspect, Split
from skill_evaluator.results import CaseResult

SEED = 5


def case(
    *, successes: int = 0, valid: int = 3, planned: int = 3, aspects: dict[Aspect, bool] | None = None
) -> CaseResult:
    return CaseResult(
        id="c",
        split=Split.ACCEPTANCE,
        expect_trigger=True,
        prompt="p",
        prompt_sha256="b",
        sha256="a",
        planned_runs=planned,
        valid_runs=valid,
        triggered_runs=valid,
        decision=True if valid else None,
        fluctuation=0.0 if valid else None,
        successes=successes,
        aspects=aspects or {},
    )


def test_a_pass_rate_covers_the_cases_that_were_looked_at() -> None:
    """Twelve of fourteen outputs were right; one case had only its fields looked at, one nothing."""
    results = [case(aspects={Aspect.OUTPUT: True})] * 12 + [case(aspects={Aspect.OUTPUT: False})] * 2
    rates = pass_rates([*results, case(aspects={Aspect.PARAMS: False}), case()])

    output, params, tools = (rates[f"{name}_pass_rate"] for name in ("output", "params", "tool_order"))
    assert (output.value, output.numerator, output.denominator) == (12 / 14, 12, 14)
    assert output.interval == wilson_interval(12, 14)
    assert (params.value, params.numerator, params.denominator) == (0.0, 0, 1)
    assert (tools.value, tools.interval, tools.denominator) == (None, None, 0)


def test_pass_hat_k_is_the_chance_that_k_runs_are_all_right() -> None:
    """C(4,3)/C(5,3) = 4/10, C(5,3)/C(5,3) = 1 and C(2,3)/C(5,3) = 0: 1.4 / 3."""
    metric = pass_hat_k([case(successes=right, valid=5) for right in (4, 5, 2)], seed=SEED)

    assert metric.value == pytest.approx(1.4 / 3, abs=1e-15)
    assert (metric.numerator, metric.denominator) == (None, 3)
    assert metric.interval is not None
    assert 0 <= metric.interval.low < 1.4 / 3 < metric.interval.high <= 1


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=5), st.integers(1, 4))
def test_pass_hat_k_agrees_with_drawing_every_hand_of_k_runs(counts: list[tuple[int, int]], k: int) -> None:
    runs = [[True] * min(right, n) + [False] * (n - min(right, n)) for right, n in counts]
    hands = [[all(hand) for hand in itertools.combinations(of_case, k)] for of_case in runs if len(of_case) >= k]

    metric = pass_hat_k([case(successes=sum(r), valid=len(r), planned=k) for r in runs], seed=SEED)
    assert metric.denominator == len(hands)
    assert metric.value == (pytest.approx(fmean(fmean(hand) for hand in hands)) if hands else None)


def test_averages_say_how_many_cases_they_cover() -> None:
    """A case that lost a run to an error cannot say what three runs would do."""
    metric = pass_hat_k([case(successes=3), case(successes=2, valid=2), case(valid=0)], seed=SEED)

    assert (metric.value, metric.denominator) == (1.0, 1)


@pytest.mark.parametrize("results", [[], [case(valid=0)], [case(successes=2, valid=2)]])
def test_pass_hat_k_without_a_full_case_is_undefined(results: list[CaseResult]) -> None:
    metric = pass_hat_k(results, seed=SEED)

    assert (metric.value, metric.interval, metric.denominator) == (None, None, 0)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=8).flatmap(lambda c: st.tuples(st.just(c), st.permutations(c))))
def test_order_of_cases_does_not_matter(orders: tuple[list[int], list[int]]) -> None:
    one, other = (pass_hat_k([case(successes=c, valid=5) for c in order], seed=SEED) for order in orders)

    assert one == other
    assert math.isclose(one.value or 0, fmean(math.comb(c, 3) / 10 for c in orders[0]), abs_tol=1e-12)
