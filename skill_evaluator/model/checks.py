"""Tests of a run, with their place in the score."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol, runtime_checkable

from skill_evaluator.model.asking import Completion, PlainQuestion
from skill_evaluator.model.runs import Run
from skill_evaluator.model.words import Aspect, JsonObject, Severity

VOTES = 3  # how often the judge is asked about one run by one grader; two of them decide


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


@runtime_checkable
class JudgedCheck(Protocol):
    """A test of a run that a model votes on; it says what to ask and what the votes mean, and asks nobody itself."""

    def ask(self, run: Run) -> PlainQuestion | Outcome:
        """Give what the judge is asked, `VOTES` times; or the outcome where nobody need be asked."""
        ...

    def decide(self, question: PlainQuestion, votes: Sequence[Completion]) -> Outcome:
        """Say what the votes mean."""
        ...


class GraderArm(StrEnum):
    """How a grader counts where a case is run with and without the plugin.

    `WITH_ONLY` is shown for the arm with the plugin and scored in neither; `BOTH` is scored in both, even if graders of
    its kind are left out otherwise.
    """

    WITH_ONLY = "with-only"
    BOTH = "both"


@dataclass(frozen=True, kw_only=True, slots=True)
class Grader:
    """A check with its place in the score.

    Attributes:
        name: Unique in its case.
        check: What is tested.
        aspect: The pass rate it counts towards in `run`.
        weight: Its share of a run's score in `plugin-eval`, above 0; may be infinite, as the real program has it.
        arm: How it counts in a run of two arms, or None for the rule of its type.
        severity: Whether it decides.
    """

    name: str
    check: Check | JudgedCheck
    aspect: Aspect = Aspect.OUTPUT
    weight: float = 1.0
    arm: GraderArm | None = None
    severity: Severity = Severity.HARD


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """What one grader found in one run."""

    grader: str
    aspect: Aspect
    severity: Severity
    weight: float
    outcome: Outcome
