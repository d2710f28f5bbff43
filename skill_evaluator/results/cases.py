"""One case over all its repetitions, and how it failed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from skill_evaluator.model import Aspect, CutBy, Failure, JsonObject, Split, ToolCall, Usage, Verdict
from skill_evaluator.results.judged import RubricScore

MAX_RUNS = 1_000  # repetitions of one case; more is a slip of the keyboard


class RunState(StrEnum):
    """How one run ended; `UNKNOWN` ran but nothing says whether the skill fired."""

    TRIGGERED = "triggered"
    NOT_TRIGGERED = "not_triggered"
    ERROR = "error"
    UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True, slots=True)
class RunResult:
    """One run as reported; durations are kept apart, see `Volatile`."""

    index: int
    state: RunState
    failure: Failure | None = None
    output: str | None = None
    skills_invoked: tuple[str, ...] = ()
    tool_calls: tuple[ToolCall, ...] | None = None
    usage: Usage | None = None
    verdicts: tuple[Verdict, ...] = ()
    cut_by: CutBy | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseResult:
    """One case over all its repetitions.

    Attributes:
        expect_trigger: Whether the skill should fire. None where the case does not say: then its output alone decides,
            whether the skill fired or not, and what is said below of triggers holds for a right output.
        planned_runs: Repetitions asked for.
        valid_runs: Those that ended as triggered or not triggered; with `expect_trigger` None all that did not fail.
        triggered_runs: Those of the valid ones that triggered.
        decision: Majority of the valid runs; a tie is decided against the skill; None without a valid run. With
            `expect_trigger` None: whether the output was right in most valid runs; None also where no hard check, or
            not enough of them, could decide.
        fluctuation: Share of the valid runs off the majority, 0..0.5; None without a valid run. With `expect_trigger`
            None: of the runs whose output is decided.
        successes: Valid runs that are right in every respect: trigger, and on a positive every check that ran; what a
            judge voted does not count. With `expect_trigger` None: those in which every hard check passed.
        aspects: For a positive whose decision is to trigger, and where `expect_trigger` is None: whether the majority
            of its valid runs passed every check of that aspect. An aspect that has no check, or whose checks could not
            look, is absent.
        runs: By repetition.
        expected_skill: The sibling that should fire instead, where it was installed; else None.
        right_skill: Whether it was the first skill invoked in most valid runs, a tie counting against it; None without
            `expected_skill` or without a valid run.
        rubric: By rubric item, in the order of the test set; empty without a judge that is fit.
    """

    id: str
    split: Split
    expect_trigger: bool | None
    prompt: str
    prompt_sha256: str
    sha256: str
    planned_runs: int
    valid_runs: int
    triggered_runs: int
    decision: bool | None
    fluctuation: float | None
    successes: int
    tags: tuple[str, ...] = ()
    line: int | None = None
    aspects: Mapping[Aspect, bool] = field(default_factory=dict)
    runs: tuple[RunResult, ...] = ()
    expected_skill: str | None = None
    right_skill: bool | None = None
    rubric: Mapping[str, RubricScore] = field(default_factory=dict)

    @property
    def is_right(self) -> bool | None:
        """Whether it was decided as it should be; None where it is undecided."""
        if self.decision is None or self.expect_trigger is None:
            return self.decision
        return self.decision is self.expect_trigger


FailureSort = Literal[
    "missed", "false_trigger", "wrong_skill", "output", "params", "tool_order", "judged", "rubric", "unmeasured"
]


@dataclass(frozen=True, kw_only=True, slots=True)
class FailedCase:
    """One failure with its evidence (seed rule 3): a case may have several.

    Attributes:
        input: The user's words.
        expected: What the case asks for, JSON values only; never empty.
        actual: What was seen instead, JSON values only; never empty.
    """

    id: str
    split: Split
    sort: FailureSort
    input: str
    expected: JsonObject
    actual: JsonObject

    def __post_init__(self) -> None:
        if not self.expected or not self.actual:
            raise ValueError(f"a failed case needs what was expected and what was seen: {self.id}")
