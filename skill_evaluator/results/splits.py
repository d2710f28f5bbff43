"""All numbers of one split."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from skill_evaluator.model import Severity
from skill_evaluator.results.measures import Metric


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
    """The cases of one tag in one split.

    Attributes:
        confusion: By case.
        metrics: precision, recall, f1, false_trigger_rate; and output_pass_rate where there are cases that do not say
            whether the skill should fire, over these.
    """

    confusion: Confusion
    metrics: Mapping[str, Metric]


@dataclass(frozen=True, kw_only=True, slots=True)
class FiredCount:
    """How often one skill fired where another, or the same, was expected.

    Attributes:
        expected: The skill under test for a positive, the expected sibling for a negative that names one, else None.
        fired: The first skill invoked, None where none was.
        runs: Valid runs, >= 1.
    """

    expected: str | None
    fired: str | None
    runs: int


@dataclass(frozen=True, kw_only=True, slots=True)
class AssertionTally:
    """What one kind of assertion found in the cases that are judged by their output alone.

    Attributes:
        assertion: Its name; a case that has several of that name passed where it passed all of them.
        severity: `hard` decides, `report` is only shown.
        pass_rate: Cases that passed it in most of their valid runs, of those that are decided; a tie is a failure.
        undecided: Cases that are not, since what the check could not decide might turn it.
        codes: Cases in which it failed with that code, in at least one run; a case may have several codes.
    """

    assertion: str
    severity: Severity
    pass_rate: Metric
    undecided: int
    codes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class SplitResult:
    """All numbers of one split.

    Cases that do not say whether the skill should fire are in no number about triggers.

    Attributes:
        confusion: By case.
        metrics: precision, recall, f1, false_trigger_rate, output_pass_rate, params_pass_rate, tool_order_pass_rate,
            judged_pass_rate, expected_skill_rate, rubric_pass_rate, pass_hat_k, input_tokens, output_tokens, cost_usd:
            always all of them, by name.
        run_metrics: precision, recall, f1, false_trigger_rate over single runs.
        do_nothing: The same four for a skill that never fires.
        error_shares: `positive` and `negative`: runs that are errors, of the runs planned for that class; and
            `output_only` where there are cases that do not say whether the skill should fire.
        unstable_share: Cases with a fluctuation above 0.10, of the measured ones.
        spread: f1, recall, false_trigger_rate: highest minus lowest value over the repetitions; None if undefined. And
            output_pass_rate where there are cases that do not say whether the skill should fire, over these.
        tags: By tag.
        fired: Which skill was the first to be invoked, by what was expected; in the order of both names, None last.
        rubric: By rubric item: mean of its cases' means, 1..5; empty without a judge that is fit.
        assertions: By kind of assertion, hard ones first; empty without cases that do not say whether the skill should
            fire.
    """

    confusion: Confusion
    metrics: Mapping[str, Metric]
    run_metrics: Mapping[str, Metric]
    do_nothing: Mapping[str, Metric]
    error_shares: Mapping[str, Metric]
    unstable_share: Metric
    spread: Mapping[str, float | None]
    tags: Mapping[str, TagResult] = field(default_factory=dict)
    fired: tuple[FiredCount, ...] = ()
    rubric: Mapping[str, Metric] = field(default_factory=dict)
    assertions: tuple[AssertionTally, ...] = ()
