"""A model that is loaded in a thread of its own while others are at work, and opened at the first question."""

import asyncio
from collections.abc import Callable
from typing import Self

from skill_evaluator.model import AnyQuestion, Completer, Completion, Connected


class LateCompleter:
    """A completer that takes long to import; usable only inside `async with`.

    Args:
        model: The model, as reports name it.
        make: Gives the completer; called once, in a thread, as soon as this is entered.
    """

    def __init__(self, model: str, make: Callable[[], Completer]) -> None:
        self._model = model
        self._make = make
        self._making: asyncio.Task[Completer] | None = None
        self._opened: Completer | None = None
        self._opening = asyncio.Lock()

    @property
    def model(self) -> str:
        """The model, as reports name it."""
        return self._model

    async def __aenter__(self) -> Self:
        self._making = asyncio.ensure_future(asyncio.to_thread(self._make))
        self._making.add_done_callback(_looked_at)
        return self

    async def __aexit__(self, *error: object) -> None:
        opened: object = self._opened
        self._opened = self._making = None
        if isinstance(opened, Connected):
            await opened.__aexit__(None, None, None)

    async def complete(self, question: AnyQuestion) -> Completion:
        """Ask once; the first question waits until the completer is there."""
        return await (await self._open()).complete(question)

    async def _open(self) -> Completer:
        async with self._opening:
            if self._opened is None:
                if self._making is None:
                    raise RuntimeError("the model is not open; use `async with`")
                made = await asyncio.shield(self._making)
                connected: object = made
                if isinstance(connected, Connected):
                    await connected.__aenter__()
                self._opened = made
            return self._opened


def _looked_at(making: asyncio.Task[Completer]) -> None:
    """Keep an error that no question met from being called forgotten."""
    if not making.cancelled():
        making.exception()
