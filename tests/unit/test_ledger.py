"""Calls and money against their ceilings."""

import pytest

from skill_evaluator.model import Failure, FailureKind, Run, Usage
from skill_evaluator.runner.ledger import Ledger
from skill_evaluator.runner.terms import Spent, Terms


def answered(cost_usd: float | None) -> Run:
    return Run(case_id="c", triggered=True, usage=Usage(cost_usd=cost_usd))


def crashed(cost_usd: float | None = None) -> Run:
    return Run(
        case_id="c",
        failure=Failure(kind=FailureKind.CRASH, message="m"),
        usage=Usage(cost_usd=cost_usd, input_tokens=3),
    )


def after(ledger: Ledger, *runs: Run) -> Ledger:
    for run in runs:
        ledger.start(retry=False)
        ledger.settle(run)
    return ledger


def test_without_ceilings_nothing_is_forbidden() -> None:
    ledger = after(Ledger(Terms()), answered(None), answered(1e9))

    assert ledger.ceiling() is None
    assert ledger.spent == Spent(calls=2, cost_usd=1e9, dearest_usd=1e9)


@pytest.mark.parametrize(("price", "ceiling"), [(0.1, 10.0), (0.01, 1.0), (0.07, 7.0), (0.29, 29.0), (0.57, 57.0)])
def test_money_is_added_up_without_rounding(price: float, ceiling: float) -> None:
    """A hundred calls cost a hundred times the price as it is written; the binary 0.29 is a little less than that."""
    ledger = after(Ledger(Terms(max_cost_usd=ceiling)), *[answered(price)] * 99)
    assert ledger.ceiling() is None

    assert after(ledger, answered(price)).ceiling() == "max_cost"
    assert ledger.spent.cost_usd == ceiling


@pytest.mark.parametrize("cost_usd", [None, float("nan"), float("inf"), -0.5])
def test_an_answer_whose_price_cannot_be_is_one_without_a_price(cost_usd: float | None) -> None:
    assert after(Ledger(Terms(max_cost_usd=1.0)), answered(cost_usd)).ceiling() == "cost_unknown"


def test_a_failed_call_without_a_price_costs_as_much_as_the_dearest() -> None:
    ledger = after(Ledger(Terms(max_cost_usd=2.0)), crashed(), answered(0.5), answered(0.25), crashed(), crashed(0.125))

    assert ledger.spent.cost_usd == 0.0 + 0.5 + 0.25 + 0.5 + 0.125
    assert ledger.spent.dearest_usd == 0.5
    assert ledger.ceiling() is None
    assert after(ledger, crashed(), crashed()).ceiling() == "max_cost"


def test_what_was_spent_before_counts() -> None:
    spent = Spent(calls=7, retries=2, cost_usd=0.9, dearest_usd=0.1)

    assert Ledger(Terms(max_calls=7, spent=spent)).ceiling() == "max_calls"
    ledger = Ledger(Terms(max_calls=9, max_cost_usd=1.0, spent=spent))
    assert ledger.ceiling() is None
    assert after(ledger, crashed()).ceiling() == "max_cost"
    assert ledger.spent == Spent(calls=8, retries=2, cost_usd=1.0, dearest_usd=0.1)
