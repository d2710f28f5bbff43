"""What a judge model said about outputs, and how far it can be believed.

`Panel`s are what was seen; all else is worked out from them and held against them when a report is read.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from skill_evaluator.model import Failure, Usage
from skill_evaluator.results.measures import Metric, Note

LOWEST, HIGHEST = 1, 5  # of a score


class ControlKind(StrEnum):
    """A text that is no answer and must score low, else the judge cannot be believed."""

    EMPTY = "empty"
    OFF_TOPIC = "off_topic"
    ASKS_FOR_FIVE = "asks_for_five"
    LONG_OFF_TOPIC = "long_off_topic"


class TextSource(StrEnum):
    """Where a judged text came from; the judge is never told."""

    RUN = "run"
    BASELINE = "baseline"
    CONTROL = "control"


@dataclass(frozen=True, kw_only=True, slots=True)
class Scored:
    """One text as the judge scored it in one order.

    Attributes:
        source: Where the text came from.
        index: Repetition of a run, or of a baseline's run; None for a control.
        control: Kind of a control, else None.
        score: 1..5.
        reason: The judge's words.
    """

    source: TextSource
    index: int | None = None
    control: ControlKind | None = None
    score: int
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Ballot:
    """One call of the judge: every text of a panel, in the order in which they were shown; empty after a failure."""

    scores: tuple[Scored, ...] = ()
    failure: Failure | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Panel:
    """One rubric item of one case, shown in an order drawn by the seed and again in reverse.

    Attributes:
        case_id: The case.
        item: The rubric item, in the words of the test set.
        forward: What the judge said of the drawn order; None where it was not asked any more.
        backward: The same of the reversed order.
    """

    case_id: str
    item: str
    forward: Ballot | None
    backward: Ballot | None


@dataclass(frozen=True, kw_only=True, slots=True)
class RubricScore:
    """One rubric item of one case over its runs.

    Attributes:
        target: What the mean has to reach, 1..5.
        mean: Over the judged runs whose two orders agree within one point, each the mean of both; None without any.
        passed: Whether `mean` reaches `target`; None with it.
        runs: Runs that enter the mean.
        inconsistent: Runs left out, since the two orders differ by more than one point.
        baseline_mean: The same mean over the baseline's outputs, judged in the same calls; None without any.
        human: The score of a person in the test set, or None.
    """

    target: int
    mean: float | None
    passed: bool | None
    runs: int
    inconsistent: int
    baseline_mean: float | None = None
    human: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class VoteCount:
    """Votes on graders, three calls by each grader on each run.

    Attributes:
        planned: Calls there were to make.
        asked: Calls that were made.
        failed: Calls of those that failed; such a grader has no answer for that run.
        divided: Runs' verdicts whose three votes were not alike, of those with three votes.
    """

    planned: int
    asked: int
    failed: int
    divided: Metric


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgeResult:
    """A judge, and whether it can be believed.

    Attributes:
        model: The model asked.
        same_model: Whether the agent under test ran on the same model.
        fit: Whether its scores of rubrics count; where not, no rubric score is worked out.
        reasons: Why it is unfit, the deciding one first; empty for a fit judge.
        panels: Everything it said, by case in the order of the test set.
        errors: Calls that failed or gave no valid answer, of the calls asked for.
        inconsistent: Runs' scores whose two orders differ by more than one point, of those scored in both.
        controls: By kind: panels in which that control scored above 2 in either order, of those answered.
        kappa: Quadratically weighted kappa of the rounded means with the scores of people, None where it is undefined;
            numerator: items within one point, denominator: items scored by both.
        votes: What it was asked by graders that take votes.
        usage: Tokens and cost of all answered calls; a sum is None as soon as one of them does not say.
    """

    model: str
    same_model: bool
    fit: bool
    reasons: tuple[Note, ...]
    panels: tuple[Panel, ...]
    errors: Metric
    inconsistent: Metric
    controls: Mapping[ControlKind, Metric]
    kappa: Metric
    votes: VoteCount
    usage: Usage | None = None
