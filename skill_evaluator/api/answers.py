"""Answers of models outside the runs: kept in the run folder, so that the same question is not paid for twice."""

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, replace
from decimal import Decimal
from typing import Self

from skill_evaluator.agents.json_lines import MAX_DEPTH, nests_deeper, read_line
from skill_evaluator.journal import JournalWriter, KeptAnswer
from skill_evaluator.model import NOT_ASKED, AnyQuestion, Completer, Completion, Connected, Failure, FailureKind
from skill_evaluator.sendable import sendable


def question_key(model: str, question: AnyQuestion) -> str:
    """Hash a model and everything it is sent, 64 hex digits."""
    sent = json.dumps({"model": model, **asdict(question)}, sort_keys=True)
    return hashlib.sha256(sent.encode()).hexdigest()


def is_not_asked(failure: Failure | None) -> bool:
    """Whether a failure says that the call was not made."""
    return failure is not None and failure.message.startswith(NOT_ASKED)


def always() -> bool:
    """Say that any call may start."""
    return True


class KeptCompleter:
    """A completer that looks among the kept answers first; new ones are kept before they are used.

    An answer that is kept is given without a call. A failure that is kept is asked again where there is somebody to
    ask, else given as it is. As a context manager it opens and closes the connections of whoever is asked.

    Attributes:
        model: The model, as reports name it.
        calls: Calls made.
        kept_back: Whether a call was needed and not made, since `may_start` said no.
        cost_unknown: Whether an answer came that does not tell its cost.
    """

    calls = 0
    kept_back = False
    cost_unknown = False

    def __init__(
        self,
        model: str,
        *,
        journal: JournalWriter | None = None,
        completer: Completer | None = None,
        answers: Iterable[KeptAnswer] = (),
        may_start: Callable[[], bool] = always,
    ) -> None:
        """Take over what is known.

        Args:
            model: The model, as reports name it.
            journal: Where new answers are kept; those of its earlier processes are known too.
            completer: Who is asked what is not known, or None to ask nobody.
            answers: Kept answers, in the order kept: of two with one key the later one counts.
            may_start: Asked before each new call.
        """
        self.model = model
        self._journal, self._completer, self._may_start = journal, completer, may_start
        self._connected: object = completer
        known = (*answers, *(journal.answers if journal else ()))
        self._known = {answer.key: answer.completion for answer in known}
        self._spent_usd = Decimal(0)

    @property
    def spent_usd(self) -> float:
        """What the calls made cost, as far as it is known; kept answers cost nothing again."""
        return float(self._spent_usd)

    @property
    def answers(self) -> tuple[KeptAnswer, ...]:
        """All that is known, the last answer to each question, as it is kept."""
        known = self._known.items()
        return tuple(KeptAnswer(key=key, model=self.model, completion=completion) for key, completion in known)

    async def __aenter__(self) -> Self:
        if isinstance(self._connected, Connected):
            await self._connected.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        if isinstance(self._connected, Connected):
            await self._connected.__aexit__(*error)

    async def complete(self, question: AnyQuestion) -> Completion:
        """Give the kept answer, or ask once; a failed call is returned with its `failure`, never raised."""
        key = question_key(self.model, question)
        known = self._known.get(key)
        if known is not None and (known.failure is None or self._completer is None):
            return known
        if self._completer is None:
            return _not_asked("no answer to this question is kept")
        if not self._may_start():
            self.kept_back = True
            return _not_asked("a ceiling was reached before")
        self.calls += 1
        return self._keep(key, await self._completer.complete(question))

    def _keep(self, key: str, completion: Completion) -> Completion:
        self._count(completion)
        kept = KeptAnswer(key=key, model=self.model, completion=_storable(completion))
        if self._journal is not None:
            kept = self._journal.keep_answer(kept)
        self._known[key] = kept.completion
        return kept.completion

    def _count(self, completion: Completion) -> None:
        cost = completion.usage.cost_usd if completion.usage else None
        if cost is not None:
            self._spent_usd += Decimal(repr(cost))
        elif completion.failure is None:
            self.cost_unknown = True


def _not_asked(why: str) -> Completion:
    return Completion(failure=Failure(kind=FailureKind.API, message=f"{NOT_ASKED}: {why}"))


def _storable(completion: Completion) -> Completion:
    """What a file can hold: no lone surrogates, no infinite numbers, no nesting without end."""
    if completion.text is not None:
        return replace(completion, text=sendable(completion.text))
    if completion.failure is not None:
        message = str(read_line(json.dumps(completion.failure.message)))
        return replace(completion, failure=replace(completion.failure, message=message))
    if nests_deeper(completion.answer, MAX_DEPTH):
        failure = Failure(kind=FailureKind.API, message=f"the answer nests deeper than {MAX_DEPTH} levels")
        return replace(completion, answer=None, failure=failure)
    answer = read_line(json.dumps(completion.answer))
    return replace(completion, answer=answer if isinstance(answer, dict) else None)
