"""Puts many questions to one model, several at once, until it does not let anybody in."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence

from skill_evaluator.model import NOT_ASKED, AnyQuestion, Completer, Completion, FailureKind


async def put_all(
    questions: Sequence[AnyQuestion], completer: Completer, *, concurrency: int
) -> Mapping[int, Completion]:
    """Put every question, in order.

    Args:
        questions: What to ask.
        completer: Who is asked; already entered where it is `Connected`.
        concurrency: Calls under way at once, >= 1; it never changes an answer.

    Returns:
        What came of each question, by its place. Missing is what was not asked: the rest after a model that refuses
        the key, and whatever the completer says it did not ask.
    """
    calls = _Calls(questions, completer)
    async with asyncio.TaskGroup() as group:
        for _ in range(min(concurrency, len(questions))):
            group.create_task(calls.work())
    return calls.answered


class _Calls:
    """Questions on their way; used once."""

    def __init__(self, questions: Sequence[AnyQuestion], completer: Completer) -> None:
        self.answered: dict[int, Completion] = {}
        self._pending: Iterator[tuple[int, AnyQuestion]] = iter(enumerate(questions))
        self._completer = completer
        self._refused = False

    async def work(self) -> None:
        for place, question in self._pending:
            if self._refused:
                return
            completion = await self._completer.complete(question)
            failure = completion.failure
            self._refused |= failure is not None and failure.kind is FailureKind.AUTH
            if failure is None or not failure.message.startswith(NOT_ASKED):
                self.answered[place] = completion
            await asyncio.sleep(0)  # a completer that never waits must still let signals through
