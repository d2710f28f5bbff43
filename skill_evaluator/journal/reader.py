"""Reads a run folder back, trusting nothing in it."""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from pydantic import ValidationError

from skill_evaluator.errors import InputError
from skill_evaluator.journal.records import (
    CANARY,
    CANARY_FILE,
    END,
    END_FILE,
    ENTRY,
    HEADER,
    HEADER_FILE,
    JOURNAL_FILE,
    JOURNAL_VERSION,
    TESTSET_FILE,
    Journal,
    JournalEnd,
    JournalEntry,
    JournalHeader,
)
from skill_evaluator.journal.seal import was_changed
from skill_evaluator.model import Arm, Finding, Level
from skill_evaluator.regular_files import check_regular
from skill_evaluator.results import Canary

_CHANGED = "was changed or damaged after it was written: its seal does not fit; put it back as it was"


def read_journal(folder: Path) -> Journal:
    """Read a run folder; a line cut short by a kill at the very end is left out.

    Raises:
        InputError: If it is no run folder, was changed by hand, or any other line cannot be read; all faults at once.
    """
    header = read_header(folder)
    testset = _bytes_of(folder / TESTSET_FILE)
    findings: list[Finding] = []
    if hashlib.sha256(testset).hexdigest() != header.testset_file_sha256:
        message = "was changed after the run; put it back, or regrade with the changed one by --testset"
        findings.append(_fault(folder / TESTSET_FILE, message))
    entries, torn = _entries(folder / JOURNAL_FILE, header, findings)
    if findings:
        raise InputError(findings)
    return Journal(
        path=folder,
        header=header,
        testset=testset,
        entries=entries,
        end=read_end(folder),
        torn=torn,
        canary=_read_canary(folder),
    )


def _entries(path: Path, header: JournalHeader, findings: list[Finding]) -> tuple[tuple[JournalEntry, ...], bool]:
    """Read the lines by repetition; the later one stands where the earlier was an error that was asked again.

    Returns:
        The entries, and whether the last line is torn: without its end, and no entry.
    """
    entries: dict[tuple[str, Arm, int], JournalEntry] = {}
    stands_in: dict[tuple[str, Arm, int], int] = {}
    torn = False
    for number, line in enumerate(_lines_of(path), start=1):
        if line == b"\n":
            continue
        try:
            entry = ENTRY.validate_json(line)
        except ValidationError as error:
            torn = not line.endswith(b"\n")
            if not torn:
                findings.append(_fault(path, f"not a journal line: {_first_fault(error)}", number))
            continue
        if was_changed(line):
            findings.append(_fault(path, f"this line {_CHANGED}", number))
        repetition = (entry.run.case_id, entry.run.arm, entry.run.index)
        earlier = entries.get(repetition)
        if earlier is not None and earlier.run.failure is None:
            message = f"{_named(entry)} stands in line {stands_in[repetition]} already"
            findings.append(_fault(path, message, number))
        findings += [_fault(path, message, number) for message in _strange(entry, header)]
        entries[repetition], stands_in[repetition] = entry, number
    return tuple(entries.values()), torn


def _strange(entry: JournalEntry, header: JournalHeader) -> Iterator[str]:
    """What shows that a line is none of this run's."""
    if not 0 <= entry.run.index < header.config.runs:
        yield f"{_named(entry)} is none of 0..{header.config.runs - 1}"
    if (entry.arm, entry.index) != (entry.run.arm, entry.run.index):
        yield f"{_named(entry)} is called repetition {entry.index}, arm {entry.arm}, outside of its run"
    found = {"agent": entry.agent, "model": entry.model, "skill": entry.skill_sha256}
    expected = {"agent": header.agent.name, "model": header.agent.model, "skill": header.skill.sha256}
    for key, value in found.items():
        if value != expected[key]:
            yield f"{_named(entry)} is of another run: its {key} is {value!r}, that of this run {expected[key]!r}"


def _named(entry: JournalEntry) -> str:
    return f"repetition {entry.run.index} of case {entry.run.case_id!r}"


def read_header(folder: Path) -> JournalHeader:
    """Read only what a run folder is about.

    Raises:
        InputError: If it is no run folder, or one of another version.
    """
    path = folder / HEADER_FILE
    raw = _bytes_of(path)
    try:
        version = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise InputError([_fault(path, f"not JSON: {error}")]) from error
    if isinstance(version, Mapping) and version.get("journal_version") != JOURNAL_VERSION:
        found = version.get("journal_version")
        raise InputError([_fault(path, f"journal version {found!r}; this program reads version {JOURNAL_VERSION}")])
    try:
        header = HEADER.validate_json(raw)
    except ValidationError as error:
        raise InputError([_fault(path, f"not a run's header: {_first_fault(error)}")]) from error
    _refuse_changed(path, raw)
    return header


def is_run_folder(path: Path) -> bool:
    """Whether a path looks like a folder made by `JournalWriter`."""
    return all(os.path.isfile(path / name) for name in (HEADER_FILE, JOURNAL_FILE))  # noqa: PTH113 - Path.is_file may raise


def hash_run_folder(folder: Path) -> str:
    """Hash the runs of a folder, what they are about and their questions, 64 hex digits.

    The order in which the runs finished does not matter.
    """
    digest = hashlib.sha256()
    for name in (HEADER_FILE, TESTSET_FILE):
        digest.update(hashlib.sha256(_bytes_of(folder / name)).digest())
    for line in sorted(hashlib.sha256(line.rstrip(b"\n")).digest() for line in _lines_of(folder / JOURNAL_FILE)):
        digest.update(line)
    return digest.hexdigest()


def read_end(folder: Path) -> JournalEnd | None:
    """Read how a run ended; None means that it was killed: the file is missing, or cut short."""
    path = folder / END_FILE
    if not path.is_file():
        return None
    raw = _bytes_of(path)
    try:
        end = END.validate_json(raw)
    except ValidationError:
        return None
    _refuse_changed(path, raw)
    return end


def _lines_of(path: Path) -> Iterator[bytes]:
    """Read a file line by line, since a journal may be larger than the memory; only the last may lack its end."""
    with _opened(path) as file:
        yield from file


def _read_canary(folder: Path) -> Canary:
    """Without the file there was no canary."""
    path = folder / CANARY_FILE
    if not path.is_file():
        return Canary()
    raw = _bytes_of(path)
    try:
        canary = CANARY.validate_json(raw)
    except ValidationError as error:
        raise InputError([_fault(path, f"not what a canary leaves: {_first_fault(error)}")]) from error
    _refuse_changed(path, raw)
    return canary


def _refuse_changed(path: Path, raw: bytes) -> None:
    if was_changed(raw):
        raise InputError([_fault(path, f"this file {_CHANGED}")])


def _bytes_of(path: Path) -> bytes:
    with _opened(path) as file:
        return file.read()


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    try:
        check_regular(path)
        with path.open("rb") as file:
            yield file
    except OSError as error:
        message = f"cannot be read ({error.strerror}); a run folder holds {HEADER_FILE} and {JOURNAL_FILE}"
        raise InputError([_fault(path, message)]) from error


def _first_fault(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    return f"{'.'.join(str(part) for part in first['loc']) or 'the line'}: {first['msg']}"


def _fault(path: Path, message: str, line: int | None = None) -> Finding:
    return Finding(level=Level.FAIL, code="journal-unreadable", file=str(path), line=line, message=message)
