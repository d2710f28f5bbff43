"""Reads a run folder back, trusting nothing in it."""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from skill_evaluator.errors import InputError
from skill_evaluator.journal.files import bytes_of, fault, first_fault, lines_of, refuse_changed
from skill_evaluator.journal.lines import SealedLines, read_lines
from skill_evaluator.journal.records import (
    ANSWER,
    ANSWERS_FILE,
    BATCH,
    BATCHES_FILE,
    BESIDE,
    BESIDE_FILE,
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
from skill_evaluator.model import Arm, Finding
from skill_evaluator.results import Canary
from skill_evaluator.texts import tr

T = TypeVar("T")


def read_journal(folder: Path) -> Journal:
    """Read a run folder; a line cut short by a kill at the very end is left out.

    Raises:
        InputError: If it is no run folder, was changed by hand, or any other line cannot be read; all faults at once.
    """
    header = read_header(folder)
    testset = bytes_of(folder / TESTSET_FILE)
    findings: list[Finding] = []
    if hashlib.sha256(testset).hexdigest() != header.testset_file_sha256:
        message = tr("was changed after the run; put it back, or regrade with the changed one by --testset")
        findings.append(fault(folder / TESTSET_FILE, message))
    entries, torn = _entries(folder / JOURNAL_FILE, header, findings)
    answers = read_lines(folder / ANSWERS_FILE, ANSWER, findings)
    batches = read_lines(folder / BATCHES_FILE, BATCH, findings)
    if findings:
        raise InputError(findings)
    return Journal(
        path=folder,
        header=header,
        testset=testset,
        entries=entries,
        end=read_end(folder),
        torn=torn,
        canary=_read_whole(folder / CANARY_FILE, CANARY, tr("what a canary leaves")) or Canary(),
        answers=answers,
        batches=batches,
        beside=_read_whole(folder / BESIDE_FILE, BESIDE, tr("a baseline's outputs")),
    )


def _entries(path: Path, header: JournalHeader, findings: list[Finding]) -> tuple[tuple[JournalEntry, ...], bool]:
    """Read the lines by repetition; the later one stands where the earlier was an error that was asked again.

    Returns:
        The entries, and whether the last line is torn: without its end, and no entry.
    """
    entries: dict[tuple[str, Arm, int], JournalEntry] = {}
    stands_in: dict[tuple[str, Arm, int], int] = {}
    lines = SealedLines(path, ENTRY, findings)
    for number, entry in lines:
        repetition = (entry.run.case_id, entry.run.arm, entry.run.index)
        earlier = entries.get(repetition)
        if earlier is not None and earlier.run.failure is None:
            message = tr(
                "{entry} stands in line {stands_in} already", entry=_named(entry), stands_in=stands_in[repetition]
            )
            findings.append(fault(path, message, number))
        findings += [fault(path, message, number) for message in _strange(entry, header)]
        entries[repetition], stands_in[repetition] = entry, number
    return tuple(entries.values()), lines.torn


def _strange(entry: JournalEntry, header: JournalHeader) -> Iterator[str]:
    """What shows that a line is none of this run's."""
    if not 0 <= entry.run.index < header.config.runs:
        yield tr("{entry} is none of 0..{runs}", entry=_named(entry), runs=header.config.runs - 1)
    if (entry.arm, entry.index) != (entry.run.arm, entry.run.index):
        yield tr(
            "{entry} is called repetition {index}, arm {arm}, outside of its run",
            entry=_named(entry),
            index=entry.index,
            arm=entry.arm,
        )
    found = {"agent": entry.agent, "model": entry.model, "skill": entry.skill_sha256}
    expected = {"agent": header.agent.name, "model": header.agent.model, "skill": header.skill.sha256}
    for key, value in found.items():
        if value != expected[key]:
            yield tr(
                "{entry} is of another run: its {key} is {value!r}, that of this run {expected!r}",
                entry=_named(entry),
                key=key,
                value=value,
                expected=expected[key],
            )


def _named(entry: JournalEntry) -> str:
    return tr("repetition {index} of case {case_id!r}", index=entry.run.index, case_id=entry.run.case_id)


def read_header(folder: Path) -> JournalHeader:
    """Read only what a run folder is about.

    Raises:
        InputError: If it is no run folder, or one of another version.
    """
    path = folder / HEADER_FILE
    raw = bytes_of(path)
    try:
        version = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise InputError([fault(path, tr("not JSON: {error}", error=error))]) from error
    if isinstance(version, Mapping) and version.get("journal_version") != JOURNAL_VERSION:
        found = version.get("journal_version")
        raise InputError(
            [
                fault(
                    path,
                    tr(
                        "journal version {found!r}; this program reads version {journal_version}",
                        found=found,
                        journal_version=JOURNAL_VERSION,
                    ),
                )
            ]
        )
    try:
        header = HEADER.validate_json(raw)
    except ValidationError as error:
        raise InputError([fault(path, tr("not a run's header: {error}", error=first_fault(error)))]) from error
    refuse_changed(path, raw)
    return header


def is_run_folder(path: Path) -> bool:
    """Whether a path looks like a folder made by `JournalWriter`."""
    return all(os.path.isfile(path / name) for name in (HEADER_FILE, JOURNAL_FILE))  # noqa: PTH113 - Path.is_file may raise


def hash_run_folder(folder: Path) -> str:
    """Hash the runs of a folder, what they are about, their questions and what else was answered, 64 hex digits.

    The order in which the runs finished does not matter.
    """
    digest = hashlib.sha256()
    for name in (HEADER_FILE, TESTSET_FILE):
        digest.update(hashlib.sha256(bytes_of(folder / name)).digest())
    digest.update(_hash_of_lines(folder / JOURNAL_FILE))
    for name in (ANSWERS_FILE, BATCHES_FILE):
        if (folder / name).is_file() and (hashes := _hash_of_lines(folder / name)):
            digest.update(name.encode() + hashes)
    if (folder / BESIDE_FILE).is_file():
        digest.update(BESIDE_FILE.encode() + hashlib.sha256(bytes_of(folder / BESIDE_FILE)).digest())
    return digest.hexdigest()


def _hash_of_lines(path: Path) -> bytes:
    return b"".join(sorted(hashlib.sha256(line.rstrip(b"\n")).digest() for line in lines_of(path)))


def read_end(folder: Path) -> JournalEnd | None:
    """Read how a run ended; None means that it was killed: the file is missing, or cut short."""
    path = folder / END_FILE
    if not path.is_file():
        return None
    raw = bytes_of(path)
    try:
        end = END.validate_json(raw)
    except ValidationError:
        return None
    refuse_changed(path, raw)
    return end


def _read_whole(path: Path, adapter: TypeAdapter[T], what: str) -> T | None:
    """Read a file that need not be there."""
    if not path.is_file():
        return None
    raw = bytes_of(path)
    try:
        found = adapter.validate_json(raw)
    except ValidationError as error:
        raise InputError([fault(path, tr("not {what}: {error}", what=what, error=first_fault(error)))]) from error
    refuse_changed(path, raw)
    return found
