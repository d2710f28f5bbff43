"""What a judge's calls took: a sum over calls of which one does not say what it took is no sum."""

import asyncio
from typing import TYPE_CHECKING

from skill_evaluator.api.judge import Metered
from skill_evaluator.model import AnyQuestion, Completion, Failure, FailureKind, Question, Usage

if TYPE_CHECKING:
    from collections.abc import Iterator

QUESTION = Question(system="", text="", tool="answer", tool_description="", schema={})


class Telling:
    """Answers with the usages given, one after the other."""

    model = "judge-1"

    def __init__(self, *completions: Completion) -> None:
        self._completions: Iterator[Completion] = iter(completions)

    async def complete(self, _question: AnyQuestion) -> Completion:
        return next(self._completions)


def answered(usage: Usage | None) -> Completion:
    return Completion(answer={}, usage=usage)


def usage_of(*completions: Completion) -> Usage | None:
    metered = Metered(Telling(*completions))
    for _ in completions:
        asyncio.run(metered.complete(QUESTION))
    return metered.usage


def test_what_all_calls_took_is_added_up() -> None:
    each = Usage(input_tokens=100, output_tokens=7, cost_usd=0.25, requests=1)

    assert usage_of(*[answered(each)] * 3) == Usage(input_tokens=300, output_tokens=21, cost_usd=0.75, requests=3)


def test_a_call_without_a_price_leaves_no_cost_of_all() -> None:
    told, silent = Usage(input_tokens=100, cost_usd=0.1, requests=1), Usage(input_tokens=50, requests=1)

    assert usage_of(answered(told), answered(silent)) == Usage(input_tokens=150, requests=2)


def test_an_answer_that_tells_nothing_leaves_nothing_to_tell() -> None:
    assert usage_of(answered(Usage(input_tokens=1, requests=1)), answered(None)) == Usage()


def test_a_failed_call_that_tells_nothing_is_no_answer_to_add() -> None:
    failed = Completion(failure=Failure(kind=FailureKind.API, message="no"))

    assert usage_of(failed) is None
    assert usage_of(failed, answered(Usage(cost_usd=0.5))) == Usage(cost_usd=0.5)
