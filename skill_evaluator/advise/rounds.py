"""The loop of advice: each round looks again at the failures that nothing before explains."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Protocol

from skill_evaluator.advise.evidence import TuningCase
from skill_evaluator.results import Cause, Note, Suggestion

ROUNDS = 3
MOST_WORDS = 5  # in one proposal
SAMPLES = 3
_DECISION = "decision"

Unit = tuple[str, str]  # a case and what failed in it


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """A cause of several failures.

    Attributes:
        cases: The cases it was seen in.
        explains: The failures that no further suggestion has to look at.
    """

    cause: Cause
    cases: tuple[TuningCase, ...]
    explains: frozenset[Unit]
    analysis: Note
    proposal: Note


def decision_of(case: TuningCase) -> Unit:
    """The failure of a case that was decided wrongly, whichever way."""
    return case.id, _DECISION


def about_decisions(cause: Cause, cases: Sequence[TuningCase], analysis: Note, proposal: Note) -> Found:
    """A cause of wrong decisions, which explains those of its cases and nothing else."""
    return Found(
        cause=cause,
        cases=tuple(cases),
        explains=frozenset(map(decision_of, cases)),
        analysis=analysis,
        proposal=proposal,
    )


class Family(Protocol):
    """Looks for causes of one kind of failure."""

    def look(self, explained: AbstractSet[Unit], *, last: bool) -> Sequence[Found]:
        """Find the strongest causes of what is not explained yet.

        Args:
            explained: Failures to leave alone.
            last: Whether no further round follows, so that all that is left has to be told.

        Returns:
            Nothing only where nothing is left.
        """
        ...


def in_rounds(families: Sequence[Family]) -> Iterator[Suggestion]:
    """Ask all families up to three times; a round that finds nothing ends it."""
    explained: frozenset[Unit] = frozenset()
    for round_ in range(1, ROUNDS + 1):
        found = [one for family in families for one in family.look(explained, last=round_ == ROUNDS)]
        if not found:
            return
        yield from (_suggestion(one, round_) for one in found)
        explained = explained.union(*(one.explains for one in found))


def _suggestion(found: Found, round_: int) -> Suggestion:
    cases = sorted(found.cases, key=lambda case: case.id)
    return Suggestion(
        round=round_,
        cause=found.cause,
        cases=tuple(case.id for case in cases),
        samples=tuple(case.prompt for case in cases[:SAMPLES]),
        analysis=found.analysis,
        proposal=found.proposal,
    )
