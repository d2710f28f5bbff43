"""A JSON array on standard output, item by item, that is whole however the command ends."""

import io
import sys
from typing import Final

from skill_evaluator.cli.github_log import log_json

_ROOM: Final = 1024 * 1024  # bytes; more than any item has
_ENOUGH: Final = 64 * 1024  # bytes that are worth a call


class JsonArray:
    """Prints items as they come.

    A signal may come while a pipe is full. Python's text streams lose what they were about to write then; flushing
    the buffer of a binary one loses nothing, as long as it never fills up while something is put into it.

    Attributes:
        ascii_only: Whether standard output may not take letters beyond ASCII, so that items must have none.
    """

    def __init__(self) -> None:
        self.ascii_only = (sys.stdout.encoding or "").lower() not in {"utf-8", "utf8"}
        self._separator = "[\n"
        self._waiting = 0
        sys.stdout.flush()
        try:
            raw = io.FileIO(sys.stdout.fileno(), "wb", closefd=False)
            self._stream: io.BufferedWriter | None = io.BufferedWriter(raw, _ROOM)
        except (OSError, ValueError):  # whoever calls this program from another has put something else there
            self._stream = None

    def add(self, item: str) -> None:
        """Print one item, which is a JSON text."""
        self._print(self._separator + log_json(item))
        self._separator = ",\n"

    def close(self) -> None:
        """Print the end of the array, after whatever still waits."""
        self._print("[]\n" if self._separator.startswith("[") else "\n]\n")
        if self._stream is not None:
            self._stream.flush()

    def _print(self, text: str) -> None:
        if self._stream is None:
            sys.stdout.write(text)
            return
        content = text.encode()
        if self._waiting + len(content) > _ENOUGH:
            self._stream.flush()
            self._waiting = 0
        self._stream.write(content)
        self._waiting += len(content)
