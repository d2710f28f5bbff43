"""Counts calls and money, and says when a ceiling is reached.

Money is added up as decimals: ten calls at 0.1 dollars are exactly one dollar.
"""

import math
from decimal import Decimal

from skill_evaluator.model import Run
from skill_evaluator.runner.stop import StopCode
from skill_evaluator.runner.terms import Spent, Terms

_NOTHING = Decimal(0)


class Ledger:
    """What was spent so far, held against the ceilings of the terms."""

    def __init__(self, terms: Terms) -> None:
        self._max_calls = terms.max_calls
        self._max_cost = None if terms.max_cost_usd is None else _decimal(terms.max_cost_usd)
        self._calls, self._retries = terms.spent.calls, terms.spent.retries
        self._cost, self._dearest = _decimal(terms.spent.cost_usd), _decimal(terms.spent.dearest_usd)
        self._unknown = False

    @property
    def spent(self) -> Spent:
        """All of it, what was spent before included."""
        return Spent(
            calls=self._calls,
            retries=self._retries,
            cost_usd=float(self._cost),
            dearest_usd=float(self._dearest),
        )

    def ceiling(self) -> StopCode | None:
        """Say what forbids a further call, or None."""
        if self._max_calls is not None and self._calls >= self._max_calls:
            return "max_calls"
        if self._max_cost is None:
            return None
        if self._unknown:
            return "cost_unknown"
        return "max_cost" if self._cost >= self._max_cost else None

    def start(self, *, retry: bool) -> None:
        """Count a call that is about to be made."""
        self._calls += 1
        self._retries += retry

    def settle(self, run: Run) -> Decimal | None:
        """Count what an ended call cost.

        Returns:
            Dollars. A failed call that does not say counts as the dearest seen so far; None where the price is not
            known at all.
        """
        told = _told_cost(run)
        if told is not None:
            self._dearest = max(self._dearest, told)
        elif run.failure is None:
            self._unknown = True
        else:
            told = self._dearest or None
        self._cost += told or _NOTHING
        return told


def _told_cost(run: Run) -> Decimal | None:
    """What the agent says, where it can be a price."""
    cost = run.usage.cost_usd if run.usage else None
    return _decimal(cost) if cost is not None and math.isfinite(cost) and cost >= 0 else None


def _decimal(amount: float) -> Decimal:
    return Decimal(repr(amount))
