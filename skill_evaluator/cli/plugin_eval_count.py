"""A line at the foot of a terminal that counts runs, so that it can be seen at once that something goes on."""

import contextlib
import sys
import threading
import time
from collections.abc import Iterator

_TICK_S = 1.0
_ERASE = "\r\x1b[K"


class RunCount:
    """Counts runs that ended, with the time since the first began; shows nothing where nobody watches."""

    def __init__(self) -> None:
        self._total, self._ended = 0, 0
        self._began_s = 0.0
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._is_shown = False

    def begin(self, total: int) -> None:
        """Show the line; from here on it moves by itself.

        Args:
            total: Runs planned.
        """
        if not total or not sys.stderr.isatty():
            return
        self._total, self._began_s, self._is_shown = total, time.monotonic(), True
        self._draw()
        threading.Thread(target=self._tick, daemon=True).start()

    @contextlib.contextmanager
    def one_more(self) -> Iterator[None]:
        """Count a run, and make room for what is told of it."""
        self._ended += 1
        with self.away():
            yield

    @contextlib.contextmanager
    def away(self) -> Iterator[None]:
        """Make room for other lines; the line comes back below them."""
        with self._lock:
            self._write(_ERASE)
            try:
                yield
            finally:
                self._write(self._text())

    def end(self) -> None:
        """Take the line away for good."""
        self._over.set()
        with self._lock:
            self._write(_ERASE)
            self._is_shown = False

    def _tick(self) -> None:
        while not self._over.wait(_TICK_S):
            self._draw()

    def _draw(self) -> None:
        with self._lock:
            self._write(_ERASE + self._text())

    def _text(self) -> str:
        return f"{self._ended} of {self._total} runs ended, {time.monotonic() - self._began_s:.0f} s"

    def _write(self, text: str) -> None:
        if self._is_shown:
            with contextlib.suppress(OSError):
                print(text, end="", file=sys.stderr, flush=True)
