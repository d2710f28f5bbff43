"""A model that is loaded in a thread of its own while others are at work, and opened at the first question."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
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
        self._making: Future[Completer] | None = None
        self._opened: Completer | None = None
        self._opening = asyncio.Lock()

    @property
    def model(self) -> str:
        """The model, as reports name it."""
        return self._model

    async def __aenter__(self) -> Self:
        self._making = Future()
        self._making.set_running_or_notify_cancel()  # from here on nobody's giving up stops it
        # A daemon: a program that needs no answer after all does not wait for libraries.
        threading.Thread(target=_fill, args=(self._making, self._make), daemon=True).start()
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
                made = await asyncio.wrap_future(self._making)
                connected: object = made
                if isinstance(connected, Connected):
                    await connected.__aenter__()
                self._opened = made
            return self._opened


def _fill(making: "Future[Completer]", make: Callable[[], Completer]) -> None:
    try:
        made = make()
    except BaseException as error:  # noqa: BLE001 - whoever asks hears of it, if anyone does
        making.set_exception(error)
    else:
        making.set_result(made)
