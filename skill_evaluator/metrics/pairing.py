"""Which cases of two reports ask the same question, whatever they are called in either."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from skill_evaluator.results import CaseResult

Question = tuple[str, bool | None]  # hash of what the agent is shown, and whether the skill should fire


class Pair(NamedTuple):
    """One question, as both reports answered it."""

    new: CaseResult
    old: CaseResult

    @property
    def measured(self) -> bool:
        """Whether both have a decision."""
        return self.new.decision is not None and self.old.decision is not None

    @property
    def worsened(self) -> bool:
        """Whether it was right and no longer is."""
        return self.measured and bool(self.old.is_right) and not self.new.is_right

    @property
    def improved(self) -> bool:
        """Whether it was wrong and no longer is."""
        return self.measured and bool(self.new.is_right) and not self.old.is_right


@dataclass(frozen=True, kw_only=True, slots=True)
class Pairing:
    """The cases of one split of two reports.

    Attributes:
        pairs: The questions that both ask, in the order of the new report.
        only_new: Cases of the new report that the old one does not have, in its order.
        only_old: The other way round.
    """

    pairs: tuple[Pair, ...]
    only_new: tuple[CaseResult, ...]
    only_old: tuple[CaseResult, ...]


def pair_cases(new: Sequence[CaseResult], old: Sequence[CaseResult]) -> Pairing:
    """Pair the cases that ask the same question and expect the same answer.

    A question that stands several times is paired by id first; what is left of it was renamed, and is paired in the
    order of the ids.

    Args:
        new: The cases of one split of the later report, each id once.
        old: The cases of the same split of the earlier one.
    """
    partners = dict(_partners(_by_question(new), _by_question(old)))
    taken = {case.id for case in partners.values()}
    return Pairing(
        pairs=tuple(Pair(case, partners[case.id]) for case in new if case.id in partners),
        only_new=tuple(case for case in new if case.id not in partners),
        only_old=tuple(case for case in old if case.id not in taken),
    )


def _by_question(cases: Sequence[CaseResult]) -> dict[Question, dict[str, CaseResult]]:
    found: dict[Question, dict[str, CaseResult]] = defaultdict(dict)
    for case in sorted(cases, key=lambda case: case.id):
        found[case.prompt_sha256, case.expect_trigger][case.id] = case
    return found


def _partners(
    new: dict[Question, dict[str, CaseResult]], old: dict[Question, dict[str, CaseResult]]
) -> Iterator[tuple[str, CaseResult]]:
    """The old case by the id of the new one."""
    for question in new.keys() & old.keys():
        ours, theirs = new[question], old[question]
        same = ours.keys() & theirs.keys()
        yield from ((name, theirs[name]) for name in same)
        renamed = [name for name in ours if name not in same]
        yield from zip(renamed, (case for name, case in theirs.items() if name not in same), strict=False)
