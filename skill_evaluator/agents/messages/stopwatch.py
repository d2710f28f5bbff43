"""Measures a run from the moment its first request is let through: waiting for a rate limit says nothing about it."""

import time
from contextvars import ContextVar


class Stopwatch:
    """Runs from its first start, or from where it was made as long as nobody starts it."""

    def __init__(self) -> None:
        self._since_s = time.monotonic()
        self._is_running = False

    def start(self) -> None:
        """Start it, once."""
        if not self._is_running:
            self._is_running, self._since_s = True, time.monotonic()

    def read_s(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._since_s


_WATCH: ContextVar[Stopwatch | None] = ContextVar("watch", default=None)


def new_stopwatch() -> Stopwatch:
    """Give the run that asks from here on a stopwatch of its own."""
    watch = Stopwatch()
    _WATCH.set(watch)
    return watch


def let_through() -> None:
    """Say that a request of this run is on its way."""
    if (watch := _WATCH.get()) is not None:
        watch.start()
