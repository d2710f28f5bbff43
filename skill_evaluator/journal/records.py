"""What a run folder holds, as values, and how each is written as JSON."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import TypeAdapter

from skill_evaluator.model import AgentInfo, Arm, Completion, Finding, Run
from skill_evaluator.results import Canary, Config, Note, SkillInfo, TestsetInfo

JOURNAL_VERSION = 1
HEADER_FILE = "run.json"
TESTSET_FILE = "testset.json"
JOURNAL_FILE = "journal.jsonl"
END_FILE = "end.json"
CANARY_FILE = "canary.json"
ANSWERS_FILE = "answers.jsonl"
BATCHES_FILE = "batches.jsonl"
BESIDE_FILE = "beside.json"
KILLED = "kill"  # what stopped a run that could not say it

_TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


@dataclass(frozen=True, kw_only=True, slots=True)
class JournalHeader:
    """What a run folder is about: everything a report needs besides the runs and the questions.

    Attributes:
        timestamp: When the run started, ISO 8601 in UTC with a trailing Z; files are named after it.
        testset_file_sha256: Hash of the bytes in `testset.json`, 64 hex digits.
        skill_path: SKILL.md as given.
        testset_path: The test set as given.
        testset_real_path: The same without links and relative parts; None in folders that do not say it.
        prices_path: `--prices` as given, or None.
        warnings: What the readers doubted.
        notes: What the report must say besides the numbers.
        identities: What the judge must not be shown, see `Skill.identities`.
    """

    agent: AgentInfo
    skill: SkillInfo
    testset: TestsetInfo
    config: Config
    timestamp: str
    skill_path: str
    testset_path: str
    concurrency: int
    testset_file_sha256: str
    testset_real_path: str | None = None
    prices_path: str | None = None
    warnings: tuple[Finding, ...] = ()
    notes: tuple[Note, ...] = ()
    identities: tuple[str, ...] = ()
    journal_version: int = JOURNAL_VERSION

    def __post_init__(self) -> None:
        if not _TIMESTAMP.fullmatch(self.timestamp):
            raise ValueError(f"timestamp {self.timestamp!r} is not of the form 2025-11-08T14:30:00Z")


@dataclass(frozen=True, kw_only=True, slots=True)
class JournalEnd:
    """How a run ended.

    Attributes:
        duration_s: Wall time in seconds, or None where it is not known.
        stopped_by: What ended it early, such as `SIGINT`, or None.
        violations: Skill files that changed while it ran.
        calls: Questions put to the agent, the canary's and retries counted, or None where that is not known.
        retries: Those of them that repeated a failed call, or None.
        spent_usd: What all calls cost, as far as it is known; None where nothing is.
    """

    duration_s: float | None
    stopped_by: str | None = None
    violations: tuple[str, ...] = ()
    calls: int | None = None
    retries: int | None = None
    spent_usd: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class JournalEntry:
    """One line: the key that says what the run answers, and the run.

    Attributes:
        run: The last attempt.
        attempts: How often it was asked, >= 1.
        spent_usd: What all attempts cost, as far as it is known; None where nothing is.
    """

    agent: str
    model: str | None
    skill_sha256: str
    prompt_sha256: str
    arm: Arm
    index: int
    run: Run
    attempts: int = 1
    spent_usd: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class KeptAnswer:
    """What a model outside the runs answered: one line of `answers.jsonl`.

    Attributes:
        key: Hash of the model and everything it was sent, 64 hex digits.
        model: The model asked.
        completion: What came of it; failures are kept too, and asked again by whoever goes on.
    """

    key: str
    model: str
    completion: Completion


@dataclass(frozen=True, kw_only=True, slots=True)
class KeptBatch:
    """One message batch that was submitted: a line of `batches.jsonl`.

    Attributes:
        id: The batch, as the server names it.
        custom_ids: What was asked in it.
    """

    id: str
    custom_ids: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class KeptOutput:
    """One output of a baseline: what its run `index` wrote when it was asked what `prompt_sha256` is the hash of."""

    prompt_sha256: str
    index: int
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgedBeside:
    """The outputs of an earlier version that the judge sees beside those of the run; they are part of its questions.

    Attributes:
        skill: Name of the skill that was measured then, or None without a baseline.
        model: The model that answered then, or None.
        outputs: What it wrote; empty without a baseline.
    """

    skill: str | None = None
    model: str | None = None
    outputs: tuple[KeptOutput, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Journal:
    """A run folder as read.

    Attributes:
        testset: The bytes of the test set kept with the runs.
        end: None where the run was killed before it could say how it ended.
        torn: Whether a line cut short by a kill was left out.
        canary: What the probe showed before the first run.
        answers: What models outside the runs answered, in the order kept; of two with one key the later one counts.
        batches: Message batches that were submitted, in order.
        beside: What the judge was shown of a baseline; None where it was asked nothing.
    """

    path: Path
    header: JournalHeader
    testset: bytes
    entries: tuple[JournalEntry, ...]
    end: JournalEnd | None
    torn: bool = False
    canary: Canary = field(default_factory=Canary)
    answers: tuple[KeptAnswer, ...] = ()
    batches: tuple[KeptBatch, ...] = ()
    beside: JudgedBeside | None = None


HEADER = TypeAdapter(JournalHeader)
ENTRY = TypeAdapter(JournalEntry)
END = TypeAdapter(JournalEnd)
CANARY = TypeAdapter(Canary)
ANSWER = TypeAdapter(KeptAnswer)
BATCH = TypeAdapter(KeptBatch)
BESIDE = TypeAdapter(JudgedBeside)

# Of a run, what is only there where a grader looks at it, or a stand-in answered.
_EVIDENCE = ("trace", "created_files", "seen_files", "mock_calls")


def dump_entry(entry: JournalEntry) -> bytes:
    """Write a line of the journal; evidence that was not kept takes no place in it."""
    absent = {name for name in _EVIDENCE if getattr(entry.run, name) in (None, {})}
    return ENTRY.dump_json(entry, exclude={"run": absent})
