"""Finished runs on disk, one line each, so that nothing that was paid for is lost.

A run folder holds `run.json` (what was measured), `testset.json` (the questions as they were),
`journal.jsonl` (one finished run a line, appended at once), for an agent that is probed `canary.json`, and, once the
run has ended, `end.json`. What models outside the runs answered stands in `answers.jsonl`, message batches that were
submitted in `batches.jsonl`, where there are any; `beside.json` has the outputs of a baseline that the judge was shown.
Credentials are masked before a line is written, and a run is reported as it reads back from its
line: what is kept and what is shown cannot differ.
"""

from skill_evaluator.journal.reader import hash_run_folder, is_run_folder, read_end, read_header, read_journal
from skill_evaluator.journal.records import (
    ANSWERS_FILE,
    BATCHES_FILE,
    BESIDE_FILE,
    CANARY_FILE,
    END_FILE,
    HEADER_FILE,
    JOURNAL_FILE,
    JOURNAL_VERSION,
    KILLED,
    TESTSET_FILE,
    Journal,
    JournalEnd,
    JournalEntry,
    JournalHeader,
    JudgedBeside,
    KeptAnswer,
    KeptBatch,
    KeptOutput,
)
from skill_evaluator.journal.writer import JournalWriter

__all__ = [
    "ANSWERS_FILE",
    "BATCHES_FILE",
    "BESIDE_FILE",
    "CANARY_FILE",
    "END_FILE",
    "HEADER_FILE",
    "JOURNAL_FILE",
    "JOURNAL_VERSION",
    "KILLED",
    "TESTSET_FILE",
    "Journal",
    "JournalEnd",
    "JournalEntry",
    "JournalHeader",
    "JournalWriter",
    "JudgedBeside",
    "KeptAnswer",
    "KeptBatch",
    "KeptOutput",
    "hash_run_folder",
    "is_run_folder",
    "read_end",
    "read_header",
    "read_journal",
]
