"""How many assertions passed, failed and stay undecided, added up one pair at a time."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from skill_evaluator.model import Finding, Severity
from skill_evaluator.results.assertions import AssertionResult


@dataclass(frozen=True, kw_only=True, slots=True)
class AssertionCounts:
    """What became of some assertions; their sum is how many were looked at."""

    passed: int = 0
    failed: int = 0
    undecided: int = 0

    def __add__(self, other: "AssertionCounts") -> "AssertionCounts":
        return AssertionCounts(
            passed=self.passed + other.passed,
            failed=self.failed + other.failed,
            undecided=self.undecided + other.undecided,
        )

    @property
    def total(self) -> int:
        """How many were looked at."""
        return self.passed + self.failed + self.undecided


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckSummary:
    """What a check of translations came to.

    Attributes:
        pairs: Cases with a candidate.
        without_candidate: Cases without.
        without_case: Candidates without.
        assertions: By name and severity; only those that were looked at, sorted.
    """

    pairs: int
    without_candidate: int
    without_case: int
    assertions: Mapping[tuple[str, Severity], AssertionCounts]

    def of(self, severity: Severity) -> AssertionCounts:
        """Add up the assertions of one severity."""
        return sum((counts for (_, one), counts in self.assertions.items() if one is severity), AssertionCounts())

    @property
    def is_right(self) -> bool:
        """Whether there is a pair, nothing failed that decides, and no case or candidate was without its counterpart.

        Without a single hard assertion that is so too; `of(Severity.HARD).total` tells.
        """
        return self.pairs > 0 and not (self.of(Severity.HARD).failed or self.without_candidate or self.without_case)


@dataclass(slots=True)
class Tally:
    """Adds up what a check gives."""

    _pairs: int = 0
    _unpaired: Counter[str] = field(default_factory=Counter)
    _assertions: Counter[tuple[str, Severity, bool | None]] = field(default_factory=Counter)

    def add(self, item: tuple[AssertionResult, ...] | Finding) -> None:
        """Count the results of one pair, or the lack of a counterpart."""
        if isinstance(item, Finding):
            self._unpaired[item.code] += 1
            return
        self._pairs += 1
        for one in item:
            self._assertions[one.assertion, one.severity, one.passed] += 1

    def summary(self) -> CheckSummary:
        """Give what was added so far."""
        names = sorted({(name, severity) for name, severity, _ in self._assertions})
        return CheckSummary(
            pairs=self._pairs,
            without_candidate=self._unpaired["no-candidate"],
            without_case=self._unpaired["no-case"],
            assertions=MappingProxyType({key: self._counts(*key) for key in names}),
        )

    def _counts(self, name: str, severity: Severity) -> AssertionCounts:
        passed, failed, undecided = (self._assertions[name, severity, one] for one in (True, False, None))
        return AssertionCounts(passed=passed, failed=failed, undecided=undecided)


def summarise(items: Iterable[tuple[AssertionResult, ...] | Finding]) -> CheckSummary:
    """Go through a check to its end, and keep nothing but the numbers."""
    tally = Tally()
    for item in items:
        tally.add(item)
    return tally.summary()
