"""Every single attempt of a call: through the gate, within the deadline, a timeout tried once more and no oftener."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Protocol, TypeVar

from skill_evaluator.agents.messages.gate import Gate, retry_after_s

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

MOST_TIMEOUTS = 2

_REFUSED = frozenset({429, 529})
_FIRST_ERROR = 400


class TimedOutError(Exception):
    """No attempt came to its end in time, and no further one is made."""


class _Response(Protocol):
    """What an attempt is judged by."""

    @property
    def status_code(self) -> int: ...

    @property
    def headers(self) -> Mapping[str, str]: ...


_R = TypeVar("_R", bound=_Response)


class _Call:
    """One call and all its attempts."""

    def __init__(self) -> None:
        self.deadline = math.inf
        self.timeouts = 0
        self.holds_place = False


_CALL: ContextVar[_Call] = ContextVar("call")


class Attempts:
    """Watches over all calls of one client; belongs to one event loop.

    Args:
        gate: Shared by all calls.
        timeout_s: Longest time of one attempt, up to the last byte; waiting at the gate is not counted.
        timeout_errors: What the client raises for timeouts of its own.
        again: Makes the exception that has the client try again.
    """

    def __init__(
        self, gate: Gate, timeout_s: float, *, timeout_errors: type[Exception], again: Callable[[], Exception]
    ) -> None:
        self._gate = gate
        self._timeout_s = timeout_s
        self._timeout_errors = (TimeoutError, timeout_errors)
        self._again = again

    @asynccontextmanager
    async def call(self) -> "AsyncIterator[None]":
        """Frame one call; whatever place it still holds is given back at its end."""
        token = _CALL.set(_Call())
        try:
            yield
        finally:
            self._give_back()
            _CALL.reset(token)

    async def make(self, send: Callable[[], Awaitable[_R]], *, streams: bool) -> _R:
        """Make one attempt.

        Args:
            send: Sends the request and gives the response, its body read unless it streams.
            streams: Whether the body is still to be read, by `reading`; the place is held until then.

        Raises:
            TimedOutError: After the last timeout; after one before it, what `again` makes.
        """
        call = _CALL.get()
        ticket = await self._gate.enter()
        call.holds_place = True
        call.deadline = asyncio.get_running_loop().time() + self._timeout_s
        response = None
        try:
            async with asyncio.timeout_at(call.deadline):
                response = await send()
        except self._timeout_errors:
            self._count_timeout()
            raise self._again() from None
        finally:
            if response is None:
                self._give_back()
        if response.status_code in _REFUSED:
            call.holds_place = False
            self._gate.refused(ticket, retry_after_s(response.headers))
        elif response.status_code >= _FIRST_ERROR or not streams:
            self._give_back(answered=response.status_code < _FIRST_ERROR)
        return response

    async def reading(self, read: Awaitable[list[object]]) -> list[object] | None:
        """Read the rest of a streamed answer within the deadline of its attempt.

        Returns:
            What was read, or None when time was up and one more attempt is worth it.

        Raises:
            TimedOutError: After the last timeout.
        """
        try:
            async with asyncio.timeout_at(_CALL.get().deadline):
                whole = await read
        except self._timeout_errors:
            self._give_back()
            self._count_timeout()
            return None
        self._give_back(answered=True)
        return whole

    def _count_timeout(self) -> None:
        call = _CALL.get()
        call.timeouts += 1
        if call.timeouts >= MOST_TIMEOUTS:
            raise TimedOutError from None

    def _give_back(self, *, answered: bool = False) -> None:
        call = _CALL.get()
        if call.holds_place:
            call.holds_place = False
            self._gate.leave(answered=answered)
