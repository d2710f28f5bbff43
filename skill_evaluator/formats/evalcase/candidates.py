"""Candidates out of a file of JSON Lines: checked once, then each read again by the id of its case.

Only an index is kept, so memory does not grow with what candidates say. A file that changes in between is told of,
never misread.
"""

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final

from skill_evaluator.errors import InputError
from skill_evaluator.formats.evalcase.candidate_index import CandidateIndex, Row
from skill_evaluator.formats.evalcase.candidate_lines import Line, open_lines, read_lines
from skill_evaluator.formats.evalcase.candidate_rows import read_candidate, shown_id
from skill_evaluator.formats.visible import visible
from skill_evaluator.model import Candidate, Finding, Level

MAX_LINE: Final = 16 * 1024 * 1024  # bytes; a raw response may hold a whole batch


@dataclass(frozen=True, kw_only=True, slots=True)
class CandidateSource:
    """Candidates that were checked once.

    Attributes:
        path: The file as it was named.
        findings: Every fault; with any among them nothing may be read.
    """

    path: Path
    findings: tuple[Finding, ...]
    _index: CandidateIndex = field(repr=False)

    @property
    def count(self) -> int:
        """How many candidates there are."""
        return len(self._index)

    @contextmanager
    def opened(self) -> Iterator["OpenCandidates"]:
        """Open the file for reading candidates by their case.

        Raises:
            InputError: If it cannot be opened any more.
        """
        stream = open_lines(self.path)
        if isinstance(stream, Finding):
            raise InputError([stream])
        with stream:
            yield OpenCandidates(path=self.path, stream=stream, index=self._index)


class OpenCandidates:
    """A file of candidates that is open.

    Args:
        path: The file as it was named.
        stream: The same, open.
        index: Where each candidate stands.
    """

    def __init__(self, *, path: Path, stream: BinaryIO, index: CandidateIndex) -> None:
        self._path = path
        self._stream = stream
        self._index = index
        self._asked_for = bytearray(len(index))

    def find(self, case_id: str) -> Candidate | None:
        """Read the candidate of a case.

        Returns:
            The candidate; None where there is none.

        Raises:
            InputError: If the file has changed since it was checked.
        """
        number = self._index.find(case_id)
        if number is None:
            return None
        self._asked_for[number] = True
        return self._read(self._index[number])

    def left_over(self) -> Iterator[Finding]:
        """Give a FAIL for each candidate that nobody asked for, in the order of the file.

        Raises:
            InputError: As `find`.
        """
        number = self._asked_for.find(0)
        while number >= 0:
            row = self._index[number]
            case_id = self._read(row).case_id
            message = f"there is no case {shown_id(case_id)} for this candidate; mend its case_id, or take it out"
            yield _fault(self._path, row.line, "no-case", message)
            number = self._asked_for.find(0, number + 1)

    def _read(self, row: Row) -> Candidate:
        self._stream.seek(row.offset)
        line = next(read_lines(self._stream, max_bytes=MAX_LINE), None)
        content = None if line is None else line.content
        read = None if content is None or zlib.crc32(content) != row.checksum else read_candidate(content)
        if not isinstance(read, Candidate):
            message = "the file has changed since it was checked; leave it alone until the command has ended"
            raise InputError([_fault(self._path, row.line, "changed", message)])
        return read


def open_candidates(path: Path) -> CandidateSource:
    """Check all candidates of a file.

    Args:
        path: A regular file of JSON Lines, one candidate a line; blank lines are passed over.
    """
    stream = open_lines(path)
    if isinstance(stream, Finding):
        return CandidateSource(path=path, findings=(stream,), _index=CandidateIndex())
    index = CandidateIndex()
    with stream:
        findings = tuple(
            finding for line in read_lines(stream, max_bytes=MAX_LINE) for finding in _add(path, line, index)
        )
    return CandidateSource(path=path, findings=findings, _index=index)


def _add(path: Path, line: Line, index: CandidateIndex) -> Iterator[Finding]:
    """Take one line into the index, or say what is wrong with it."""
    if line.content is None:
        message = f"the line is longer than {MAX_LINE:,} bytes; candidates of that size are not read, so shorten it"
        yield _fault(path, line.number, "line-too-long", message)
        return
    if not line.content.strip():
        return
    read = read_candidate(line.content)
    if not isinstance(read, Candidate):
        yield from (_fault(path, line.number, *fault) for fault in read)
        return
    row = Row(offset=line.offset, line=line.number, checksum=zlib.crc32(line.content))
    before = index.add(read.case_id, row)
    if before is not None:
        message = f"case {shown_id(read.case_id)} has a candidate in line {index[before].line} already; keep one"
        yield _fault(path, line.number, "duplicate-candidate", message)


def _fault(path: Path, line: int, code: str, message: str, pointer: str | None = None) -> Finding:
    place = None if pointer is None else visible(pointer)
    return Finding(
        level=Level.FAIL, code=code, message=visible(message), file=visible(str(path)), line=line, pointer=place
    )
