"""What judge and analyst are going to be asked, and roughly what that costs, told before the first call."""

from collections.abc import Iterator

from skill_evaluator.advise import ROUNDS
from skill_evaluator.api.request import Prepared
from skill_evaluator.metrics.judge import wanted_scores
from skill_evaluator.model import Split

_CONTROLS = 4  # texts that are no answers, in every call of the judge
_OUTPUT, _SCORE = 500, 100  # tokens: of an output that is shown, and of what is said of it
_FAILURE, _SUGGESTION = 500, 1_000  # tokens: of a failed case that is shown, and of what one round suggests
_INSTRUCTIONS = 1_000


def reviewer_lines(prepared: Prepared) -> Iterator[str]:
    """One line for the judge, one for the analyst, and what bounds them; none where neither is asked."""
    config = prepared.config
    if config.judge_model is not None:
        yield _judge_line(prepared, config.judge_model)
    if config.advise_model is not None:
        yield _analyst_line(prepared, config.advise_model)
    if prepared.request.max_calls is not None and (config.judge_model or config.advise_model):
        yield "--max-calls counts calls of the agent alone; --max-cost-usd holds for all calls together"


def _judge_line(prepared: Prepared, model: str) -> str:
    items = sum(map(len, wanted_scores(prepared.cases).values()))
    texts = prepared.config.runs * (2 if prepared.baseline else 1) + _CONTROLS
    cost = _cost(prepared, model, calls=2 * items, read=_INSTRUCTIONS + texts * _OUTPUT, written=texts * _SCORE)
    what = "rubric item of a case" if items == 1 else "rubric items of cases"
    return f"judge: model {model}, at most {2 * items} calls, 2 for each of {items} {what} that should trigger; {cost}"


def _analyst_line(prepared: Prepared, model: str) -> str:
    tuning = sum(case.split is Split.TUNING for case in prepared.cases)
    cost = _cost(prepared, model, calls=ROUNDS, read=_INSTRUCTIONS + tuning * _FAILURE, written=_SUGGESTION)
    return f"analyst: model {model}, at most {ROUNDS} calls, none where the tuning cases go well; {cost}"


def _cost(prepared: Prepared, model: str, *, calls: int, read: int, written: int) -> str:
    from skill_evaluator.agents.messages.price_file import read_prices  # noqa: PLC0415 - only these need it

    one = read_prices(prepared.request.prices).cost_usd(model, input=read, cached=0, written=0, output=written)
    if one is None:
        return f"cost: not known, since the price of model {model} is not (--prices FILE)"
    return f"cost: at most about {one * calls:.2g} USD (counted as {_OUTPUT} tokens a text)"
