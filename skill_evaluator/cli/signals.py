"""Signals that end a command before anything of it runs in an event loop, or after: all end it the same way."""

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType
from typing import Final

_FIRST_STATUS: Final = 128  # plus the number of the signal, as shells have it
_INTERRUPT: Final = "SIGINT"
_HANGUP: Final = "SIGHUP"  # the terminal was closed; Windows has no such signal
_STOPPING: Final = tuple(number for number in signal.Signals if number.name in {"SIGTERM", "SIGQUIT", _HANGUP})


class StoppedError(KeyboardInterrupt):
    """A signal other than that of Ctrl-C ended the command; what cleans up after that one cleans up after this too.

    Args:
        number: The signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


def status_of(stop: KeyboardInterrupt) -> int:
    """Give the exit status of a command that a signal ended."""
    number = stop.number if isinstance(stop, StoppedError) else signal.Signals[_INTERRUPT]
    return _FIRST_STATUS + number


@contextlib.contextmanager
def stopped_by_signals() -> Iterator[None]:
    """Raise where a signal would end the program on the spot, so that nothing half-written stays.

    Raises:
        StoppedError: When such a signal comes.
    """
    usual = {}
    with contextlib.suppress(ValueError):  # outside the main thread signals are somebody else's
        for number in _STOPPING:
            if signal.getsignal(number) is signal.SIG_DFL:  # nohup ignores a hangup, and a caller may have its own way
                usual[number] = signal.signal(number, _stop)
    try:
        yield
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)


def _stop(number: int, _frame: FrameType | None) -> None:
    raise StoppedError(number)
