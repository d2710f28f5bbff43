"""This report against an earlier one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from skill_evaluator.model import Split
from skill_evaluator.results.measures import Interval, Note, Unit

FailOn = Literal["significant", "marked", "never"]


class Change(StrEnum):
    """The seed's mark for a metric against a baseline."""

    REGRESSED = "regressed"
    UNCHANGED = "unchanged"
    IMPROVED = "improved"
    NOT_COMPARABLE = "not_comparable"


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
            `judge`, `undefined`), empty when comparable.
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
