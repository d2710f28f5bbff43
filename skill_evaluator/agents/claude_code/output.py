"""Takes in what Claude Code prints, chunk by chunk, and keeps no more than a bound of it."""

from typing import Final

from skill_evaluator.agents.claude_code.figures import Figures
from skill_evaluator.agents.json_lines import read_line
from skill_evaluator.agents.stream_session import StreamSession
from skill_evaluator.agents.trace import Trace

MAX_BYTES: Final = 64_000_000  # of one session; a longer one is ended, since half of a trace would mislead graders


class TooLongError(Exception):
    """The program printed more than is kept."""


class SessionOutput:
    """One session as far as it was read.

    Args:
        max_bytes: As `MAX_BYTES`.

    Attributes:
        session: What its lines say.
        figures: What it cost, and how far it came.
    """

    def __init__(self, *, max_bytes: int = MAX_BYTES) -> None:
        self.session = StreamSession()
        self.figures = Figures()
        self._trace = Trace(max_chars=max_bytes)
        self._left = max_bytes
        self._parts: list[bytes] = []

    def feed(self, chunk: bytes) -> None:
        """Take in what was printed; lines end at a line feed and at nothing else.

        Raises:
            TooLongError: If it is more than the bound.
        """
        self._left -= len(chunk)
        if self._left < 0:
            self._parts.clear()
            raise TooLongError
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            self._take(b"".join((*self._parts, line)))
            self._parts.clear()
        self._parts.append(rest)

    def close(self) -> None:
        """Take in a last line without an end."""
        self._take(b"".join(self._parts))
        self._parts.clear()

    @property
    def trace(self) -> tuple[str, ...]:
        """Its lines that are JSON objects; none where it never began."""
        return self._trace.lines or ()

    def _take(self, line: bytes) -> None:
        text = line.decode(errors="replace")
        try:
            event = read_line(text) if text.strip() else None
        except ValueError:
            return
        if isinstance(event, dict):
            self.session.take(event)
            self.figures.take(event)
            self._trace.add(text, event)
