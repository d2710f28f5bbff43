"""Files of one sealed JSON object a line, to which lines are only ever added."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Generic, Self, TypeVar

from pydantic import TypeAdapter, ValidationError

from skill_evaluator.journal.files import CHANGED, fault, first_fault, lines_of
from skill_evaluator.journal.seal import sealed, was_changed
from skill_evaluator.model import Finding
from skill_evaluator.texts import tr

T = TypeVar("T")


class SealedLines(Generic[T]):
    """The lines of a file, read while they are looped over.

    Attributes:
        torn: Whether the last line was left out: it lacks its end, and is none of the kind, as a kill leaves it.
    """

    torn = False

    def __init__(self, path: Path, adapter: TypeAdapter[T], findings: list[Finding]) -> None:
        """Faults of lines are added to `findings`; lines that are no JSON of the kind are passed over then."""
        self._path, self._adapter, self._findings = path, adapter, findings

    def __iter__(self) -> Iterator[tuple[int, T]]:
        """Give each line by its number, 1-based."""
        for number, line in enumerate(lines_of(self._path), start=1):
            if line == b"\n":
                continue
            try:
                value = self._adapter.validate_json(line)
            except ValidationError as error:
                self.torn = not line.endswith(b"\n")
                if not self.torn:
                    self._findings.append(
                        fault(self._path, tr("not a journal line: {error}", error=first_fault(error)), number)
                    )
                continue
            if was_changed(line):
                self._findings.append(fault(self._path, tr("this line {changed}", changed=CHANGED), number))
            yield number, value


def read_lines(path: Path, adapter: TypeAdapter[T], findings: list[Finding]) -> tuple[T, ...]:
    """Read a file that need not be there; a line cut short by a kill at the very end is left out.

    Args:
        path: The file.
        adapter: Reads one line.
        findings: Faults of lines are added to it.
    """
    return tuple(value for _, value in SealedLines(path, adapter, findings)) if path.is_file() else ()


class LineFile(Generic[T]):
    """Adds lines to a file; it is made with the first one."""

    def __init__(self, path: Path, adapter: TypeAdapter[T], dump: Callable[[T], bytes] | None = None) -> None:
        """Open the file.

        Args:
            path: The file.
            adapter: Reads a line back.
            dump: Writes a value as JSON; None for the adapter's own way.
        """
        # Unbuffered: a line that a full disk refused must not be tried again when the file is closed.
        self._file = path.open("ab", buffering=0)
        self._adapter = adapter
        self._dump = dump or adapter.dump_json

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, value: T) -> T:
        """Write a line at once, and give back what it reads as."""
        line = sealed(self._dump(value))
        rest = memoryview(line + b"\n")
        while rest:
            rest = rest[self._file.write(rest) :]
        return self._adapter.validate_json(line)


def mend_end(path: Path, adapter: TypeAdapter[T]) -> None:
    """Take half a line at the end away; a whole one that only lacks its line end is given it."""
    if not path.is_file():
        return
    with path.open("r+b") as file:
        length, last = 0, b""
        for line in file:
            length, last = length + len(line), line
        if not last or last.endswith(b"\n"):
            return
        try:
            adapter.validate_json(last)
        except ValidationError:
            file.truncate(length - len(last))
        else:
            file.write(b"\n")
