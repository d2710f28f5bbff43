"""The lines of a session of Claude Code as graders look at them, kept to a bound."""

import json
from collections.abc import Iterable
from typing import Final

from skill_evaluator.agents.json_lines import read_line
from skill_evaluator.model import JsonObject

MAX_CHARS: Final = 20_000_000  # of all lines together; a longer trace is not kept at all, since half of one misleads


class Trace:
    """Gathers the lines of one session.

    Args:
        root: The run's folder, written as /RUN since no two runs share it; None where it is not known.
        max_chars: As `MAX_CHARS`.
    """

    def __init__(self, root: str | None = None, *, max_chars: int = MAX_CHARS) -> None:
        self._root = root
        self._left = max_chars
        self._lines: list[str] = []
        self._is_stream_json = False

    def add(self, line: str, event: JsonObject) -> None:
        """Take a line in, with what it says."""
        match event:
            case {"type": "system", "subtype": "init"} | {"type": "assistant", "message": {"content": [*_]}}:
                self._is_stream_json = True
            case _:
                pass
        text = line.strip()
        if self._root is not None:
            text = text.replace(self._root, "/RUN")
        self._left -= len(text)
        if self._left >= 0:
            self._lines.append(text)
        else:
            self._lines.clear()

    def add_event(self, event: JsonObject) -> None:
        """Take in what was never printed, written as Claude Code writes its lines."""
        self.add(json.dumps(event, ensure_ascii=False, separators=(",", ":"), default=dict), event)

    @property
    def lines(self) -> tuple[str, ...] | None:
        """All lines in order; None where they are none of Claude Code's, or too many."""
        return tuple(self._lines) if self._is_stream_json and self._left >= 0 else None


def stream_trace(text_lines: Iterable[str]) -> tuple[str, ...] | None:
    """Give the lines of a printed session that are JSON objects, as they stand; None where there is no session."""
    trace = Trace()
    for line in text_lines:
        try:
            event = read_line(line) if line.strip() else None
        except ValueError:
            continue
        if isinstance(event, dict):
            trace.add(line, event)
    return trace.lines
