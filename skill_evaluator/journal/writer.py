"""Writes a run folder, line by line as runs finish."""

from collections.abc import Sequence
from pathlib import Path
from typing import Self

from skill_evaluator.journal.records import (
    END,
    END_FILE,
    ENTRY,
    HEADER,
    HEADER_FILE,
    JOURNAL_FILE,
    TESTSET_FILE,
    JournalEnd,
    JournalEntry,
    JournalHeader,
)
from skill_evaluator.journal.seal import sealed
from skill_evaluator.model import Run
from skill_evaluator.redaction import blacken_run


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
        (folder / HEADER_FILE).write_bytes(sealed(HEADER.dump_json(header, indent=2)) + b"\n")
        (folder / TESTSET_FILE).write_bytes(testset)
        # Unbuffered: a line that a full disk refused must not be tried again when the file is closed.
        self._file = (folder / JOURNAL_FILE).open("ab", buffering=0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def append(self, run: Run, *, prompt_sha256: str) -> Run:
        """Keep a finished run and give it back as it was kept, credentials masked."""
        entry = JournalEntry(
            agent=self._header.agent.name,
            model=self._header.agent.model,
            skill_sha256=self._header.skill.sha256,
            prompt_sha256=prompt_sha256,
            arm=run.arm,
            index=run.index,
            run=blacken_run(run, self._secrets),
        )
        line = sealed(ENTRY.dump_json(entry))
        rest = memoryview(line + b"\n")
        while rest:
            rest = rest[self._file.write(rest) :]
        return ENTRY.validate_json(line).run

    def finish(self, end: JournalEnd) -> None:
        """Say how the run ended; without this the folder counts as a killed run."""
        half = self.folder / f"{END_FILE}.tmp"
        half.write_bytes(sealed(END.dump_json(end, indent=2)) + b"\n")
        half.replace(self.folder / END_FILE)
