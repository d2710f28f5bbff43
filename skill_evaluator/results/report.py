"""Everything measured, in one value."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from skill_evaluator.model import AgentInfo, Finding, Split
from skill_evaluator.results.advice import Suggestion
from skill_evaluator.results.canary import Canary
from skill_evaluator.results.cases import MAX_RUNS, CaseResult, FailedCase
from skill_evaluator.results.changes import Comparison, MetricChange
from skill_evaluator.results.judged import JudgeResult
from skill_evaluator.results.measures import Metric, Note
from skill_evaluator.results.splits import SplitResult

SCHEMA_VERSION = 6


class ReportVerdict(StrEnum):
    """The answer of a whole report; the first that applies, in this order, but ESTIMATE for the embedded agent."""

    INVALID = "INVALID"
    DRAFT = "DRAFT"
    FAIL = "FAIL"
    UNSTABLE = "UNSTABLE"
    PASS = "PASS"  # noqa: S105 - a verdict, no password
    ESTIMATE = "ESTIMATE"


@dataclass(frozen=True, kw_only=True, slots=True)
class SkillInfo:
    """The skill as it was measured; `when_to_use` is further trigger text of its frontmatter, or None."""

    name: str
    version: str
    description: str
    sha256: str
    files: tuple[str, ...]
    when_to_use: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class TestsetInfo:
    """The test set as it was used: `split_sha256` hashes the scored cases of each split."""

    __test__ = False  # pytest collects classes by this name

    name: str
    sha256: str
    split_sha256: Mapping[Split, str]
    cases: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Config:
    """The options that can change a result."""

    runs: int
    seed: int
    pass_threshold: float
    draft: bool = False
    tags: tuple[str, ...] = ()
    case_globs: tuple[str, ...] = ()
    judge_model: str | None = None
    advise_model: str | None = None

    def __post_init__(self) -> None:
        if not (1 <= self.runs <= MAX_RUNS and self.seed >= 0 and 0 <= self.pass_threshold <= 1):
            raise ValueError(f"runs 1..{MAX_RUNS}, a seed >= 0 and a threshold 0..1 are possible, not {self}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Volatile:
    """All that differs between two equal runs.

    Attributes:
        latency: latency_p50 and latency_p95 in seconds, by split.
        comparison: The same compared with the baseline; empty without one.
        durations_s: Seconds of each run by case id, in the order of the case's runs, None where time meant nothing;
            empty where no time is known, as in reports before version 6.
        case_files: The file a case stands in by case id, as given; without those that stand in `testset_path` itself.
        duration_s: Wall time of the whole run.
        concurrency: Runs that were under way at once.
        calls: Questions put to the agent, the canary's and retries counted; None where that is not known.
        retries: Those of them that repeated a failed call, or None.
        spent_usd: What all calls cost, as far as they tell: agent with canary and retries, judge, analyst; None where
            nothing is known, or nothing was asked.
        run_dir: Folder of the journal, or None.
        run_dir_sha256: Hash of the journal in it, or None.
        output_dir: Where the report was to be written, or None.
        skill_path: SKILL.md as given.
        testset_path: The test set as given.
        baseline_path: The baseline as given, or None.
        prices_path: The table of prices as given, or None for the one shipped.
        host: Python, platform and versions of the numeric packages.
    """

    latency: Mapping[Split, Mapping[str, Metric]]
    skill_path: str
    testset_path: str
    concurrency: int
    durations_s: Mapping[str, tuple[float | None, ...]] = field(default_factory=dict)
    case_files: Mapping[str, str] = field(default_factory=dict)
    duration_s: float | None = None
    calls: int | None = None
    retries: int | None = None
    spent_usd: float | None = None
    comparison: Mapping[Split, tuple[MetricChange, ...]] = field(default_factory=dict)
    run_dir: str | None = None
    run_dir_sha256: str | None = None
    output_dir: str | None = None
    baseline_path: str | None = None
    prices_path: str | None = None
    host: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """Everything measured, in one value.

    Attributes:
        timestamp: When the run started, ISO 8601 in UTC with a trailing Z.
        reasons: Why the verdict is what it is, the deciding one first; empty for a plain PASS.
        notes: What the reader should know besides (rubric not scored, cases left out, ...).
        warnings: What the readers of the skill and the test set doubted.
        violations: Skill files that changed during the run; any fails it.
        stopped_by: What ended the run before its end, a code of docs/reports.md such as `SIGINT`; None for a whole run.
        canary: Whether the way to the agent was shown to work.
        splits: Both, acceptance first.
        cases: In the order of the test set.
        failed_cases: Acceptance first, then in the order of the test set.
        suggestions: What to try in the skill, by round; from the tuning cases alone, so none where none of them failed.
        judge: What a judge model said, or None without one.
    """

    skill: SkillInfo
    testset: TestsetInfo
    agent: AgentInfo
    config: Config
    timestamp: str
    verdict: ReportVerdict
    reasons: tuple[Note, ...]
    splits: Mapping[Split, SplitResult]
    cases: tuple[CaseResult, ...]
    failed_cases: tuple[FailedCase, ...]
    volatile: Volatile
    notes: tuple[Note, ...] = ()
    warnings: tuple[Finding, ...] = ()
    violations: tuple[str, ...] = ()
    stopped_by: str | None = None
    canary: Canary = field(default_factory=Canary)
    suggestions: tuple[Suggestion, ...] = ()
    judge: JudgeResult | None = None
    comparison: Comparison | None = None
    evaluator_version: str = "0.1.0"
    schema_version: int = SCHEMA_VERSION
