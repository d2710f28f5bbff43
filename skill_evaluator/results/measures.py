"""One number and how far it can be trusted, and what is said about it."""

import math
from dataclasses import dataclass, field
from typing import Literal

from skill_evaluator.model import JsonObject

Unit = Literal["ratio", "s", "tokens", "usd", "score"]


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
        unit: What `value` counts; ratios are 0..1, scores 1..5, kappa -1..1.
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
