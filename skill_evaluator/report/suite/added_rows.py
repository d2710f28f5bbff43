"""The rows of the block that this product adds, their types checked strictly."""

from pydantic import Field

from skill_evaluator.report.suite.notes import known_again
from skill_evaluator.report.suite.rows import Row
from skill_evaluator.results import Confusion, Interval, Metric
from skill_evaluator.results.suite_result import CaseStability, ClaimOfCase, OtherSkill, SkillTriggers, SuiteMeasures


class MetricRow(Row):
    """One number with its 95 % interval."""

    value: float | None
    low: float | None = None
    high: float | None = None
    numerator: int | None = None
    denominator: int | None = None

    def metric(self, name: str, *, higher_is_better: bool = True) -> Metric:
        """Give what the row says."""
        known = self.low is not None and self.high is not None
        return Metric(
            name=name,
            value=self.value,
            interval=Interval(low=self.low or 0.0, high=self.high or 0.0) if known else None,
            numerator=self.numerator,
            denominator=self.denominator,
            higher_is_better=higher_is_better,
        )


class RatesRow(Row):
    """The four rates of triggering."""

    precision: MetricRow
    recall: MetricRow
    f1: MetricRow
    false_trigger_rate: MetricRow

    def metrics(self) -> dict[str, Metric]:
        """Give what the row says, by name."""
        return {
            "precision": self.precision.metric("precision"),
            "recall": self.recall.metric("recall"),
            "f1": self.f1.metric("f1"),
            "false_trigger_rate": self.false_trigger_rate.metric("false_trigger_rate", higher_is_better=False),
        }


class CountsRow(Row):
    """A confusion table."""

    true_positives: int
    false_negatives: int
    false_positives: int
    true_negatives: int
    unmeasured: int

    def counts(self) -> Confusion:
        """Give the table."""
        return Confusion(
            true_positives=self.true_positives,
            false_negatives=self.false_negatives,
            false_positives=self.false_positives,
            true_negatives=self.true_negatives,
            unmeasured=self.unmeasured,
        )


class SkillRow(CountsRow):
    """How surely one skill fires."""

    skill: str | None
    never_fired: bool
    by_case: RatesRow

    def value(self) -> SkillTriggers:
        """Give what the row says."""
        return SkillTriggers(
            skill=self.skill, counts=self.counts(), trigger=self.by_case.metrics(), never_fired=self.never_fired
        )


class OtherRow(Row):
    """Whether another skill than those asked for was called."""

    cases: list[str]
    of: int


class TriggerRow(CountsRow):
    """Did the skill fire when it should; files of earlier versions lack the last two keys."""

    without_claim: int
    error_runs: int
    never_fired: bool
    by_case: RatesRow
    by_run: RatesRow
    by_skill: list[SkillRow] = Field(default_factory=list)
    other_skill_fired: OtherRow | None = None


class ClaimRow(Row):
    """What a case claims of a call of the tool `Skill`."""

    skill: str | None
    input_match: str | None
    expect_trigger: bool
    fired: int
    valid: int

    def value(self) -> ClaimOfCase:
        """Give what the row says."""
        return ClaimOfCase(
            skill=self.skill,
            pattern=self.input_match,
            expect_trigger=self.expect_trigger,
            fired=self.fired,
            valid=self.valid,
        )


class StabilityRow(Row):
    """How steady a case is."""

    name: str
    dir: str
    expect_trigger: bool | None
    fired: int
    valid: int
    fluctuation: float | None
    score_min: float | None
    score_max: float | None
    claims: list[ClaimRow] = Field(default_factory=list)

    def value(self) -> CaseStability:
        """Give what the row says."""
        return CaseStability(
            name=self.name,
            folder=self.dir,
            expect_trigger=self.expect_trigger,
            fired=self.fired,
            valid=self.valid,
            fluctuation=self.fluctuation,
            score_min=self.score_min,
            score_max=self.score_max,
            claims=tuple(claim.value() for claim in self.claims),
        )


class ApiErrorRow(Row):
    """A run that the model's service ended: the case and the run by place, from 0."""

    case: int
    arm: str
    run: int


class AddedRow(Row):
    """The whole block."""

    version: str
    agent: str
    model: list[str] = Field(default_factory=list)
    trigger: TriggerRow
    score: MetricRow | None
    delta: MetricRow | None
    positive_score: float | None
    negative_score: float | None
    unstable: bool | None
    cases: list[StabilityRow]
    api_errors: list[ApiErrorRow] = Field(default_factory=list)
    refused: list[str] = Field(default_factory=list)
    notes: list[str]

    def value(self) -> SuiteMeasures:
        """Give what the block says."""
        trigger, other = self.trigger, self.trigger.other_skill_fired
        return SuiteMeasures(
            version=self.version,
            agent=self.agent,
            counts=trigger.counts(),
            trigger=trigger.by_case.metrics(),
            trigger_by_run=trigger.by_run.metrics(),
            score=None if self.score is None else self.score.metric("score"),
            delta=None if self.delta is None else self.delta.metric("delta"),
            positive_score=self.positive_score,
            negative_score=self.negative_score,
            error_runs=trigger.error_runs,
            without_claim=trigger.without_claim,
            never_fired=trigger.never_fired,
            is_unstable=self.unstable,
            cases=tuple(case.value() for case in self.cases),
            notes=tuple(known_again(note) for note in self.notes),
            models=tuple(self.model),
            by_skill=tuple(skill.value() for skill in trigger.by_skill),
            other_skill=None if other is None else OtherSkill(cases=tuple(other.cases), of=other.of),
        )
