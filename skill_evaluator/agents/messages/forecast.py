"""Says roughly what a run of the test set costs, before anything is asked."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from skill_evaluator.agents.messages.prices import Prices
from skill_evaluator.agents.messages.request import ApiRequest

_CHARACTERS: Final = 4  # of a token, roughly, in English; others are escaped in JSON, which makes up for it
_SHORT, _LONG = 100, 500  # tokens of an answer: where only the trigger counts, and where the output does
_TURNS: Final = 3  # requests of a run whose output counts


@dataclass(frozen=True, kw_only=True, slots=True)
class Rate:
    """What one model costs, by itself or in batches."""

    prices: Prices
    model: str
    batch: bool


def about_usd(first: Iterable[tuple[ApiRequest, bool]], rate: Rate, *, body: str) -> float | None:
    """Add up what runs cost, with nothing taken off for what is cached, and without canary and retries.

    Args:
        first: The first request of each run, and whether only the trigger counts, so that it is the only one.
        rate: What the model costs.
        body: Text of the skill, which later requests hold as well.

    Returns:
        Dollars, or None where the price of the model is not known.
    """
    costs = [_one(request, rate, body=body, is_plain=is_plain) for request, is_plain in first]
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None


def _one(request: ApiRequest, rate: Rate, *, body: str, is_plain: bool) -> float | None:
    size = len(json.dumps([request.system, request.tools, request.messages])) // _CHARACTERS
    turns, answer = (1, _SHORT) if is_plain else (_TURNS, _LONG)
    later = (turns - 1) * (len(body) // _CHARACTERS + answer)
    return rate.prices.cost_usd(
        rate.model, input=turns * size + later, cached=0, written=0, output=turns * answer, batch=rate.batch
    )
