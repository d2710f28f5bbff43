"""Output in JSON, line by line or as one document: how it is cut into events, and what is wrong with it as a whole."""

from skill_evaluator.agents.command_session import MOST_CALLS, CommandSession
from skill_evaluator.agents.command_text import LINE_LIMIT, OPENING, Lines
from skill_evaluator.agents.json_lines import read_line
from skill_evaluator.agents.trace import Trace
from skill_evaluator.model import ToolCall, Usage

DOCUMENT_LIMIT = LINE_LIMIT  # bytes of one JSON document


class _Events:
    """What both JSON formats share: all but the cutting into events."""

    def __init__(self, session: CommandSession, trace: Trace | None = None) -> None:
        self._session = session
        self._trace = trace

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
    def trace(self) -> tuple[str, ...] | None:
        """As in `Output`."""
        return self._trace.lines if self._trace else None

    @property
    def _too_many(self) -> str | None:
        message = f"more than {MOST_CALLS:,} tool calls and skills, which no request needs; it may run in a circle"
        return message if self._session.too_many else None


class JsonLinesOutput(_Events):
    """Each line is an event; lines that are none are passed over, unless all of them are.

    An event that cannot be read whole is another thing: whatever it held, perhaps the skill's call, is not known.
    """

    def __init__(self, session: CommandSession, trace: Trace | None = None) -> None:
        super().__init__(session, trace)
        self._lines = Lines()
        self._read = self._broken = 0
        self._first_broken = ""
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
            lines = f"none of {self._read} lines is a JSON object; the first is {self._first_broken!r}"
            return f"no event in the output ({lines})" if self._read else "the output is empty"
        return self._lost or self._too_many

    def _take(self, line: bytes | None) -> bool:
        """Take a line in; False for one that is no event."""
        if line is not None and not line.strip():
            return True
        self._read += 1
        event = None if line is None else _json(line)
        if line is not None and isinstance(event, dict):
            self._session.take(event)
            if self._trace:
                self._trace.add(line.decode("utf-8-sig", errors="replace"), event)
            return True
        self._broken += 1
        start = self._lines.opening if line is None else line
        self._first_broken = self._first_broken or start[:OPENING].decode(errors="replace")
        if line is None and _opens_object(start):
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


def _opens_object(line: bytes) -> bool:
    return line.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")


def _json(raw: bytes) -> object:
    try:
        return read_line(raw.decode("utf-8-sig", errors="replace"))
    except ValueError:
        return None
