"""The rows of `aggregate-result.json`, their types checked strictly; keys that are not known are passed over.

The real program adds keys with its versions, so an unknown key is no fault here, unlike in a report of `run`.
"""

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel

from skill_evaluator.model import Aborted, StandInServer, StandInTool, StandInUse
from skill_evaluator.results.suite_result import (
    CaseNumbers,
    CaseOfSuite,
    GraderOfCase,
    GraderResult,
    PartialReason,
    PluginOfSuite,
    RunOfCase,
    SuiteNumbers,
    SuiteSettings,
)


def _moment(text: str) -> str:
    """Refuse what is no moment; one without a zone would be taken for local time."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise ValueError("this is no moment such as 2026-05-01T08:43:23.665Z") from error
    if moment.tzinfo is None:
        raise ValueError("this moment has no time zone; a Z at its end says UTC")
    return text


Moment = Annotated[str, AfterValidator(_moment)]


class Row(BaseModel):
    """A JSON object of which some keys are known."""

    model_config = ConfigDict(
        strict=True, extra="ignore", frozen=True, defer_build=True, alias_generator=to_camel, allow_inf_nan=False
    )


class PluginRow(Row):
    """A plugin under test."""

    name: str
    path: str
    version: str | None = None
    problem: str | None = None

    def value(self) -> PluginOfSuite:
        """Give what the row says."""
        return PluginOfSuite(name=self.name, path=self.path, version=self.version, problem=self.problem)


class SettingsRow(Row):
    """How the suite was run."""

    root: str
    ablation: Literal["none", "with-without"]
    threshold: float
    concurrency: int
    plugins: list[PluginRow]
    case_filter: str | None = None
    tag_filters: list[str] | None = None
    model_override: str | None = None
    judge_model: str | None = None

    def value(self) -> SuiteSettings:
        """Give what the row says."""
        return SuiteSettings(
            root=self.root,
            ablation=self.ablation,
            threshold=self.threshold,
            concurrency=self.concurrency,
            plugins=tuple(plugin.value() for plugin in self.plugins),
            case_filter=self.case_filter,
            tag_filters=None if self.tag_filters is None else tuple(self.tag_filters),
            model=self.model_override,
            judge_model=self.judge_model,
        )


class GraderRow(Row):
    """A grader as its case defines it."""

    name: str
    type: str
    weight: float | None
    config: dict[str, object]
    grader_markdown: str | None = None

    def value(self) -> GraderOfCase:
        """Give what the row says."""
        return GraderOfCase(
            name=self.name, type=self.type, weight=self.weight, config=self.config, markdown=self.grader_markdown
        )


class VerdictRow(Row):
    """What a grader found in one run."""

    name: str
    passed: bool
    weight: float | None
    explanation: str
    with_only: bool = False
    scored: bool = True
    judge_votes: list[bool] | None = None
    evidence: str | None = None

    def value(self) -> GraderResult:
        """Give what the row says."""
        return GraderResult(
            name=self.name,
            passed=self.passed,
            weight=self.weight,
            explanation=self.explanation,
            is_with_only=self.with_only,
            is_scored=self.scored,
            judge_votes=None if self.judge_votes is None else tuple(self.judge_votes),
            evidence=self.evidence,
        )


class AbortedRow(Row):
    """Which stand-in ended a run."""

    server: str
    tool: str
    reason: str


class ToolRow(Row):
    """A tool of a stand-in."""

    tool: str
    responder: Literal["fixed", "agent"]


class ServerRow(Row):
    """A server as a run saw it."""

    server: str
    kind: Literal["shadow", "standalone"]
    withheld: bool = False
    replay_pinned: int = 0
    tools: list[ToolRow]

    def value(self) -> StandInServer:
        """Give what the row says."""
        tools = tuple(StandInTool(tool=tool.tool, responder=tool.responder) for tool in self.tools)
        return StandInServer(
            server=self.server,
            kind=self.kind,
            is_withheld=self.withheld,
            replay_pinned=self.replay_pinned,
            tools=tools,
        )


class UnmockedRow(Row):
    """A tool that was called though nothing stands in for it."""

    tool: str
    count: int


class ReplayRow(Row):
    """Calls answered from recordings."""

    hits: int = 0
    misses: int = 0


class CallsRow(Row):
    """Calls to stand-ins."""

    total: int
    errors: int
    unmocked: list[UnmockedRow] = Field(default_factory=list)
    cost_usd: float = 0.0
    replay: ReplayRow = Field(default_factory=ReplayRow)


class MocksRow(Row):
    """What became of the stand-ins of a run."""

    servers: list[ServerRow]
    warnings: list[str] = Field(default_factory=list)
    calls: CallsRow

    def value(self) -> StandInUse:
        """Give what the row says."""
        calls = self.calls
        return StandInUse(
            servers=tuple(server.value() for server in self.servers),
            warnings=tuple(self.warnings),
            total=calls.total,
            errors=calls.errors,
            unmocked=tuple((row.tool, row.count) for row in calls.unmocked),
            cost_usd=calls.cost_usd,
            replay_hits=calls.replay.hits,
            replay_misses=calls.replay.misses,
        )


class RunRow(Row):
    """One run with what its graders found."""

    score: float | None
    passed: bool
    turns: int = 0
    cost_usd: float = 0.0
    judge_cost_usd: float = 0.0
    duration_seconds: float | None = None
    started_at: Moment | None = None
    error: str | None = None
    aborted: AbortedRow | None = None
    trace_path: str = ""
    skipped_paid_graders: bool = False
    graders: list[VerdictRow]
    mocks: MocksRow | None = None

    def value(self, *, is_api_error: bool | None) -> RunOfCase:
        """Give what the row says, and what the file says of it elsewhere."""
        return RunOfCase(
            score=self.score,
            passed=self.passed,
            turns=self.turns,
            cost_usd=self.cost_usd,
            judge_cost_usd=self.judge_cost_usd,
            duration_s=self.duration_seconds,
            started_at=None if self.started_at is None else datetime.fromisoformat(self.started_at),
            error=self.error,
            is_api_error=is_api_error,
            aborted=None if self.aborted is None else Aborted(**self.aborted.model_dump()),
            trace_path=self.trace_path,
            skipped_paid_graders=self.skipped_paid_graders,
            graders=tuple(grader.value() for grader in self.graders),
            stand_ins=None if self.mocks is None else self.mocks.value(),
        )


class ArmsRow(Row):
    """The runs of a case."""

    with_: list[RunRow] = Field(alias="with")
    without: list[RunRow] | None = None


class CaseNumbersRow(Row):
    """A case over its runs."""

    score: float | None
    pass_rate: float
    score_without: float | None = None
    pass_rate_without: float | None = None
    delta: float | None = None


class CaseRow(Row):
    """One case."""

    name: str
    dir: str
    source: Literal["prose", "case_yaml", "mixed"]
    prompt_markdown: str
    runs_per_case: int
    timeout_seconds: int
    max_turns: int
    model: str | None = None
    advisories: list[str] = Field(default_factory=list)
    graders: list[GraderRow]
    arms: ArmsRow
    aggregates: CaseNumbersRow

    def value(self, with_runs: tuple[RunOfCase, ...], without_runs: tuple[RunOfCase, ...] | None) -> CaseOfSuite:
        """Give what the row says, around runs that were read already."""
        return CaseOfSuite(
            name=self.name,
            folder=self.dir,
            source=self.source,
            prompt=self.prompt_markdown,
            runs_per_case=self.runs_per_case,
            timeout_s=self.timeout_seconds,
            max_turns=self.max_turns,
            graders=tuple(grader.value() for grader in self.graders),
            with_plugin=with_runs,
            without_plugin=without_runs,
            numbers=CaseNumbers(**self.aggregates.model_dump()),
            model=self.model,
            advisories=tuple(self.advisories),
        )


class SuiteNumbersRow(Row):
    """The suite over its cases."""

    cases_total: int
    cases_passed: int
    overall_score: float | None
    overall_pass_rate: float
    mean_delta: float | None = None

    def value(self) -> SuiteNumbers:
        """Give what the row says."""
        return SuiteNumbers(
            cases_total=self.cases_total,
            cases_passed=self.cases_passed,
            score=self.overall_score,
            pass_rate=self.overall_pass_rate,
            mean_delta=self.mean_delta,
        )


class ResultRow(Row):
    """The whole file, our own block aside."""

    claude_version: str
    started_at: Moment
    duration_seconds: float
    cost_usd: float
    partial: bool
    partial_reason: PartialReason | None = None
    suite: SettingsRow
    cases: list[CaseRow]
    aggregates: SuiteNumbersRow

    @model_validator(mode="after")
    def _is_told_why(self) -> Self:
        if self.partial is not (self.partial_reason is not None):
            raise ValueError("`partial` is true exactly where `partialReason` says why")
        return self
