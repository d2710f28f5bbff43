"""Finished runs on disk, one line each, so that nothing that was paid for is lost.

A run folder holds `run.json` (what was measured), `testset.json` (the questions as they were),
`journal.jsonl` (one finished run a line, appended at once) and, once the run has ended, `end.json`.
Credentials are blacked out before a line is written, and a run is reported as it reads back from its
line: what is kept and what is shown cannot differ.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Self

from pydantic import TypeAdapter, ValidationError

from skill_evaluator.errors import InputError
from skill_evaluator.model import AgentInfo, Arm, Finding, Level, Run
from skill_evaluator.redaction import blacken
from skill_evaluator.results import Config, Note, SkillInfo, TestsetInfo

JOURNAL_VERSION = 1
HEADER_FILE = "run.json"
TESTSET_FILE = "testset.json"
JOURNAL_FILE = "journal.jsonl"
END_FILE = "end.json"


@dataclass(frozen=True, kw_only=True, slots=True)
class JournalHeader:
    """What a run folder is about: everything a report needs besides the runs and the questions.

    Attributes:
        timestamp: When the run started, ISO 8601 in UTC with a trailing Z.
        skill_path: SKILL.md as given.
        testset_path: The test set as given.
        warnings: What the readers doubted.
        notes: What the report must say besides the numbers.
    """

    agent: AgentInfo
    skill: SkillInfo
    testset: TestsetInfo
    config: Config
    timestamp: str
    skill_path: str
    testset_path: str
    concurrency: int
    warnings: tuple[Finding, ...] = ()
    notes: tuple[Note, ...] = ()
    journal_version: int = JOURNAL_VERSION


@dataclass(frozen=True, kw_only=True, slots=True)
class JournalEnd:
    """How a run ended.

    Attributes:
        duration_s: Wall time in seconds.
        stopped_by: Name of the signal that ended it early, or None.
        violations: Skill files that changed while it ran.
    """

    duration_s: float
    stopped_by: str | None = None
    violations: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class JournalEntry:
    """One line: the key that says what the run answers, and the run."""

    agent: str
    model: str | None
    skill_sha256: str
    prompt_sha256: str
    arm: Arm
    index: int
    run: Run


@dataclass(frozen=True, kw_only=True, slots=True)
class Journal:
    """A run folder as read; `end` is None where the run was killed before it could say how it ended."""

    path: Path
    header: JournalHeader
    entries: tuple[JournalEntry, ...]
    end: JournalEnd | None


_HEADER = TypeAdapter(JournalHeader)
_ENTRY = TypeAdapter(JournalEntry)
_END = TypeAdapter(JournalEnd)


class JournalWriter:
    """Appends finished runs to a new run folder; use it as a context manager."""

    def __init__(self, folder: Path, header: JournalHeader, testset: bytes, *, secrets: Sequence[str] = ()) -> None:
        """Make the folder and write down what the run is about.

        Raises:
            FileExistsError: If the folder holds another run.
            OSError: If it cannot be written.
        """
        self.folder = folder
        self._header = header
        self._secrets = tuple(secrets)
        folder.mkdir(parents=True)
        (folder / HEADER_FILE).write_bytes(_HEADER.dump_json(header, indent=2) + b"\n")
        (folder / TESTSET_FILE).write_bytes(testset)
        self._file: BinaryIO = (folder / JOURNAL_FILE).open("ab")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def append(self, run: Run, *, prompt_sha256: str) -> Run:
        """Keep a finished run and give it back as it was kept, credentials blacked out."""
        entry = JournalEntry(
            agent=self._header.agent.name,
            model=self._header.agent.model,
            skill_sha256=self._header.skill.sha256,
            prompt_sha256=prompt_sha256,
            arm=run.arm,
            index=run.index,
            run=run,
        )
        line = blacken(_ENTRY.dump_json(entry).decode(), self._secrets).encode()
        self._file.write(line + b"\n")
        self._file.flush()
        return _ENTRY.validate_json(line).run

    def finish(self, end: JournalEnd) -> None:
        """Say how the run ended; without this the folder counts as a killed run."""
        (self.folder / END_FILE).write_bytes(_END.dump_json(end, indent=2) + b"\n")


def read_journal(folder: Path) -> Journal:
    """Read a run folder; a line cut short by a kill at the very end is left out.

    Raises:
        InputError: If it is no run folder, or any other line cannot be read; all faults at once.
    """
    header = read_header(folder)
    findings: list[Finding] = []
    entries: list[JournalEntry] = []
    lines = _bytes_of(folder / JOURNAL_FILE).split(b"\n")
    for number, line in enumerate(lines, start=1):
        if not line:
            continue
        try:
            entries.append(_ENTRY.validate_json(line))
        except ValidationError as error:
            if number < len(lines):
                findings.append(_fault(folder / JOURNAL_FILE, f"not a journal line: {_first_fault(error)}", number))
    if findings:
        raise InputError(findings)
    return Journal(path=folder, header=header, entries=tuple(entries), end=_read_end(folder))


def read_header(folder: Path) -> JournalHeader:
    """Read only what a run folder is about.

    Raises:
        InputError: If it is no run folder, or one of another version.
    """
    path = folder / HEADER_FILE
    raw = _bytes_of(path)
    try:
        version = json.loads(raw)
    except ValueError as error:
        raise InputError([_fault(path, f"not JSON: {error}")]) from error
    if isinstance(version, Mapping) and version.get("journal_version") != JOURNAL_VERSION:
        found = version.get("journal_version")
        raise InputError([_fault(path, f"journal version {found!r}; this program reads version {JOURNAL_VERSION}")])
    try:
        return _HEADER.validate_json(raw)
    except ValidationError as error:
        raise InputError([_fault(path, f"not a run's header: {_first_fault(error)}")]) from error


def is_run_folder(path: Path) -> bool:
    """Whether a path looks like a folder made by `JournalWriter`."""
    return (path / HEADER_FILE).is_file() and (path / JOURNAL_FILE).is_file()


def hash_run_folder(folder: Path) -> str:
    """Hash the runs of a folder, 64 hex digits; the order in which they finished does not matter."""
    digest = hashlib.sha256()
    for line in sorted(_bytes_of(folder / JOURNAL_FILE).split(b"\n")):
        digest.update(line + b"\n")
    return digest.hexdigest()


def _read_end(folder: Path) -> JournalEnd | None:
    path = folder / END_FILE
    if not path.is_file():
        return None
    try:
        return _END.validate_json(_bytes_of(path))
    except ValidationError as error:
        raise InputError([_fault(path, f"cannot be read: {_first_fault(error)}")]) from error


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        message = f"cannot be read ({error.strerror}); a run folder holds {HEADER_FILE} and {JOURNAL_FILE}"
        raise InputError([_fault(path, message)]) from error


def _first_fault(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    return f"{'.'.join(str(part) for part in first['loc']) or 'the line'}: {first['msg']}"


def _fault(path: Path, message: str, line: int | None = None) -> Finding:
    return Finding(level=Level.FAIL, code="journal-unreadable", file=str(path), line=line, message=message)
