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
from skill_evaluator.formats.evalcase.candidate_rows import is_case, read_candidate, read_sound_candidate
from skill_evaluator.formats.evalcase.form import Fault
from skill_evaluator.formats.evalcase.lines import Line, read_line_at, read_lines
from skill_evaluator.formats.evalcase.place_index import Place, PlaceIndex
from skill_evaluator.formats.evalcase.spots import finding_of
from skill_evaluator.formats.testset_form import shown
from skill_evaluator.formats.text_file import unreadable_file
from skill_evaluator.model import Candidate, Finding
from skill_evaluator.regular_files import check_regular
from skill_evaluator.texts import tr

MAX_LINE_BYTES: Final = 16 * 1024 * 1024  # a raw response may hold a whole batch


@dataclass(frozen=True, kw_only=True, slots=True)
class CandidateSource:
    """Candidates that were checked once.

    Attributes:
        path: The file as it was named.
        findings: Every fault; with any among them nothing may be read.
    """

    path: Path
    findings: tuple[Finding, ...]
    _index: PlaceIndex = field(repr=False)

    @property
    def count(self) -> int:
        """How many candidates there are."""
        return len(self._index)

    @contextmanager
    def opened(self) -> Iterator["OpenCandidates"]:
        """Open the file for reading candidates by their case.

        Raises:
            InputError: If there are faults, or the file cannot be opened any more.
        """
        if self.findings:
            raise InputError(self.findings)
        try:
            check_regular(self.path)
            stream = self.path.open("rb")
        except OSError as error:
            raise InputError([unreadable_file(self.path, error)]) from error
        with stream:
            yield OpenCandidates(path=self.path, stream=stream, index=self._index)


class OpenCandidates:
    """A file of candidates that is open.

    Args:
        path: The file as it was named.
        stream: The same, open.
        index: Where each candidate stands.
    """

    def __init__(self, *, path: Path, stream: BinaryIO, index: PlaceIndex) -> None:
        self._path = path
        self._stream = stream
        self._index = index
        self._asked_for = bytearray(len(index))

    def find(self, case_id: str) -> Candidate | None:
        """Read the candidate of a case.

        Returns:
            The candidate; None where there is none.

        Raises:
            InputError: If the file has changed since it was checked, or cannot be read.
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
            place = self._index[number]
            case_id = shown(self._read(place).case_id)
            message = tr(
                "there is no case {case_id} for this candidate; mend its case_id, or take it out", case_id=case_id
            )
            yield finding_of(Fault(code="no-case", parts=(), message=message), self._path, place.line)
            number = self._asked_for.find(0, number + 1)

    def _read(self, place: Place) -> Candidate:
        try:
            line = read_line_at(self._stream, place.line, place.where, max_bytes=MAX_LINE_BYTES)
        except OSError as error:
            raise InputError([unreadable_file(self._path, error)]) from error
        if line is not None and line.text is not None and zlib.crc32(line.content) == place.mark:
            return read_sound_candidate(line.text)
        message = tr("was changed while it was read; leave it alone and start again")
        raise InputError([finding_of(Fault(code="changed-file", parts=(), message=message), self._path, place.line)])


def open_candidates(path: Path) -> CandidateSource:
    """Check all candidates of a file.

    Args:
        path: A regular file of JSON Lines, one candidate a line; blank lines are passed over.
    """
    index = PlaceIndex()
    findings: list[Finding] = []
    try:
        for line in read_lines(path, max_bytes=MAX_LINE_BYTES, holds="candidate"):
            faults = list(_add(line, index))
            is_wrong_file = bool(faults) and line.text is not None and is_case(line.text)
            findings += (finding_of(fault, path, line.number) for fault in ([_cases()] if is_wrong_file else faults))
            if is_wrong_file:
                break
    except (OSError, ValueError) as error:
        findings.append(finding_of(_standard_input(), path) if str(path) == "-" else unreadable_file(path, error))
    return CandidateSource(path=path, findings=tuple(findings), _index=index)


def _add(line: Line, index: PlaceIndex) -> Iterator[Fault]:
    """Take one line into the index, or say what is wrong with it."""
    if line.fault is not None:
        yield line.fault
    if line.text is None:
        return
    read = read_candidate(line.text)
    if not isinstance(read, Candidate):
        yield from read
        return
    place = Place(line=line.number, where=line.offset, mark=zlib.crc32(line.content))
    before = index.add(read.case_id, place)
    if before is not None:
        message = tr(
            "case {case_id} has a candidate in line {line} already; keep one of the two",
            case_id=shown(read.case_id),
            line=index[before].line,
        )
        yield Fault(code="duplicate-candidate", parts=("case_id",), message=message)


def _standard_input() -> Fault:
    message = tr("standard input is not read, since candidates are gone through twice; save it to a file and name that")
    return Fault(code="not-regular", parts=(), message=message)


def _cases() -> Fault:
    message = tr(
        "holds cases, not candidates; name the cases first: `skill-evaluator translation check CASES CANDIDATES`"
    )
    return Fault(code="cases-file", parts=(), message=message)
