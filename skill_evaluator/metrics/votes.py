"""What a judge's votes on graders come to, from the verdicts that they left."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from skill_evaluator.model import NOT_ASKED, Aspect, Outcome, Verdict
from skill_evaluator.results import CaseResult, Metric, VoteCount

JUDGED_PASS_RATE = "judged_pass_rate"  # noqa: S105 - a rate, no password


@dataclass(frozen=True, kw_only=True, slots=True)
class Tally:
    """The votes behind one verdict.

    Attributes:
        votes: In the order asked: for, against, or None where a call failed or was not made.
        failed: Calls that failed.
        not_made: Calls that were not made.
    """

    votes: tuple[bool | None, ...]
    failed: int = 0
    not_made: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether every call gave a vote."""
        return None not in self.votes

    @property
    def is_divided(self) -> bool:
        """Whether the same question got different answers."""
        return self.is_whole and len(set(self.votes)) > 1


def tally_of(outcome: Outcome) -> Tally | None:
    """Read the votes out of the evidence of an outcome; None where nobody was asked, or what is there is no vote."""
    votes = outcome.evidence.get("votes")
    if not isinstance(votes, list | tuple) or not all(vote is None or isinstance(vote, bool) for vote in votes):
        return None
    told = outcome.evidence.get("failures", ())
    failures = [one for one in told if isinstance(one, Mapping)] if isinstance(told, list | tuple) else []
    not_made = sum(str(one.get("message")).startswith(NOT_ASKED) for one in failures)
    return Tally(votes=tuple(votes), failed=len(failures) - not_made, not_made=not_made)


def vote_count(cases: Iterable[CaseResult]) -> VoteCount:
    """Count the calls of all votes, and how often the votes on one run were not alike."""
    tallies = [tally for case in cases for _, tally in voted(case)]
    whole = [tally for tally in tallies if tally.is_whole]
    divided = sum(tally.is_divided for tally in whole)
    planned = sum(len(tally.votes) for tally in tallies)
    return VoteCount(
        planned=planned,
        asked=planned - sum(tally.not_made for tally in tallies),
        failed=sum(tally.failed for tally in tallies),
        divided=Metric(
            name="votes_divided",
            value=divided / len(whole) if whole else None,
            numerator=divided,
            denominator=len(whole),
            higher_is_better=False,
        ),
    )


def voted(case: CaseResult) -> Iterator[tuple[Verdict, Tally]]:
    """The verdicts of a case on which a judge voted, by repetition."""
    for run in case.runs:
        for verdict in judged(run.verdicts):
            tally = tally_of(verdict.outcome)
            if tally is not None:
                yield verdict, tally


def judged(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The verdicts of graders that take votes, those for which nobody had to be asked among them."""
    return [verdict for verdict in verdicts if verdict.aspect is Aspect.JUDGED]
