"""The same cases in two answers of a suite, and what they show side by side."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from skill_evaluator.metrics.intervals import Share
from skill_evaluator.metrics.paired import LEVEL, is_defined, paired_change
from skill_evaluator.metrics.paired_bootstrap import PairedShare
from skill_evaluator.metrics.result_measures import claims_of_case
from skill_evaluator.metrics.suite_claims import ClaimResult
from skill_evaluator.metrics.trigger import TRIGGER_RATES, TriggerRate, add_up, by_run
from skill_evaluator.results import PairedChange
from skill_evaluator.results.suite_result import CaseOfSuite, SuiteResult

# A plugin can lose in positives, in negatives or in both together, as in `metrics.paired`, and in its score.
GATE_LEVEL = 1 - 2 * (1 - LEVEL) / 4


@dataclass(frozen=True, kw_only=True, slots=True)
class SidedCase:
    """A case on one side with what came of its claims."""

    case: CaseOfSuite
    claims: tuple[ClaimResult, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class CasePair:
    """A case that both answers have."""

    new: SidedCase
    old: SidedCase

    @property
    def is_changed(self) -> bool:
        """Whether it is another measurement on either side."""
        return _definition(self.new.case) != _definition(self.old.case)


@dataclass(frozen=True, kw_only=True, slots=True)
class SuitePairing:
    """Cases of two answers by where they are, in the order of either."""

    pairs: tuple[CasePair, ...]
    only_new: tuple[CaseOfSuite, ...]
    only_old: tuple[CaseOfSuite, ...]


def pair_suites(new: SuiteResult, old: SuiteResult) -> SuitePairing:
    """Find the cases that two answers share: by folder, else by a name that is unique in both."""
    by_folder = {case.folder: case for case in old.cases}
    by_name = {name: case for name, case in _unique(old).items() if name in _unique(new)}
    pairs: list[CasePair] = []
    only_new: list[CaseOfSuite] = []
    taken: set[str] = set()
    own_folders = {case.folder for case in new.cases}
    for case in new.cases:
        found = by_folder.get(case.folder)
        if found is None and (namesake := by_name.get(case.name)) and namesake.folder not in own_folders:
            found = namesake
        if found is None:
            only_new.append(case)
        else:
            taken.add(found.folder)
            pairs.append(CasePair(new=_sided(case), old=_sided(found)))
    only_old = tuple(case for case in old.cases if case.folder not in taken)
    return SuitePairing(pairs=tuple(pairs), only_new=tuple(only_new), only_old=only_old)


def paired_numbers(pairs: Sequence[CasePair], *, left_out: frozenset[str], seed: int) -> Mapping[str, PairedChange]:
    """Hold score, delta and the rates of triggering, over single runs, against each other.

    Args:
        pairs: Unchanged cases.
        left_out: Numbers that cannot be compared.
        seed: Seeds the draw.
    """
    found = {name: [(share(pair.new), share(pair.old)) for pair in pairs] for name, share in _SHARES.items()}
    found["score"], found["delta"] = _both(found["score"]), _both(found["delta"])
    return {
        name: paired_change(shares, higher_is_better=name != "false_trigger_rate", level=GATE_LEVEL, seed=seed)
        for name, shares in found.items()
        if name not in left_out and is_defined(shares)
    }


def _both(shares: Sequence[PairedShare]) -> list[PairedShare]:
    """Keep the cases that have a value on both sides; a mean over others would be over other cases."""
    return [(new, old) for new, old in shares if new.support and old.support]


def _of_value(value: float | None) -> Share:
    return Share(0, 0, 0) if value is None else Share(value, 1, 1)


def _of_rate(rate: TriggerRate) -> Callable[[SidedCase], Share]:
    return lambda sided: rate.share(add_up(by_run(claim.told) for claim in sided.claims))


_SHARES: Mapping[str, Callable[[SidedCase], Share]] = {
    "score": lambda sided: _of_value(sided.case.numbers.score),
    "delta": lambda sided: _of_value(sided.case.numbers.delta),
    **{rate.name: _of_rate(rate) for rate in TRIGGER_RATES},
}


def _sided(case: CaseOfSuite) -> SidedCase:
    return SidedCase(case=case, claims=claims_of_case(case))


def _unique(result: SuiteResult) -> dict[str, CaseOfSuite]:
    counts = Counter(case.name for case in result.cases)
    return {case.name: case for case in result.cases if counts[case.name] == 1}


def _definition(case: CaseOfSuite) -> object:
    """All that makes a case a measurement; `config` holds what a grader does."""
    graders = [(grader.name, grader.type, grader.weight, dict(grader.config)) for grader in case.graders]
    return case.prompt, case.model, case.max_turns, case.timeout_s, graders
