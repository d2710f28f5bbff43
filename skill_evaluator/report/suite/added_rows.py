"""The rows of the block that this product adds, their types checked strictly."""

from pydantic import Field

from skill_evaluator.report.suite.rows import Row
from skill_evaluator.results import Confusion, Interval, Metric
from skill_evaluator.results.suite_result import CaseStability, SuiteMeasures


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


class TriggerRow(Row):
    """Did the skill fire when it should."""

    true_positives: int
    false_negatives: int
    false_positives: int
    true_negatives: int
    unmeasured: int
    without_claim: int
    error_runs: int
    never_fired: bool
    by_case: RatesRow
    by_run: RatesRow


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
    trigger: TriggerRow
    score: MetricRow | None
    delta: MetricRow | None
    positive_score: float | None
    negative_score: float | None
    unstable: bool | None
    cases: list[StabilityRow]
    api_errors: list[ApiErrorRow] = Field(default_factory=list)
    notes: list[str]

    def value(self) -> SuiteMeasures:
        """Give what the block says."""
        trigger = self.trigger
        return SuiteMeasures(
            version=self.version,
            agent=self.agent,
            counts=Confusion(
                true_positives=trigger.true_positives,
                false_negatives=trigger.false_negatives,
                false_positives=trigger.false_positives,
                true_negatives=trigger.true_negatives,
                unmeasured=trigger.unmeasured,
            ),
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
            notes=tuple(self.notes),
        )
