"""A judge that is loaded while others are at work."""

import asyncio
import threading
from typing import Self

import pytest

from skill_evaluator.agents.messages.late import LateCompleter
from skill_evaluator.model import AnyQuestion, Completion, PlainQuestion

_QUESTION = PlainQuestion(system="s", text="t")


class _Judge:
    """Counts how often it is opened and closed."""

    model = "judge"

    def __init__(self) -> None:
        self.opened = self.closed = 0

    async def __aenter__(self) -> Self:
        self.opened += 1
        return self

    async def __aexit__(self, *_: object) -> None:
        self.closed += 1

    async def complete(self, question: AnyQuestion) -> Completion:
        return Completion(text=f"{question.text}!")


def test_it_is_made_in_a_thread_and_opened_once() -> None:
    judge, threads = _Judge(), []

    def make() -> _Judge:
        threads.append(threading.current_thread())
        return judge

    async def ask() -> list[Completion]:
        async with LateCompleter("judge", make) as late:
            assert late.model == "judge"
            return list(await asyncio.gather(*(late.complete(_QUESTION) for _ in range(3))))

    assert [one.text for one in asyncio.run(ask())] == ["t!"] * 3
    assert len(threads) == 1
    assert threads[0] is not threading.main_thread()
    assert (judge.opened, judge.closed) == (1, 1)


def test_one_that_nobody_asks_is_never_opened() -> None:
    judge = _Judge()

    async def ask_nothing() -> None:
        async with LateCompleter("judge", lambda: judge):
            pass

    asyncio.run(ask_nothing())
    assert (judge.opened, judge.closed) == (0, 0)


def test_why_it_could_not_be_made_is_told_to_whoever_asks() -> None:
    def make() -> _Judge:
        raise ValueError("no such library")

    async def ask() -> None:
        async with LateCompleter("judge", make) as late:
            await late.complete(_QUESTION)

    with pytest.raises(ValueError, match="no such library"):
        asyncio.run(ask())


def test_it_cannot_be_asked_before_it_is_entered() -> None:
    with pytest.raises(RuntimeError, match="async with"):
        asyncio.run(LateCompleter("judge", _Judge).complete(_QUESTION))


def test_who_needs_no_answer_does_not_wait_for_libraries() -> None:
    gate, ended = threading.Event(), threading.Event()

    def make() -> _Judge:
        gate.wait(60)
        ended.set()
        return _Judge()

    async def leave() -> None:
        async with LateCompleter("judge", make):
            pass

    asyncio.run(leave())
    assert not ended.is_set()
    gate.set()
    assert ended.wait(60)
