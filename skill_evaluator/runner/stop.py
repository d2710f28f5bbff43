"""What ends a run before its end: a signal, a ceiling, or a failure that would only repeat itself."""

import asyncio
import contextlib
import signal
from collections.abc import Callable, Coroutine, Iterator
from types import FrameType
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from signal import _HANDLER

StopCode = Literal[
    "SIGINT",
    "SIGTERM",
    "SIGHUP",
    "SIGQUIT",
    "max_calls",
    "max_cost",
    "cost_unknown",
    "auth",
    "agent_missing",
    "error_budget",
    "canary",
]

_HANGUP = "SIGHUP"  # the terminal was closed; Windows has no such signal
_STOPPING = tuple(number for number in signal.Signals if number.name in {"SIGINT", "SIGTERM", "SIGQUIT", _HANGUP})


class Stop:
    """Whether anything new may be started, and if not, why; the first reason stands, but for a signal.

    A reason counts only once it kept something from being asked: the last call of a plan may reach any bound.
    """

    def __init__(self) -> None:
        self._reason: str | None = None
        self._kept_back = False
        self._called = asyncio.Event()

    @property
    def reason(self) -> str | None:
        """Why the run is partial, or None where nothing was left out."""
        return self._reason if self._kept_back else None

    def call(self, reason: str) -> None:
        """Start nothing new from now on; what is under way may end."""
        self._reason = self._reason or reason
        self._called.set()

    def by_signal(self, name: str) -> None:
        """Whoever runs the program has the last word."""
        self._reason, self._kept_back = name, True
        self._called.set()

    def keeps_back(self) -> bool:
        """Ask, before a call, whether it may not be started."""
        self._kept_back = self._kept_back or self._called.is_set()
        return self._called.is_set()

    async def outlasting(self, sleep: "asyncio.Future[None]") -> None:
        """Wait for `sleep` to end, or until the run is stopped, whichever comes first."""
        called = asyncio.ensure_future(self._called.wait())
        try:
            done, _ = await asyncio.wait((sleep, called), return_when=asyncio.FIRST_COMPLETED)
            if sleep in done:
                sleep.result()
        finally:
            sleep.cancel()
            called.cancel()


async def until_done(job: Coroutine[None, None, None], stop: Stop) -> None:
    """See a job to its end; the first signal cancels it, a second one has its usual effect."""
    task = asyncio.ensure_future(job)

    def receive(name: str) -> None:
        stop.by_signal(name)
        task.cancel()

    with _first_signal(receive):  # entered before the job begins, so that no signal comes too early
        await asyncio.wait((task,))
    if not task.cancelled():
        task.result()


@contextlib.contextmanager
def _first_signal(receive: Callable[[str], None]) -> Iterator[None]:
    """Call `receive` with the name of the first stopping signal, in the thread of the event loop."""
    loop = asyncio.get_running_loop()
    usual: dict[signal.Signals, _HANDLER] = {}

    def restore() -> None:
        while usual:
            signal.signal(*usual.popitem())

    def handle(number: int, _frame: FrameType | None) -> None:
        restore()
        loop.call_soon_threadsafe(receive, signal.Signals(number).name)

    with contextlib.suppress(ValueError):  # outside the main thread signals are somebody else's
        for number in _STOPPING:
            if number.name == _HANGUP and signal.getsignal(number) is signal.SIG_IGN:
                continue  # as nohup has it
            usual[number] = signal.signal(number, handle)
    try:
        yield
    finally:
        restore()
