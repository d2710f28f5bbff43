"""How many requests may be on their way at once, and from when on, on a server that limits them.

After a refusal (HTTP 429 or 529) nothing starts until the server's time has passed, and half as many requests as were
on their way go out together; each answer then makes room again, one place for every round of answers.
"""

import asyncio
import email.utils
import math
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

# The server does not always say how long; one second lets a burst pass.
UNTOLD_S = 1.0
# A longer wait is no answer: the request is tried again after it, and fails with its last attempt.
LONGEST_S = 3600.0


@dataclass(frozen=True, slots=True)
class Ticket:
    """A place that a request holds while it is on its way; `number` counts them from 1."""

    number: int


class Gate:
    """Lets requests through in the order they came; belongs to one event loop.

    Args:
        clock: Seconds on a clock that never goes back.

    Attributes:
        limit: Most requests at once, or None before the server ever refused one.
        at_once: Requests on their way.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.limit: float | None = None
        self.at_once = 0
        self._clock = clock
        self._opens = -math.inf
        self._waiting: deque[asyncio.Future[Ticket]] = deque()
        self._given = 0
        self._halved_at = 0
        self._timer: asyncio.TimerHandle | None = None

    async def enter(self) -> Ticket:
        """Wait for a place; it is given back by `leave` or `refused`."""
        if not self._waiting and self.may_start():
            return self._start()
        place: asyncio.Future[Ticket] = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        self._let_in()
        try:
            return await place
        except asyncio.CancelledError:
            with suppress(ValueError):
                self._waiting.remove(place)
            if place.done() and not place.cancelled():
                self.leave()
            raise

    def may_start(self) -> bool:
        """Whether one more request may go out now."""
        return self.closed_s() <= 0 and (self.limit is None or self.at_once < int(self.limit))

    def closed_s(self) -> float:
        """Seconds until the server's time has passed; 0 or less when it has."""
        return self._opens - self._clock()

    def leave(self, *, answered: bool = False) -> None:
        """Give a place back; a request that was answered makes room for more."""
        self.at_once -= 1
        if answered and self.limit is not None:
            self.limit += 1 / self.limit
        self._let_in()

    def refused(self, ticket: Ticket, retry_after: float | None) -> None:
        """Give a place back after a refusal: close, and halve once for all requests that were on their way together.

        Args:
            ticket: The place.
            retry_after: Seconds the server asked for, of which no more than `LONGEST_S` count; None where it did not
                say.
        """
        if ticket.number > self._halved_at:
            self._halved_at = self._given
            most = self.at_once if self.limit is None else min(float(self.at_once), self.limit)
            self.limit = max(1.0, float(int(most) // 2))
        wait = UNTOLD_S if retry_after is None else min(retry_after, LONGEST_S)
        self._opens = max(self._opens, self._clock() + wait)
        self.leave()

    def _start(self) -> Ticket:
        self.at_once += 1
        self._given += 1
        return Ticket(self._given)

    def _let_in(self) -> None:
        """Start whoever may start; when the gate is closed, look again once it opens."""
        while self._waiting and self.may_start():
            place = self._waiting.popleft()
            if not place.done():
                place.set_result(self._start())
        if self._waiting and self.closed_s() > 0 and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self.closed_s(), self._look_again)

    def _look_again(self) -> None:
        self._timer = None
        self._let_in()


def retry_after_s(headers: Mapping[str, str], now: Callable[[], float] = time.time) -> float | None:
    """Read how long a server asks to be left alone.

    Args:
        headers: Of the response, found whatever their case.
        now: Seconds since 1970, for a date as the header may give.

    Returns:
        Seconds, 0 or more, or None where it does not say or cannot be understood.

    Source:
        RFC 9110, 10.2.3; `retry-after-ms` is the vendor's own and finer.
    """
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        with suppress(ValueError):
            seconds = float(headers.get(name, "")) * unit
            if math.isfinite(seconds):
                return max(0.0, seconds)
    moment = email.utils.parsedate_tz(headers.get("retry-after", ""))
    return None if moment is None else max(0.0, email.utils.mktime_tz(moment) - now())
