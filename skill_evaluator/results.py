"""What a report is made of: plain values, worked out once, read by every renderer.

Everything a later comparison needs is here, so a saved report can serve as a baseline. Texts that a
reader sees are `Note`s (a code and its values), worded per language by `report`.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from skill_evaluator.model import (
    AgentInfo,
    Aspect,
    Failure,
    Finding,
    JsonObject,
    Split,
    ToolCall,
    Usage,
    Verdict,
)

SCHEMA_VERSION = 2
MAX_RUNS = 1_000  # repetitions of one case; more is a slip of the keyboard

Unit = Literal["ratio", "s", "tokens", "usd"]
FailOn = Literal["significant", "marked", "never"]


class ReportVerdict(StrEnum):
    """The answer of a whole report; the first that applies, in this order, but ESTIMATE for the embedded agent."""

    INVALID = "INVALID"
    DRAFT = "DRAFT"
    FAIL = "FAIL"
    UNSTABLE = "UNSTABLE"
    PASS = "PASS"  # noqa: S105 - a verdict, no password
    ESTIMATE = "ESTIMATE"


class RunState(StrEnum):
    """How one run ended; `UNKNOWN` ran but nothing says whether the skill fired."""

    TRIGGERED = "triggered"
    NOT_TRIGGERED = "not_triggered"
    ERROR = "error"
    UNKNOWN = "unknown"


class Change(StrEnum):
    """The seed's mark for a metric against a baseline."""

    REGRESSED = "regressed"
    UNCHANGED = "unchanged"
    IMPROVED = "improved"
    NOT_COMPARABLE = "not_comparable"


@dataclass(frozen=True, kw_only=True, slots=True)
class Interval:
    """A 95 % interval."""

    low: float
    high: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Metric:
    """One number and how far it can be trusted.

    Attributes:
        name: As in docs/metrics.md.
        value: Unrounded and finite, or None where it is undefined.
        interval: 95 % interval, or None where there is none.
        numerator: Count on top, or None where the metric is no share.
        denominator: How many cases or runs the value covers, or None where that means nothing.
        unit: What `value` counts; ratios are 0..1.
        higher_is_better: Direction for comparisons.
    """

    name: str
    value: float | None
    interval: Interval | None = None
    numerator: int | None = None
    denominator: int | None = None
    unit: Unit = "ratio"
    higher_is_better: bool = True

    def __post_init__(self) -> None:
        if self.value is not None and not math.isfinite(self.value):
            raise ValueError(f"metric {self.name!r} is {self.value}; an undefined metric is None")


@dataclass(frozen=True, kw_only=True, slots=True)
class Note:
    """Something to tell the reader: a stable snake_case code and the facts to word it with."""

    code: str
    values: JsonObject = field(default_factory=dict)


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


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseResult:
    """One case over all its repetitions.

    Attributes:
        planned_runs: Repetitions asked for.
        valid_runs: Those that ended as triggered or not triggered.
        triggered_runs: Those of the valid ones that triggered.
        decision: Majority of the valid runs; a tie is decided against the skill; None without a valid run.
        fluctuation: Share of the valid runs off the majority, 0..0.5; None without a valid run.
        successes: Valid runs that are right in every respect: trigger, and on a positive every check that ran.
        aspects: For a positive whose decision is to trigger: whether the majority of its valid runs passed every
            check of that aspect. An aspect that has no check, or whose checks could not look, is absent.
        runs: By repetition.
    """

    id: str
    split: Split
    expect_trigger: bool
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


@dataclass(frozen=True, kw_only=True, slots=True)
class Confusion:
    """Cases by expectation and decision; `unmeasured` have no valid run and stand in no other field."""

    true_positives: int
    false_negatives: int
    false_positives: int
    true_negatives: int
    unmeasured: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class TagResult:
    """The cases of one tag in one split."""

    confusion: Confusion
    metrics: Mapping[str, Metric]


@dataclass(frozen=True, kw_only=True, slots=True)
class SplitResult:
    """All numbers of one split.

    Attributes:
        confusion: By case.
        metrics: precision, recall, f1, false_trigger_rate, output_pass_rate, params_pass_rate, tool_order_pass_rate,
            pass_hat_k, input_tokens, output_tokens, cost_usd: always all of them, by name.
        run_metrics: precision, recall, f1, false_trigger_rate over single runs.
        do_nothing: The same four for a skill that never fires.
        error_shares: `positive` and `negative`: runs that are errors, of the runs planned for that class.
        unstable_share: Cases with a fluctuation above 0.10, of the measured ones.
        spread: f1, recall, false_trigger_rate: highest minus lowest value over the repetitions; None if undefined.
        tags: By tag.
    """

    confusion: Confusion
    metrics: Mapping[str, Metric]
    run_metrics: Mapping[str, Metric]
    do_nothing: Mapping[str, Metric]
    error_shares: Mapping[str, Metric]
    unstable_share: Metric
    spread: Mapping[str, float | None]
    tags: Mapping[str, TagResult] = field(default_factory=dict)


FailureSort = Literal["missed", "false_trigger", "output", "params", "tool_order", "unmeasured"]


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


@dataclass(frozen=True, kw_only=True, slots=True)
class MetricChange:
    """One metric of this report beside the baseline's.

    Attributes:
        new: This report's value, None if undefined.
        old: The baseline's value, None if undefined.
        difference: In points (0..1) for rates, as a share of `old` for times, tokens and costs; new minus old;
            None unless both are defined.
        mark: The seed's rule; NOT_COMPARABLE where `why` says so.
        why: Codes of what differs (`split_hash`, `checks`, `agent`, `model`, `runs`,
            `undefined`), empty when comparable.
    """

    name: str
    new: float | None
    old: float | None
    difference: float | None
    mark: Change
    unit: Unit = "ratio"
    why: tuple[str, ...] = ()


class Evidence(StrEnum):
    """What the same questions, asked of both versions, say of a rate."""

    REGRESSED = "regressed"
    IMPROVED = "improved"
    WITHIN_NOISE = "within_noise"
    TOO_FEW = "too_few"


@dataclass(frozen=True, kw_only=True, slots=True)
class PairedChange:
    """One rate over the questions that both reports measured.

    Attributes:
        cases: Questions that enter the rate in at least one of the reports.
        difference: New minus old, -1..1: over single runs for precision, recall, F1 and false-trigger rate, else as
            the rate itself is defined.
        interval: 95 % interval of the difference; None with too few questions, and where all resamples agree.
        gate_interval: The wider one that can stop a build, see `PairedResult.gate_level`; None with the other.
        evidence: What `interval` shows.
    """

    cases: int
    difference: float
    interval: Interval | None
    gate_interval: Interval | None
    evidence: Evidence


@dataclass(frozen=True, kw_only=True, slots=True)
class PairedResult:
    """One split of two reports, question by question; ids are those of this report, in its order.

    Attributes:
        shared: Questions that both reports ask.
        only_new: Cases of this report that the baseline does not have.
        only_old: How many cases of the baseline this report does not have.
        unmeasured: Shared cases without a valid run in one of the reports; they are in nothing below.
        worsened: Cases that were decided rightly and no longer are.
        improved: Cases that were decided wrongly and no longer are.
        mcnemar_p: Two-sided mid-p value of these flips; None where nothing flipped.
        gate_level: Confidence of the intervals that can stop a build, above 0.95 as several rates are looked at.
        changes: By rate; one that is undefined in a report is absent.
    """

    shared: int
    only_new: tuple[str, ...]
    only_old: int
    unmeasured: tuple[str, ...]
    worsened: tuple[str, ...]
    improved: tuple[str, ...]
    mcnemar_p: float | None
    gate_level: float
    changes: Mapping[str, PairedChange]


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """This report against an earlier one.

    Attributes:
        old_version: How the baseline names its skill version.
        new_version: How this report names its own.
        old_sha256: Hash of the baseline's skill files.
        mark: The seed's rule over all comparable acceptance metrics: regressed if any is, unchanged if all are,
            else improved; NOT_COMPARABLE if none is comparable.
        changes: By split, acceptance first; the order of docs/metrics.md. Latency is in `Volatile`.
        notes: What the reader must know before believing the table.
        paired: By split, the same questions side by side; empty where agent, model or number of runs differ, and where
            this report has no score.
        shared_only: Whether both sides of `changes` were worked out again over the shared cases alone.
        fail_on: Which regressions were asked to stop a build.
        stops: Acceptance rates that do.
    """

    old_version: str
    new_version: str
    old_sha256: str
    old_timestamp: str
    mark: Change
    changes: Mapping[Split, tuple[MetricChange, ...]]
    notes: tuple[Note, ...] = ()
    paired: Mapping[Split, PairedResult] = field(default_factory=dict)
    shared_only: bool = False
    fail_on: FailOn = "never"
    stops: tuple[str, ...] = ()


class CanaryState(StrEnum):
    """Whether the way to the agent was shown to work before anything was scored."""

    NOT_NEEDED = "not_needed"
    SKIPPED = "skipped"
    UNFINISHED = "unfinished"
    PASSED = "passed"
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True, slots=True)
class Canary:
    """What the probe skill showed.

    Attributes:
        state: NOT_NEEDED for agents that ask nobody, SKIPPED by `--no-canary`, UNFINISHED where the run was stopped
            before the probe had answered.
        faults: What went wrong, when it failed; the deciding one first.
        listing_checked: Whether the agent says which skills it offers, so that the target was looked for among them.
    """

    state: CanaryState = CanaryState.NOT_NEEDED
    faults: tuple[Note, ...] = ()
    listing_checked: bool = False


class Cause(StrEnum):
    """What several failed tuning cases have in common."""

    MISSED_WORDS = "missed_words"
    ANSWERED_DIRECTLY = "answered_directly"
    SIBLING_FIRED = "sibling_fired"
    FALSE_TRIGGERS = "false_triggers"
    FIELDS = "fields"
    OUTPUT = "output"
    TOOLS = "tools"


@dataclass(frozen=True, kw_only=True, slots=True)
class Suggestion:
    """One thing to try in the skill, worked out from tuning cases alone; nobody applies it but its author.

    Attributes:
        round: 1..3; a later round looks at what no earlier one explains.
        cases: Ids of the failed tuning cases it rests on, sorted; never empty.
        samples: The inputs of up to three of them.
        analysis: What they have in common.
        proposal: What to change, naming at most five words.
    """

    round: int
    cause: Cause
    cases: tuple[str, ...]
    samples: tuple[str, ...]
    analysis: Note
    proposal: Note


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

    def __post_init__(self) -> None:
        if not (1 <= self.runs <= MAX_RUNS and self.seed >= 0 and 0 <= self.pass_threshold <= 1):
            raise ValueError(f"runs 1..{MAX_RUNS}, a seed >= 0 and a threshold 0..1 are possible, not {self}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Volatile:
    """All that differs between two equal runs.

    Attributes:
        latency: latency_p50 and latency_p95 in seconds, by split.
        comparison: The same compared with the baseline; empty without one.
        duration_s: Wall time of the whole run.
        concurrency: Runs that were under way at once.
        calls: Questions put to the agent, the canary's and retries counted; None where that is not known.
        retries: Those of them that repeated a failed call, or None.
        run_dir: Folder of the journal, or None.
        run_dir_sha256: Hash of the journal in it, or None.
        output_dir: Where the report was to be written, or None.
        skill_path: SKILL.md as given.
        testset_path: The test set as given.
        baseline_path: The baseline as given, or None.
        host: Python, platform and versions of the numeric packages.
    """

    latency: Mapping[Split, Mapping[str, Metric]]
    skill_path: str
    testset_path: str
    concurrency: int
    duration_s: float | None = None
    calls: int | None = None
    retries: int | None = None
    comparison: Mapping[Split, tuple[MetricChange, ...]] = field(default_factory=dict)
    run_dir: str | None = None
    run_dir_sha256: str | None = None
    output_dir: str | None = None
    baseline_path: str | None = None
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
    comparison: Comparison | None = None
    evaluator_version: str = "0.1.0"
    schema_version: int = SCHEMA_VERSION
