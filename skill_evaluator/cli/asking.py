"""Asks the user one question, and hears Ctrl-C whenever it comes."""

import contextlib
import os
import select
import signal
import sys
from collections.abc import Iterator

from skill_evaluator.cli.language import spoken
from skill_evaluator.texts import localized

_AGREEMENT = frozenset({"y", "yes"})


def can_ask() -> bool:
    """Tell whether somebody sits at a terminal, and sees what is asked there."""
    return bool(sys.stdin and sys.stdin.isatty() and sys.stderr.isatty())


def agrees(question: str) -> bool:
    """Ask a question whose answer is yes or no; the end of the input is a no."""
    return (ask(question) or "").strip().lower() in _AGREEMENT


def ask(question: str) -> str | None:
    """Ask for one line.

    Returns:
        The line without its end; None at the end of the input.
    """
    with _woken_by_signals() as woken:
        print(localized(question, spoken()), end=" ", file=sys.stderr, flush=True)
        try:
            _wait(woken)
            return input()
        except EOFError:
            return None


@contextlib.contextmanager
def _woken_by_signals() -> Iterator[int | None]:
    """Give a pipe that a signal writes to; None where nobody can type, or signals are somebody else's."""
    if os.name == "nt" or not _has_keyboard():
        yield None
        return
    woken, wakes = os.pipe()
    try:
        os.set_blocking(wakes, False)
        usual = signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
    except ValueError:  # outside the main thread
        yield None
    else:
        try:
            yield woken
        finally:
            signal.set_wakeup_fd(usual)
    finally:
        os.close(woken)
        os.close(wakes)


def _has_keyboard() -> bool:
    try:
        return os.isatty(sys.stdin.fileno())
    except (AttributeError, OSError, ValueError):  # closed, or a stream that is no file
        return False


def _wait(woken: int | None) -> None:
    """Wait for a line or a signal: one that comes just before a blocking read would be noticed only after a line."""
    while woken is not None and sys.stdin not in (ready := select.select([sys.stdin, woken], [], [])[0]):
        if woken in ready:
            os.read(woken, 4096)  # Python runs the signal's handler before the next turn
