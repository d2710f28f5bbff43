"""Output in plain text: the whole is the final text, and a pattern finds the names of skills in its lines."""

from typing import TYPE_CHECKING

from skill_evaluator.agents.command_config import CommandConfig
from skill_evaluator.agents.command_session import MOST_CALLS
from skill_evaluator.agents.command_text import LINE_LIMIT, BoundedText, Lines

if TYPE_CHECKING:
    from skill_evaluator.model import ToolCall, Usage

PATTERN_LIMIT_S = 1.0  # on one line: a pattern that backtracks for ever must not hang the program


class TextOutput:
    """The whole output is the final text; a pattern finds the names of skills, line by line."""

    def __init__(self, config: CommandConfig, root: str) -> None:
        if config.reading.skill_pattern is None:
            raise ValueError("plain text says nothing about skills without a pattern")
        self._pattern = config.reading.skill_pattern
        self._root = root
        self._lines = Lines()
        self._text = BoundedText()
        self._invoked: list[str] = []
        self._is_blank = True
        self._why: str | None = None
        self.has_started = True
        self.error: str | None = None
        self.listed: frozenset[str] | None = None
        self.tool_calls: tuple[ToolCall, ...] | None = None
        self.usage: Usage | None = None
        self.trace: tuple[str, ...] | None = None

    def feed(self, chunk: bytes) -> None:
        """As in `Output`."""
        for line in self._lines.split(chunk):
            self._take(line, "\n")

    def close(self) -> None:
        """As in `Output`."""
        for line in self._lines.rest():
            self._take(line, "")

    @property
    def fault(self) -> str | None:
        """As in `Output`."""
        return "the output is empty" if self._is_blank else self._why

    @property
    def text(self) -> str | None:
        """As in `Output`."""
        return self._text.text

    @property
    def is_cut(self) -> bool:
        """As in `Output`."""
        return self._text.is_cut

    @property
    def skills_invoked(self) -> tuple[str, ...]:
        """As in `Output`."""
        return tuple(self._invoked)

    def _take(self, line: bytes | None, end: str) -> None:
        if line is None:
            self._why = f"a line of the output is longer than {LINE_LIMIT:,} bytes, so its skills are not known"
            return
        text = line.decode(errors="replace")
        self._is_blank = self._is_blank and not text.strip()
        self._look(text)
        self._text.add(text.replace(self._root, "/RUN") + end)

    def _look(self, line: str) -> None:
        try:
            found = [match["skill"] for match in self._pattern.finditer(line, timeout=PATTERN_LIMIT_S)]
        except TimeoutError:
            self._why = f"skill_pattern was not done with a line of the output after {PATTERN_LIMIT_S:g} s"
            return
        self._invoked += [name for name in found if name]
        if len(self._invoked) > MOST_CALLS:
            del self._invoked[MOST_CALLS:]
            self._why = f"more than {MOST_CALLS:,} skills in the output; skill_pattern may match too much"
