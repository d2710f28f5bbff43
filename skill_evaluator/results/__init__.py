"""What a report is made of: plain values, worked out once, read by every renderer.

Everything a later comparison needs is here, so a saved report can serve as a baseline. Texts that a
reader sees are `Note`s (a code and its values), worded per language by `report`.
"""

from skill_evaluator.results.advice import Cause, Suggestion
from skill_evaluator.results.assertions import AssertionResult
from skill_evaluator.results.canary import Canary, CanaryState
from skill_evaluator.results.cases import MAX_RUNS, CaseResult, FailedCase, FailureSort, RunResult, RunState
from skill_evaluator.results.changes import (
    Change,
    Comparison,
    Evidence,
    FailOn,
    MetricChange,
    PairedChange,
    PairedResult,
)
from skill_evaluator.results.judged import (
    HIGHEST,
    LOWEST,
    Ballot,
    ControlKind,
    JudgeResult,
    Panel,
    RubricScore,
    Scored,
    TextSource,
    VoteCount,
)
from skill_evaluator.results.measures import Interval, Metric, Note, Unit
from skill_evaluator.results.report import (
    SCHEMA_VERSION,
    Config,
    Report,
    ReportVerdict,
    SkillInfo,
    TestsetInfo,
    Volatile,
)
from skill_evaluator.results.splits import AssertionTally, Confusion, FiredCount, SplitResult, TagResult

__all__ = [
    "HIGHEST",
    "LOWEST",
    "MAX_RUNS",
    "SCHEMA_VERSION",
    "AssertionResult",
    "AssertionTally",
    "Ballot",
    "Canary",
    "CanaryState",
    "CaseResult",
    "Cause",
    "Change",
    "Comparison",
    "Config",
    "Confusion",
    "ControlKind",
    "Evidence",
    "FailOn",
    "FailedCase",
    "FailureSort",
    "FiredCount",
    "Interval",
    "JudgeResult",
    "Metric",
    "MetricChange",
    "Note",
    "PairedChange",
    "PairedResult",
    "Panel",
    "Report",
    "ReportVerdict",
    "RubricScore",
    "RunResult",
    "RunState",
    "Scored",
    "SkillInfo",
    "SplitResult",
    "Suggestion",
    "TagResult",
    "TestsetInfo",
    "TextSource",
    "Unit",
    "Volatile",
    "VoteCount",
]
