"""Reads a program's standard output in one of the three formats, and says what was wrong with it as a whole."""

from typing import Protocol

from skill_evaluator.agents.command_config import CommandConfig
from skill_evaluator.agents.command_opened import SkillFiles
from skill_evaluator.agents.command_session import MOST_CALLS, CommandSession
from skill_evaluator.agents.command_text import LINE_LIMIT, BoundedText, Lines
from skill_evaluator.agents.json_lines import read_line
from skill_evaluator.model import ToolCall, Usage

DOCUMENT_LIMIT = 64 * 1024 * 1024  # bytes of one JSON document
PATTERN_LIMIT_S = 1.0  # on one line: a pattern that backtracks for ever must not hang the program
_MOST_INVOKED = MOST_CALLS


class Output(Protocol):
    """What a program's output says, once all of it was fed."""

    @property
    def has_started(self) -> bool:
        """Whether the session has started, as far as was read."""
        ...

    def feed(self, chunk: bytes) -> None:
        """Take in the next bytes."""
        ...

    def close(self) -> None:
        """Take in what stood after the last line feed."""
        ...

    @property
    def fault(self) -> str | None:
        """Why nothing can be told from it, or None."""
        ...

    @property
    def error(self) -> str | None:
        """What the program itself says ended it, or None."""
        ...

    @property
    def listed(self) -> frozenset[str] | None:
        """Names of the skills offered to the model, or None where it does not say."""
        ...

    @property
    def text(self) -> str | None:
        """The final text."""
        ...

    @property
    def is_cut(self) -> bool:
        """Whether the final text lost its middle."""
        ...

    @property
    def skills_invoked(self) -> tuple[str, ...]:
        """In order, under the names that the program uses."""
        ...

    @property
    def tool_calls(self) -> tuple[ToolCall, ...] | None:
        """In order, or None where they are not told."""
        ...

    @property
    def usage(self) -> Usage | None:
        """As reported, or None."""
        ...


def output_reader(config: CommandConfig, files: SkillFiles, root: str) -> Output:
    """Make the reader for a program's format."""
    if config.format == "text":
        return TextOutput(config, root)
    session = CommandSession(config.reading, files, root)
    return JsonOutput(session) if config.format == "json" else JsonLinesOutput(session)


class _Events:
    """What both JSON formats share: all but the cutting into events."""

    def __init__(self, session: CommandSession) -> None:
        self._session = session

    @property
    def has_started(self) -> bool:
        """As in `Output`."""
        return self._session.started

    @property
    def error(self) -> str | None:
        """As in `Output`."""
        return self._session.error

    @property
    def listed(self) -> frozenset[str] | None:
        """As in `Output`."""
        return None if self._session.listed is None else frozenset(self._session.listed)

    @property
    def text(self) -> str | None:
        """As in `Output`."""
        return self._session.output

    @property
    def is_cut(self) -> bool:
        """As in `Output`."""
        return self._session.output_cut

    @property
    def skills_invoked(self) -> tuple[str, ...]:
        """As in `Output`."""
        return self._session.skills_invoked

    @property
    def tool_calls(self) -> tuple[ToolCall, ...] | None:
        """As in `Output`."""
        return self._session.tool_calls

    @property
    def usage(self) -> Usage | None:
        """As in `Output`."""
        return self._session.usage

    @property
    def _too_many(self) -> str | None:
        message = f"more than {MOST_CALLS:,} tool calls and skills, which no request needs; it may run in a circle"
        return message if self._session.too_many else None


class JsonLinesOutput(_Events):
    """Each line is an event; lines that are none are passed over, unless all of them are.

    An event that cannot be read whole is another thing: whatever it held, perhaps the skill's call, is not known.
    """

    def __init__(self, session: CommandSession) -> None:
        super().__init__(session)
        self._lines = Lines()
        self._read = self._broken = 0
        self._lost: str | None = None

    def feed(self, chunk: bytes) -> None:
        """As in `Output`."""
        for line in self._lines.split(chunk):
            self._take(line)

    def close(self) -> None:
        """As in `Output`."""
        for line in self._lines.rest():
            if not self._take(line) and line is not None and _opens_object(line):
                self._lost = "the output ends in the middle of an event"

    @property
    def fault(self) -> str | None:
        """As in `Output`."""
        if self._read == self._broken:
            lines = f"{self._read} lines, {self._broken} of them not a JSON object"
            return f"no event in the output ({lines})" if self._read else "the output is empty"
        return self._lost or self._too_many

    def _take(self, line: bytes | None) -> bool:
        """Take a line in; False for one that is no event."""
        if line is not None and not line.strip():
            return True
        self._read += 1
        event = None if line is None else _json(line)
        if isinstance(event, dict):
            self._session.take(event)
            return True
        self._broken += 1
        if line is None and _opens_object(self._lines.opening):
            self._lost = f"an event is longer than {LINE_LIMIT:,} bytes, so what it says is not known"
        return False


class JsonOutput(_Events):
    """The whole output is one document."""

    def __init__(self, session: CommandSession) -> None:
        super().__init__(session)
        self._parts: list[bytes] = []
        self._size = 0
        self._why: str | None = None

    def feed(self, chunk: bytes) -> None:
        """As in `Output`."""
        self._size += len(chunk)
        if self._size <= DOCUMENT_LIMIT:
            self._parts.append(chunk)
        else:
            self._parts.clear()

    def close(self) -> None:
        """As in `Output`."""
        raw = b"".join(self._parts)
        document = _json(raw)
        if self._size > DOCUMENT_LIMIT:
            self._why = f"the output is a document of {self._size:,} bytes; at most {DOCUMENT_LIMIT:,} are read"
        elif not raw.strip():
            self._why = "the output is empty"
        elif not isinstance(document, dict | list):
            self._why = f"the output is no JSON document ({self._size:,} bytes)"
        else:
            self._session.take(document)

    @property
    def fault(self) -> str | None:
        """As in `Output`."""
        return self._why or self._too_many


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
        if len(self._invoked) > _MOST_INVOKED:
            del self._invoked[_MOST_INVOKED:]
            self._why = f"more than {_MOST_INVOKED:,} skills in the output; skill_pattern may match too much"


def _opens_object(line: bytes) -> bool:
    return line.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")


def _json(raw: bytes) -> object:
    try:
        return read_line(raw.decode("utf-8-sig", errors="replace"))
    except ValueError:
        return None
