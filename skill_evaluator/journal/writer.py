"""Writes a run folder, line by line as runs finish."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

from skill_evaluator.journal.lines import LineFile, mend_end
from skill_evaluator.journal.lock import lock_run_folder
from skill_evaluator.journal.reader import read_journal
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
    KILLED,
    TESTSET_FILE,
    JournalEnd,
    JournalEntry,
    JournalHeader,
    JudgedBeside,
    KeptAnswer,
    KeptBatch,
    dump_entry,
)
from skill_evaluator.journal.seal import sealed
from skill_evaluator.model import Run
from skill_evaluator.redaction import blacken, blacken_canary, blacken_completion, blacken_run
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
        answers: What models outside the runs had answered to earlier processes, in the order kept.
        batches: Message batches that earlier processes had submitted, in order.
        beside: What the judge is shown of a baseline, as it is kept; None before it is asked.
    """

    resumed = False
    kept: tuple[JournalEntry, ...] = ()
    earlier_end: JournalEnd | None = None
    canary: Canary = Canary()
    answers: tuple[KeptAnswer, ...] = ()
    batches: tuple[KeptBatch, ...] = ()
    beside: JudgedBeside | None = None

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
            mend_end(folder / JOURNAL_FILE, ENTRY)
            mend_end(folder / ANSWERS_FILE, ANSWER)
            mend_end(folder / BATCHES_FILE, BATCH)
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
        writer.canary, writer.answers, writer.batches = journal.canary, journal.answers, journal.batches
        writer.beside = journal.beside
        return writer

    def _start(self, folder: Path, header: JournalHeader, secrets: Sequence[str], lock: "BaseFileLock") -> None:
        self.folder = folder
        self.header = header
        self._secrets = tuple(secrets)
        self._lock = lock
        self._open = ExitStack()
        self._runs = self._open.enter_context(LineFile(folder / JOURNAL_FILE, ENTRY, dump_entry))
        self._answers: LineFile[KeptAnswer] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()
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
        return self._runs.add(entry).run

    def keep_answer(self, answer: KeptAnswer) -> KeptAnswer:
        """Keep what a model outside the runs answered and give it back as it was kept, credentials masked."""
        if self._answers is None:
            self._answers = self._open.enter_context(LineFile(self.folder / ANSWERS_FILE, ANSWER))
        return self._answers.add(replace(answer, completion=blacken_completion(answer.completion, self._secrets)))

    def keep_batch(self, batch: KeptBatch) -> None:
        """Keep which message batch was submitted, so that another process can fetch it."""
        with LineFile(self.folder / BATCHES_FILE, BATCH) as batches:
            batches.add(batch)

    def finish(self, end: JournalEnd) -> None:
        """Say how the run ended; without this the folder counts as a killed run."""
        _write_whole(self.folder / END_FILE, sealed(END.dump_json(end, indent=2)))

    def keep_canary(self, canary: Canary) -> Canary:
        """Keep what the probe showed, in place of what was known before, and give it back as it was kept."""
        self.canary = blacken_canary(canary, self._secrets)
        _write_whole(self.folder / CANARY_FILE, sealed(CANARY.dump_json(self.canary, indent=2)))
        return self.canary

    def keep_beside(self, beside: JudgedBeside) -> JudgedBeside:
        """Keep what the judge is shown of a baseline and give it back as it was kept; what is kept already stays."""
        if self.beside is None:
            outputs = tuple(replace(one, text=blacken(one.text, self._secrets)) for one in beside.outputs)
            self.beside = replace(beside, outputs=outputs)
            _write_whole(self.folder / BESIDE_FILE, sealed(BESIDE.dump_json(self.beside, indent=2)))
        return self.beside


def _write_whole(file: Path, content: bytes) -> None:
    half = file.with_name(f"{file.name}.tmp")
    half.write_bytes(content + b"\n")
    half.replace(file)
