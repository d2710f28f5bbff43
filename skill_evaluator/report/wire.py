"""The JSON file of a report: its keys in order, and their types, checked strictly.

Read with pydantic because it names every fault with its path; the settings of `Wire` hold for all the
dataclasses below it.
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict

from skill_evaluator.model import AgentInfo, Finding, Split
from skill_evaluator.results import (
    Canary,
    CaseResult,
    Comparison,
    Config,
    FailedCase,
    JudgeResult,
    Note,
    Report,
    ReportVerdict,
    SkillInfo,
    SplitResult,
    Suggestion,
    TestsetInfo,
    Volatile,
)

NO_MODEL = "none"


class Wire(BaseModel):
    """A JSON object whose keys are all known."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, defer_build=True, protected_namespaces=())


class Headline(Wire):
    """The metrics of the acceptance split as plain numbers, unrounded; null is undefined.

    All are null when the verdict is INVALID.
    """

    precision: float | None
    recall: float | None
    f1: float | None
    false_trigger_rate: float | None
    output_pass_rate: float | None
    params_pass_rate: float | None
    tool_order_pass_rate: float | None
    judged_pass_rate: float | None
    expected_skill_rate: float | None
    rubric_pass_rate: float | None
    pass_hat_k: float | None
    input_tokens: float | None
    output_tokens: float | None
    cost_usd: float | None

    @classmethod
    def of(cls, report: Report) -> Self:
        """Pick the numbers out of a report."""
        acceptance = report.splits.get(Split.ACCEPTANCE)
        scored = acceptance is not None and report.verdict is not ReportVerdict.INVALID
        metrics = acceptance.metrics if acceptance and scored else {}
        return cls(**{name: metrics[name].value if name in metrics else None for name in cls.model_fields})


class Splits(Wire):
    """Both splits in full."""

    acceptance: SplitResult
    tuning: SplitResult


class ReportFile(Wire):
    """A report of `skill-evaluator run`."""

    schema_version: Literal[6]
    evaluator_version: str
    skill_name: str
    timestamp: str
    model: str
    verdict: ReportVerdict
    metrics: Headline
    reasons: tuple[Note, ...]
    failed_cases: tuple[FailedCase, ...]
    suggestions: tuple[Suggestion, ...]
    skill: SkillInfo
    testset: TestsetInfo
    agent: AgentInfo
    config: Config
    notes: tuple[Note, ...]
    warnings: tuple[Finding, ...]
    violations: tuple[str, ...]
    stopped_by: str | None
    canary: Canary
    judge: JudgeResult | None
    splits: Splits
    comparison: Comparison | None
    cases: tuple[CaseResult, ...]
    volatile: Volatile

    def report(self) -> Report:
        """Take the report back out of its file."""
        splits = {Split.ACCEPTANCE: self.splits.acceptance, Split.TUNING: self.splits.tuning}
        shared = {field.name: getattr(self, field.name) for field in fields(Report) if field.name != "splits"}
        return Report(splits=splits, **shared)


def derived(report: Report) -> Mapping[str, object]:
    """Work out the keys that stand in the file for the reader's convenience alone."""
    return {
        "skill_name": report.skill.name,
        "model": report.agent.model or NO_MODEL,
        "metrics": Headline.of(report).model_dump(),
    }
