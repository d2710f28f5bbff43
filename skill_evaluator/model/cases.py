"""What is asked, and what is expected."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from skill_evaluator.model.checks import Grader, JudgedCheck
from skill_evaluator.model.evidence import Needs
from skill_evaluator.model.findings import Finding, Source
from skill_evaluator.model.suites import Limits, Metadata, Setup
from skill_evaluator.model.words import Split


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
        limits: How often and how long it runs, or None where only the command line says.
        setup: What its runs need beyond the prompt, or None for nothing.
        metadata: What else its author wrote, or None.
        needs: What its graders look at beyond output and tool calls.
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
    limits: Limits | None = None
    setup: Setup | None = None
    metadata: Metadata | None = None

    @property
    def voted(self) -> tuple[Grader, ...]:
        """The graders that a model votes on; none where the skill is not to fire, and so is to make no output."""
        return tuple(one for one in self.graders if self.expect_trigger and isinstance(one.check, JudgedCheck))

    needs: Needs = field(default_factory=Needs)


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
