"""Writes a run folder, line by line as runs finish."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

from skill_evaluator.journal.lock import lock_run_folder
from skill_evaluator.journal.reader import read_journal
from skill_evaluator.journal.records import (
    CANARY,
    CANARY_FILE,
    END,
    END_FILE,
    ENTRY,
    HEADER,
    HEADER_FILE,
    JOURNAL_FILE,
    KILLED,
    TESTSET_FILE,
    JournalEnd,
    JournalEntry,
    JournalHeader,
)
from skill_evaluator.journal.seal import sealed
from skill_evaluator.model import Run
from skill_evaluator.redaction import blacken_canary, blacken_run
from skill_evaluator.results import Canary

if TYPE_CHECKING:
    from filelock import BaseFileLock


class JournalWriter:
    """Appends finished runs to a run folder, new or continued; use it as a context manager.

    Attributes:
        folder: The run folder.
        header: What the run is about.
        kept: What an earlier process had finished, one entry a repetition; empty in a new folder.
        earlier_end: How that process ended, or None where it was killed or there was none.
        resumed: Whether there was an earlier process.
        canary: What the probe showed, as it is kept.
    """

    resumed = False
    kept: tuple[JournalEntry, ...] = ()
    earlier_end: JournalEnd | None = None
    canary: Canary = Canary()

    def __init__(self, folder: Path, header: JournalHeader, testset: bytes, *, secrets: Sequence[str] = ()) -> None:
        """Make the folder and write down what the run is about.

        Raises:
            FileExistsError: If the folder holds another run.
            OSError: If it cannot be written.
        """
        folder.mkdir(parents=True)
        (folder / HEADER_FILE).write_bytes(sealed(HEADER.dump_json(header, indent=2)) + b"\n")
        (folder / TESTSET_FILE).write_bytes(testset)
        self._start(folder, header, secrets, lock_run_folder(folder))

    @classmethod
    def reopen(cls, folder: Path, *, secrets: Sequence[str] = ()) -> Self:
        """Continue a run that was killed or stopped, or that left errors behind.

        A line cut short by a kill is taken away; the folder counts as that of a killed run until it is finished again.
        Skill files that changed under the runs that are kept stay named, should this process be killed too.

        Raises:
            InputError: If it is no run folder, cannot be read, or another process writes to it.
            OSError: If it cannot be written.
        """
        lock = lock_run_folder(folder)
        try:
            journal = read_journal(folder)
            _mend_end(folder / JOURNAL_FILE, torn=journal.torn)
            if journal.end is None or not journal.end.violations:
                (folder / END_FILE).unlink(missing_ok=True)
            else:
                killed = JournalEnd(duration_s=None, stopped_by=KILLED, violations=journal.end.violations)
                _write_whole(folder / END_FILE, sealed(END.dump_json(killed, indent=2)))
        except BaseException:
            lock.release()
            raise
        writer = cls.__new__(cls)
        writer._start(folder, journal.header, secrets, lock)  # noqa: SLF001 - its own class
        writer.resumed, writer.kept, writer.earlier_end = True, journal.entries, journal.end
        writer.canary = journal.canary
        return writer

    def _start(self, folder: Path, header: JournalHeader, secrets: Sequence[str], lock: "BaseFileLock") -> None:
        self.folder = folder
        self.header = header
        self._secrets = tuple(secrets)
        self._lock = lock
        # Unbuffered: a line that a full disk refused must not be tried again when the file is closed.
        self._file = (folder / JOURNAL_FILE).open("ab", buffering=0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self._lock.release()

    def append(self, run: Run, *, prompt_sha256: str, attempts: int = 1, spent_usd: float | None = None) -> Run:
        """Keep a finished run and give it back as it was kept, credentials masked."""
        entry = JournalEntry(
            agent=self.header.agent.name,
            model=self.header.agent.model,
            skill_sha256=self.header.skill.sha256,
            prompt_sha256=prompt_sha256,
            arm=run.arm,
            index=run.index,
            run=blacken_run(run, self._secrets),
            attempts=attempts,
            spent_usd=spent_usd,
        )
        line = sealed(ENTRY.dump_json(entry))
        rest = memoryview(line + b"\n")
        while rest:
            rest = rest[self._file.write(rest) :]
        return ENTRY.validate_json(line).run

    def finish(self, end: JournalEnd) -> None:
        """Say how the run ended; without this the folder counts as a killed run."""
        _write_whole(self.folder / END_FILE, sealed(END.dump_json(end, indent=2)))

    def keep_canary(self, canary: Canary) -> Canary:
        """Keep what the probe showed, in place of what was known before, and give it back as it was kept."""
        self.canary = blacken_canary(canary, self._secrets)
        _write_whole(self.folder / CANARY_FILE, sealed(CANARY.dump_json(self.canary, indent=2)))
        return self.canary


def _write_whole(file: Path, content: bytes) -> None:
    half = file.with_name(f"{file.name}.tmp")
    half.write_bytes(content + b"\n")
    half.replace(file)


def _mend_end(file: Path, *, torn: bool) -> None:
    """Take half a line away; a whole one that only lacks its line end is given it."""
    with file.open("r+b") as journal:
        lengths = [(len(line), line.endswith(b"\n")) for line in journal]
        if torn:
            journal.truncate(sum(length for length, whole in lengths if whole))
        elif lengths and not lengths[-1][1]:
            journal.write(b"\n")
