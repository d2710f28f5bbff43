"""What a program prints, taken in chunk by chunk and kept to a bound; memory stays flat however much it prints."""

from collections.abc import Iterator

from skill_evaluator.model import OUTPUT_GAP

LINE_LIMIT = 128 * 1024 * 1024  # bytes; pasted files and pictures make long events, none of which is longer
OUTPUT_LIMIT = 1_000_000  # characters of the final text
CALL_LIMIT = 20_000  # characters of one tool's result, and of each of its arguments
OPENING = 120  # bytes that are kept of a line that is too long, or shown of one that is no event
_MARK = "\n[... {count} characters left out ...]\n"
_ITEMS_MARK = "[... {count} items left out ...]"


class Lines:
    """Splits chunks at line feeds alone; other line ends may stand inside a JSON string.

    Attributes:
        opening: How the last line began that was too long to keep.
    """

    def __init__(self, limit: int = LINE_LIMIT) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._size = 0
        self.opening = b""

    def split(self, chunk: bytes) -> Iterator[bytes | None]:
        """Give the lines that a chunk ends; None for one that was too long to keep."""
        first, *rest = chunk.split(b"\n")
        self._keep(first)
        for piece in rest:
            yield self._whole()
            self._keep(piece)

    def rest(self) -> Iterator[bytes | None]:
        """Give the last line, which may have no end."""
        if self._size:
            yield self._whole()

    def _keep(self, piece: bytes) -> None:
        self._size += len(piece)
        self._parts.append(piece)
        if self._size > self._limit:
            self._parts = [b"".join(self._parts)[:OPENING]]

    def _whole(self) -> bytes | None:
        line, is_whole = b"".join(self._parts), self._size <= self._limit
        self._parts, self._size = [], 0
        if is_whole:
            return line
        self.opening = line
        return None


class BoundedText:
    """A text of which the head and the tail are kept when it gets too long."""

    def __init__(self, limit: int = OUTPUT_LIMIT) -> None:
        self._half = limit // 2
        self._head = ""
        self._tail: list[str] = []
        self._waiting = self._length = 0

    def add(self, text: str) -> None:
        """Append to the text."""
        self._length += len(text)
        room = self._half - len(self._head)
        self._head += text[:room]
        if rest := text[room:]:
            self._tail.append(rest)
            self._waiting += len(rest)
            if self._waiting > 4 * self._half:  # now and then, not each time: a text may come in a million pieces
                self._tail, self._waiting = [self._end()], self._half

    def _end(self) -> str:
        return "".join(self._tail)[-self._half :]

    @property
    def is_cut(self) -> bool:
        """Whether the middle is missing."""
        return self._length > 2 * self._half

    @property
    def text(self) -> str:
        """What is kept, with a mark where the middle is missing."""
        return self._head + (OUTPUT_GAP if self.is_cut else "") + self._end()


def cut(text: str, limit: int = CALL_LIMIT) -> str:
    """Shorten what a tool was given or gave; the mark tells checks that it is not whole, see `model.LEFT_OUT`."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return text[:half] + _MARK.format(count=len(text) - 2 * half) + text[-half:]


def cut_all(value: object) -> object:
    """Shorten every text and every list in a JSON value."""
    match value:
        case str():
            return cut(value)
        case dict():
            return {key: cut_all(item) for key, item in value.items()}
        case list() if len(value) > CALL_LIMIT:
            return [*map(cut_all, value[:CALL_LIMIT]), _ITEMS_MARK.format(count=len(value) - CALL_LIMIT)]
        case list():
            return [cut_all(item) for item in value]
        case _:
            return value
