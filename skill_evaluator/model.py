"""What is asked, who answers, and what was seen: the types every part shares.

Data goes one way: a reader makes a `Suite` of `Case`s, an `Agent` turns a case into a `Run`, a `Check`
turns a run into an `Outcome`. All values are immutable; `None` always means "not known" or "undefined".
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

# `object` stands for JSON inside mappings that are only carried along, never computed with.
JsonObject = Mapping[str, object]

CutBy = Literal["max_turns", "max_tokens"]

# Stands in an output whose middle was too long to keep.
OUTPUT_GAP = "\n[... the middle of the output was left out ...]\n"


def one_line(text: str) -> str:
    r"""Show text of others on one line of a terminal: what steers it, or turns the direction of writing, is escaped.

    >>> print(one_line("a\nFAIL forged \x1b[31m"))
    a\nFAIL forged \x1b[31m
    """
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


class Split(StrEnum):
    """What a case is for: `TUNING` feeds advice, `ACCEPTANCE` gives the score (seed rule 7)."""

    ACCEPTANCE = "acceptance"
    TUNING = "tuning"


class Arm(StrEnum):
    """Whether the skill is offered to the agent."""

    WITH = "with"
    WITHOUT = "without"


class Severity(StrEnum):
    """`HARD` decides, `REPORT` is only shown."""

    HARD = "hard"
    REPORT = "report"


class Aspect(StrEnum):
    """The pass rate a grader counts towards."""

    OUTPUT = "output"
    PARAMS = "params"
    TOOL_ORDER = "tool_order"


class Level(StrEnum):
    """`FAIL` stops the work, `WARN` is only said."""

    FAIL = "FAIL"
    WARN = "WARN"


class FailureKind(StrEnum):
    """Why a run says nothing about the skill."""

    TIMEOUT = "timeout"
    API = "api"
    AUTH = "auth"
    RATE_LIMIT = "rate_limit"
    CRASH = "crash"
    AGENT_MISSING = "agent_missing"
    SKILL_NOT_LISTED = "skill_not_listed"


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One fault or doubt about an input.

    Attributes:
        level: FAIL or WARN.
        code: Stable kebab-case name of the rule, such as `unknown-key`.
        message: What was found, what was expected, what to do; one sentence, in English.
        file: The file as the user named it, or None for an option.
        case: Id of the case, or None.
        pointer: JSON pointer (RFC 6901) or dotted YAML path inside the file, or None.
        line: 1-based line, or None.
        values: The facts in `message` by name, for wording it in another language.
    """

    level: Level
    code: str
    message: str
    file: str | None = None
    case: str | None = None
    pointer: str | None = None
    line: int | None = None
    values: JsonObject = field(default_factory=dict)

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        inner = " ".join(part for part in (f"case {self.case!r}" if self.case else "", self.pointer or "") if part)
        return one_line(": ".join(part for part in (f"{self.level} {place}".strip(), inner, self.message) if part))


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """Where a case was written down: the file and the 1-based line."""

    path: str
    line: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Skill:
    """A SKILL.md as read; nothing here is ever written back.

    Attributes:
        name: `name` of the frontmatter.
        description: `description`, with YAML folding already undone.
        body: The text below the frontmatter.
        path: The SKILL.md itself.
        sha256: Hash over the names and bytes of `files`, 64 hex digits.
        files: Skill files relative to the folder of SKILL.md, POSIX style, sorted.
        when_to_use: Further trigger text of the frontmatter, or None.
        version: `version` or `metadata.version` of the frontmatter, or None.
        triggers: Phrases the skill says it fires for, from quotes and lists; may be empty.
        non_triggers: Phrases or sentences it says it stays quiet for; may be empty.
        allowed_tools: Tool names of `allowed-tools`, or None where the key is absent.
        identities: Values of the frontmatter that tell whose skill it is (author, owner, vendor, links), as written.
    """

    name: str
    description: str
    body: str
    path: Path
    sha256: str
    files: tuple[str, ...]
    when_to_use: str | None = None
    version: str | None = None
    triggers: tuple[str, ...] = ()
    non_triggers: tuple[str, ...] = ()
    allowed_tools: tuple[str, ...] | None = None
    identities: tuple[str, ...] = ()

    @property
    def version_label(self) -> str:
        """How reports name this version: the frontmatter's version, else the start of the hash."""
        return self.version or self.sha256[:12]


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolCall:
    """One tool call of the agent, in the order made; `result` is None where it was not recorded."""

    name: str
    arguments: JsonObject = field(default_factory=dict)
    result: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Usage:
    """Tokens and money of one run; None where the agent does not report them, never 0.

    Attributes:
        input_tokens: All that were read, those out of a prompt cache counted.
        output_tokens: All that were written.
        cost_usd: Dollars.
        requests: Requests to the model that were answered; retries are not counted.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    requests: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Failure:
    """Why a run is an error: the kind, and the agent's own words."""

    kind: FailureKind
    message: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """What one agent did with one case once.

    Attributes:
        case_id: The case that was asked.
        arm: With or without the skill.
        index: Repetition, 0-based.
        triggered: Whether the target skill fired; None after a failure or where it was not recorded.
        output: The final text, or None where the agent makes none.
        raw_response: Whatever the agent said beyond `output`, or None.
        skills_invoked: All skills invoked, in order, under the names the agent used.
        tool_calls: All tool calls in order, or None where the agent calls no tools.
        failure: Set exactly when the run is an error.
        duration_s: Seconds from the start of the session, or None where time means nothing.
        usage: Tokens and cost, or None.
        skill_changes: Files of its copy of the skill that the agent changed, relative to the skill's folder, sorted.
        output_cut: Whether `output` is not whole: its middle was too long to keep, or its end was never written.
        cut_by: What ended the run before the agent came to its own end, or None.
    """

    case_id: str
    arm: Arm = Arm.WITH
    index: int = 0
    triggered: bool | None = None
    output: str | None = None
    raw_response: str | None = None
    skills_invoked: tuple[str, ...] = ()
    tool_calls: tuple[ToolCall, ...] | None = None
    failure: Failure | None = None
    duration_s: float | None = None
    usage: Usage | None = None
    skill_changes: tuple[str, ...] = ()
    output_cut: bool = False
    cut_by: CutBy | None = None

    def __post_init__(self) -> None:
        if self.failure is not None and self.triggered is not None:
            raise ValueError(f"run {self.index} of {self.case_id!r} failed, so it cannot say whether it triggered")

    @property
    def was_settled(self) -> bool:
        """Whether nothing more was asked once the skill had fired, so that output and tool calls lack their end."""
        return self.output_cut and self.cut_by is None and OUTPUT_GAP not in (self.output or "")


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What a check found in a run.

    Attributes:
        passed: True, False, or None where the check could not look (`code` says why).
        code: Machine-stable snake_case name of what was found.
        message: One English sentence.
        evidence: The facts behind it, JSON values only. Never empty when `passed` is False.
        score: 0..1, or None to mean 1 for passed and 0 for failed.
    """

    passed: bool | None
    code: str
    message: str
    evidence: JsonObject = field(default_factory=dict)
    score: float | None = None

    def __post_init__(self) -> None:
        if self.passed is False and not self.evidence:
            raise ValueError(f"a failure needs evidence: {self.code}: {self.message}")


class Check(Protocol):
    """A deterministic test of a run; it cannot reach a model."""

    def check(self, run: Run) -> Outcome:
        """Look at one run that triggered and did not fail."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Grader:
    """A check with its place in the score."""

    name: str
    check: Check
    aspect: Aspect = Aspect.OUTPUT
    weight: float = 1.0
    arm: Arm | None = None
    severity: Severity = Severity.HARD


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """What one grader found in one run."""

    grader: str
    aspect: Aspect
    severity: Severity
    weight: float
    outcome: Outcome


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """An earlier message of the conversation that a case continues."""

    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    """One question to the agent and what is expected.

    Attributes:
        id: Unique in its suite.
        prompt: The user's words, sent as they stand.
        split: Tuning or acceptance.
        expect_trigger: Whether the skill should fire, or None where the case does not say.
        graders: Checks of the output of a run that triggered; empty for most negatives.
        tags: Labels to group by, without duplicates, in the order written.
        rubric: Judged items and their target scores 1..5; empty without any.
        files: Texts that stand in the workspace before the agent starts, by relative POSIX path.
        context: Earlier turns of the conversation, oldest first; the last one is the assistant's.
        expected_skill: The sibling that should fire instead of the skill under test, or None.
        stand_ins: Names of tools that the case expects to be called, in the order first named.
        human_scores: What a person gave for rubric items, 1..5; empty without any.
        sha256: Hash of everything in the case that matters to its score, 64 hex digits.
        prompt_sha256: Hash of what the agent is shown, 64 hex digits; saved runs are found by it.
        source: Where it was written down.
    """

    id: str
    prompt: str
    split: Split
    expect_trigger: bool | None
    sha256: str
    prompt_sha256: str
    source: Source
    graders: tuple[Grader, ...] = ()
    tags: tuple[str, ...] = ()
    rubric: Mapping[str, int] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    context: tuple[Turn, ...] = ()
    expected_skill: str | None = None
    stand_ins: tuple[str, ...] = ()
    human_scores: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Suite:
    """Cases read from one place."""

    name: str
    format: str
    cases: tuple[Case, ...]
    sha256: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Loaded:
    """A reader's answer; any FAIL among the findings leaves no suite."""

    suite: Suite | None
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentInfo:
    """Who answers, as reports name it.

    Attributes:
        name: Name of the agent, such as `embedded`.
        model: The model asked, or None where there is none.
        estimate: True when no model runs, so that the verdict can only be ESTIMATE.
        settings: What else could change an answer; JSON values only.
    """

    name: str
    model: str | None = None
    estimate: bool = False
    settings: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """Something to ask a model outside the runs, answered by one forced tool call.

    Attributes:
        system: The system text.
        text: The user's message.
        tool: Name of the tool that takes the answer.
        tool_description: What the tool is said to be for.
        schema: JSON Schema of the tool's input, an object.
        max_tokens: Longest answer.
    """

    system: str
    text: str
    tool: str
    tool_description: str
    schema: JsonObject
    max_tokens: int = 4096


@dataclass(frozen=True, kw_only=True, slots=True)
class Completion:
    """What came of a question.

    Attributes:
        answer: The input of the forced tool call as the model gave it, not yet held against the schema; None after a
            failure.
        failure: Why there is none; prose in place of the call is an `api` failure.
        usage: Tokens and cost, or None.
    """

    answer: JsonObject | None = None
    failure: Failure | None = None
    usage: Usage | None = None


class Completer(Protocol):
    """A model that answers questions; the judge and the analyst ask it."""

    @property
    def model(self) -> str:
        """The model, as reports name it."""
        ...

    async def complete(self, question: Question) -> Completion:
        """Ask once; a failed call is returned with its `failure`, never raised."""
        ...


@runtime_checkable
class Connected(Protocol):
    """An agent or a completer that holds connections: entered in the event loop that asks it, and left there."""

    async def __aenter__(self) -> object:
        """Open what the calls need."""
        ...

    async def __aexit__(self, *_: object) -> None:
        """Close it."""
        ...


class Agent(Protocol):
    """Whoever is asked."""

    @property
    def info(self) -> AgentInfo:
        """How reports name this agent."""
        ...

    async def run(self, case: Case, arm: Arm, index: int) -> Run:
        """Ask one case once; a broken run is returned with its `failure`, never raised."""
        ...
