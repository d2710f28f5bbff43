"""What `aggregate-result.json` holds: the answer of a whole eval suite, ours or the real program's.

Numbers are as they were worked out, never rounded; a number that JSON cannot hold is None.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from skill_evaluator.model import Aborted, JsonObject, StandInUse
from skill_evaluator.results.measures import Metric, Note
from skill_evaluator.results.splits import Confusion

SUITE_SCHEMA_VERSION = 1
PartialReason = Literal["cost_ceiling", "interrupted", "auth_failed"]


@dataclass(frozen=True, kw_only=True, slots=True)
class PluginOfSuite:
    """A plugin under test; `problem` is `manifest_invalid` where its manifest cannot be used."""

    name: str
    path: str
    version: str | None = None
    problem: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class SuiteSettings:
    """How the suite was run.

    Attributes:
        root: Absolute path of the folder at which `CaseOfSuite.folder` starts.
        ablation: Whether cases ran without the plugin too, unless they say otherwise.
        threshold: Score from which a case passes.
        concurrency: Runs under way at once.
        plugins: The plugins under test.
        case_filter, tag_filters, model, judge_model: As given on the command line; None where not given.
    """

    root: str
    ablation: Literal["none", "with-without"]
    threshold: float
    concurrency: int
    plugins: tuple[PluginOfSuite, ...] = ()
    case_filter: str | None = None
    tag_filters: tuple[str, ...] | None = None
    model: str | None = None
    judge_model: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class GraderOfCase:
    """A grader as its case defines it; `config` holds the options of its type, with the real program's defaults."""

    name: str
    type: str
    weight: float | None
    config: JsonObject
    markdown: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class GraderResult:
    """What a grader found in one run.

    Attributes:
        passed: Whether it passed; one that could not look did not.
        explanation: One sentence or more.
        is_with_only: Whether only runs with the plugin could pass it.
        is_scored: Whether it counts.
        judge_votes: The three votes, or None where no judge was asked.
        evidence: What the judge was shown, or None.
    """

    name: str
    passed: bool
    weight: float | None
    explanation: str
    is_with_only: bool = False
    is_scored: bool = True
    judge_votes: tuple[bool, ...] | None = None
    evidence: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class RunOfCase:
    """One run with what its graders found.

    Attributes:
        score: 0..1; None where it cannot be worked out.
        passed: Whether the score is 1, whatever the threshold.
        error: Why it ended abnormally, or None.
        is_api_error: Whether the model's service ended it, so that it says nothing of the plugin; None where a file of
            the real program does not tell.
        trace_path: Where its trace was kept; "" where it was not.
        skipped_paid_graders: Whether the cost ceiling kept the judge from being asked.
    """

    score: float | None
    passed: bool
    turns: int = 0
    cost_usd: float = 0.0
    judge_cost_usd: float = 0.0
    duration_s: float | None = None
    started_at: datetime | None = None
    error: str | None = None
    is_api_error: bool | None = False
    aborted: Aborted | None = None
    trace_path: str = ""
    skipped_paid_graders: bool = False
    graders: tuple[GraderResult, ...] = ()
    stand_ins: StandInUse | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseNumbers:
    """A case over its runs; `score_without` and `delta` are None where the arms cannot be compared."""

    score: float | None
    pass_rate: float
    score_without: float | None = None
    pass_rate_without: float | None = None
    delta: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseOfSuite:
    """One case that was loaded.

    Attributes:
        name: Its name; several cases may share it.
        folder: Relative to the root of the suite, POSIX style.
        source: `prose` for prompt.md alone, `case_yaml` for case.yaml alone, `mixed` for both.
        prompt: What the agent was asked.
        runs_per_case: Runs of each arm that the case asks for, whatever the command line says.
        model: The model that the case asks for, or None.
        advisories: What is doubtful about it, such as a grader that cannot pass with the tools granted.
        with_plugin: Its runs with the plugin, by repetition.
        without_plugin: Its runs without; None where none was started.
    """

    name: str
    folder: str
    source: Literal["prose", "case_yaml", "mixed"]
    prompt: str
    runs_per_case: int
    timeout_s: int
    max_turns: int
    graders: tuple[GraderOfCase, ...]
    with_plugin: tuple[RunOfCase, ...]
    without_plugin: tuple[RunOfCase, ...] | None
    numbers: CaseNumbers
    model: str | None = None
    advisories: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class SuiteNumbers:
    """The suite over its cases; `mean_delta` is None where no case can be compared."""

    cases_total: int
    cases_passed: int
    score: float | None
    pass_rate: float
    mean_delta: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ClaimOfCase:
    """What a case claims of a call of the tool `Skill`, and what its runs with the plugin did.

    Attributes:
        skill: The one skill of the plugins under test that the pattern means; None for several, none, or not known.
        pattern: The `input_match` of its graders, or None for every call.
        expect_trigger: Whether the call should be made.
        fired: In how many of its valid runs it was made.
        valid: Runs that tell.
    """

    skill: str | None
    pattern: str | None
    expect_trigger: bool
    fired: int
    valid: int


@dataclass(frozen=True, kw_only=True, slots=True)
class SkillTriggers:
    """How surely one skill fires, over the claims that speak of it alone.

    Attributes:
        skill: Its name; None for claims that speak of several skills, or of none that is known.
        counts: The confusion table over those claims.
        trigger: precision, recall, f1, false_trigger_rate over them, with their intervals.
        never_fired: Whether it should have fired in valid runs, and did in none of them.
    """

    skill: str | None
    counts: Confusion
    trigger: Mapping[str, Metric]
    never_fired: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class OtherSkill:
    """Whether another skill of the plugins than those asked for was called.

    Attributes:
        cases: Folders of the cases in which one was, by the majority of the valid runs.
        of: Cases with valid runs that ask for a skill by name.
    """

    cases: tuple[str, ...]
    of: int


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseStability:
    """How steady a case is with the plugin.

    Attributes:
        name: The case.
        folder: Its folder.
        expect_trigger: Whether the skill should fire; None where no grader says. A case that makes several claims has
            here the first of them, which is one that asks for a call where there is one.
        fired: In how many of its valid runs it fired.
        valid: Runs that tell whether it fired.
        fluctuation: Share of valid runs off the majority, or None without any.
        score_min, score_max: Lowest and highest score of a graded run that was not interrupted; None without any.
        claims: All that it claims, calls that should be made first.
    """

    name: str
    folder: str
    expect_trigger: bool | None
    fired: int
    valid: int
    fluctuation: float | None
    score_min: float | None
    score_max: float | None
    claims: tuple[ClaimOfCase, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class SuiteMeasures:
    """What this product adds to the real program's numbers, under the one key `skillEvaluator`.

    Attributes:
        version: Version of this product.
        agent: Name of the agent: `claude-code` or `messages`.
        models: The models that the runs with the plugin used, as their traces name them, sorted; empty where not known.
        counts: The confusion table over the claims of cases; most cases make one.
        trigger: precision, recall, f1, false_trigger_rate over claims, with their intervals.
        trigger_by_run: The same over single runs.
        score: Mean score of the cases with a bootstrap interval over cases; None without cases.
        delta: Mean of what the plugin adds with its interval; None where no case can be compared.
        positive_score, negative_score: Mean scores of positive and of negative cases; None without any.
        error_runs: Runs with the plugin that say nothing about triggering.
        without_claim: Cases whose graders do not say whether the skill should fire.
        by_skill: The same for each skill that claims speak of, in the order of the cases.
        other_skill: Whether another skill than those asked for was called; None where not known.
        never_fired: Whether there are positive cases with valid runs, and the skill fired in none of them.
        is_unstable: Whether more than a tenth of the cases that can be told are unstable; None where none can.
        cases: Each case that was loaded, in order.
        notes: What a reader must know before believing a number; the code `told` stands for a sentence, its `text`.
    """

    version: str
    agent: str
    counts: Confusion
    trigger: Mapping[str, Metric]
    trigger_by_run: Mapping[str, Metric]
    score: Metric | None
    delta: Metric | None
    positive_score: float | None
    negative_score: float | None
    error_runs: int
    without_claim: int
    never_fired: bool
    is_unstable: bool | None
    cases: tuple[CaseStability, ...]
    notes: tuple[Note, ...] = ()
    models: tuple[str, ...] = ()
    by_skill: tuple[SkillTriggers, ...] = ()
    other_skill: OtherSkill | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class SuiteResult:
    """The answer of a suite.

    Attributes:
        claude_version: Version of the program that ran it; "" with another agent.
        measures: What this product adds; None in a file of the real program.
        refused: Folders of cases that did not load, absolute; not told by a file of the real program.
    """

    claude_version: str
    started_at: datetime
    duration_s: float
    cost_usd: float
    settings: SuiteSettings
    cases: tuple[CaseOfSuite, ...]
    numbers: SuiteNumbers
    partial_reason: PartialReason | None = None
    measures: SuiteMeasures | None = None
    refused: tuple[str, ...] = field(default=())

    @property
    def is_partial(self) -> bool:
        """Whether some run of the plan is missing."""
        return self.partial_reason is not None
