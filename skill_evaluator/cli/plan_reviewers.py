"""What judge and analyst are going to be asked, and roughly what that costs, told before the first call."""

from collections.abc import Iterator

from skill_evaluator.advise import ROUNDS
from skill_evaluator.api.request import Prepared
from skill_evaluator.metrics.judge import wanted_scores
from skill_evaluator.model import VOTES, Split
from skill_evaluator.report.numbers import usd
from skill_evaluator.texts import ntr, tr

_CONTROLS = 4  # texts that are no answers, in every call of the judge
_OUTPUT, _SCORE = 500, 100  # tokens: of an output that is shown, and of what is said of it
_FAILURE, _SUGGESTION = 500, 1_000  # tokens: of a failed case that is shown, and of what one round suggests
_INSTRUCTIONS = 1_000
_VOTE_READ, _VOTE = 300 + _OUTPUT, 10  # tokens: what one vote reads, and the word that it is


def reviewer_lines(prepared: Prepared) -> Iterator[str]:
    """One line for the judge, one for the analyst, and what bounds them; none where neither is asked."""
    config = prepared.config
    if config.judge_model is not None:
        yield _judge_line(prepared, config.judge_model)
    if config.advise_model is not None:
        yield _analyst_line(prepared, config.advise_model)
    if prepared.request.max_calls is not None and (config.judge_model or config.advise_model):
        yield tr("--max-calls counts calls of the agent alone; --max-cost-usd holds for all calls together")


def _judge_line(prepared: Prepared, model: str) -> str:
    calls, kept = _judge_calls(prepared), prepared.resumed.judged if prepared.resumed else 0
    told = ntr("{n} call", "{n} calls", calls)
    if kept:
        answers = ntr("{n} answer", "{n} answers", kept)
        told = ntr("{n} more call ({answers} kept)", "{n} more calls ({answers} kept)", calls, answers=answers)
    return tr(
        "judge: model {model}, at most {calls}, {for_what}; {cost}",
        model=model,
        calls=told,
        for_what=_asked_for(prepared),
        cost=_cost_words(judge_usd(prepared), model),
    )


def _asked_for(prepared: Prepared) -> str:
    """What the calls of the judge are for."""
    items, votes = _items(prepared), _votes(prepared)
    of_items = ntr("2 for the one rubric item", "2 for each of {n} rubric items, counted by case", items)
    of_votes = ntr("{of} for the one vote", "{of} for each of {n} votes, counted by run", votes, of=VOTES)
    if items and votes:
        return tr("{one} and {other}", one=of_items, other=of_votes)
    return of_items if items else of_votes if votes else ""


def judge_usd(prepared: Prepared) -> float | None:
    """What the judge costs at the most, roughly; None without one, or where its price is not known."""
    if prepared.config.judge_model is None:
        return None
    texts = prepared.config.runs * (2 if prepared.baseline else 1) + _CONTROLS
    read, written = _INSTRUCTIONS + texts * _OUTPUT, texts * _SCORE
    items, votes = 2 * _items(prepared), VOTES * _votes(prepared)
    model = prepared.config.judge_model
    scores = _usd(prepared, model, calls=items, read=read, written=written)
    voted = _usd(prepared, model, calls=votes, read=_VOTE_READ, written=_VOTE)
    if scores is None or voted is None:
        return None
    return (scores + voted) * _judge_calls(prepared) / max(1, items + votes)


def _items(prepared: Prepared) -> int:
    return sum(map(len, wanted_scores(prepared.cases).values()))


def _votes(prepared: Prepared) -> int:
    """How often a grader is voted on, if all runs trigger."""
    return prepared.config.runs * sum(len(case.voted) for case in prepared.cases)


def _judge_calls(prepared: Prepared) -> int:
    """Two for each item and three for each vote, without those whose answers are kept."""
    kept = prepared.resumed.judged if prepared.resumed else 0
    return max(0, 2 * _items(prepared) + VOTES * _votes(prepared) - kept)


def _analyst_line(prepared: Prepared, model: str) -> str:
    tuning = sum(case.split is Split.TUNING for case in prepared.cases)
    cost = _usd(prepared, model, calls=ROUNDS, read=_INSTRUCTIONS + tuning * _FAILURE, written=_SUGGESTION)
    return tr(
        "analyst: model {model}, at most {calls} calls, none where the tuning cases go well; {cost}",
        model=model,
        calls=ROUNDS,
        cost=_cost_words(cost, model),
    )


def _usd(prepared: Prepared, model: str, *, calls: int, read: int, written: int) -> float | None:
    from skill_evaluator.agents.messages.price_file import read_prices  # noqa: PLC0415 - only these need it

    one = read_prices(prepared.request.prices).cost_usd(model, input=read, cached=0, written=0, output=written)
    return None if one is None else one * calls


def _cost_words(cost_usd: float | None, model: str) -> str:
    if cost_usd is None:
        return tr("cost: not known, since the price of model {model} is not (--prices FILE)", model=model)
    return tr("cost: at most about {cost} (counted as {tokens} tokens a text)", cost=usd(cost_usd), tokens=_OUTPUT)
