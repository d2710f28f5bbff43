"""Several saved results over time."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from skill_evaluator.results.measures import Metric, Note

Kind = Literal["run", "suite"]


@dataclass(frozen=True, kw_only=True, slots=True)
class TrendPoint:
    """One saved result on a line.

    Attributes:
        file: As the user named it.
        timestamp: When it was measured, ISO 8601 in UTC.
        versions: The skill's version, or those of the plugins.
        sha256: Hash of the skill's files, or None for a suite, whose result keeps none.
        verdict: Of a report, or None for a suite.
        metrics: By name; without those that cannot be held against the line's newest result.
        apart: Why some metrics are left out: codes as of `MetricChange.why`.
    """

    file: str
    timestamp: str
    versions: tuple[str, ...]
    metrics: Mapping[str, Metric]
    sha256: str | None = None
    verdict: str | None = None
    apart: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class TrendLine:
    """Results that measured the same thing the same way, oldest first.

    Attributes:
        kind: Reports of `run`, or results of eval suites.
        subject: The skill, or the plugins of the suite.
        agent: Who was asked, in the newest.
        model: The model asked for in the newest, or None where it names none.
        is_estimate: Whether no model was asked.
        threshold: What passes, in the newest: lowest F1, share of right outputs or score of a case.
        points: At least one.
    """

    kind: Kind
    subject: str
    agent: str
    model: str | None
    is_estimate: bool
    threshold: float
    points: tuple[TrendPoint, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class LeftOut:
    """A result that is on no line, and why."""

    file: str
    subject: str
    timestamp: str
    why: tuple[Note, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Trend:
    """Several saved results over time.

    Attributes:
        lines: By kind and subject, estimates last.
        left_out: What cannot be held against the others, in the order of time.
    """

    lines: tuple[TrendLine, ...] = field(default=())
    left_out: tuple[LeftOut, ...] = field(default=())
