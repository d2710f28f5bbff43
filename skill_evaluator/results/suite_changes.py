"""The answer of a suite against an earlier one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from skill_evaluator.results.changes import Change, FailOn, MetricChange, PairedChange
from skill_evaluator.results.measures import Note

Flip = Literal["worsened", "improved"]


@dataclass(frozen=True, kw_only=True, slots=True)
class SuiteSide:
    """What was measured on one side.

    Attributes:
        plugins: Name and version of each plugin under test.
        started_at: When, as ISO 8601 in UTC.
        program: The agent and the version of its program.
        model: The model asked for on the command line and the models that were used, or None where neither is known.
        cases: How many cases were loaded.
    """

    plugins: tuple[str, ...]
    started_at: str
    program: str
    model: str | None
    cases: int


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseChange:
    """One case that both answers have.

    Attributes:
        name: As the later answer names it.
        folder: Its folder.
        new_score, old_score: With the plugin; None where unknown.
        new_delta, old_delta: What the plugin adds; None where the arms cannot be compared.
        new_fired, old_fired: In how many of the runs that tell the skill fired, as (fired, valid).
        is_changed: Whether prompt, graders, model or limits are not the same on both sides, so that its scores say
            nothing of the plugin.
        flip: Whether it no longer reaches the threshold, or does now; None where neither, or where that cannot be held
            against each other.
    """

    name: str
    folder: str
    new_score: float | None
    old_score: float | None
    new_delta: float | None
    old_delta: float | None
    new_fired: tuple[int, int]
    old_fired: tuple[int, int]
    is_changed: bool = False
    flip: Flip | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class SuiteComparison:
    """The answer of a suite against an earlier one.

    Attributes:
        new, old: What was measured on either side.
        differs: Codes of what differs and forbids some comparison, see docs/metrics.md.
        mark: The rule over all comparable metrics but `delta`; NOT_COMPARABLE if none is comparable.
        changes: score, delta, pass_share, precision, recall, f1, false_trigger_rate, in this order.
        cases: Cases that both have, in the order of the later answer.
        only_new, only_old: Folders of cases that only one side has.
        mcnemar_p: Two-sided mid-p value of the flips; None where nothing flipped.
        gate_level: Confidence of the intervals that can stop a build.
        paired: By number, over the unchanged cases that both have; empty where nothing can be compared.
        notes: What the reader must know before believing the table.
        shared_only: Whether both sides of `changes` were worked out again over the unchanged shared cases.
        fail_on: Which regressions were asked to stop a build.
        stops: Numbers that do.
    """

    new: SuiteSide
    old: SuiteSide
    differs: tuple[str, ...]
    mark: Change
    changes: tuple[MetricChange, ...]
    cases: tuple[CaseChange, ...]
    only_new: tuple[str, ...]
    only_old: tuple[str, ...]
    mcnemar_p: float | None
    gate_level: float
    paired: Mapping[str, PairedChange] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    shared_only: bool = False
    fail_on: FailOn = "never"
    stops: tuple[str, ...] = ()
