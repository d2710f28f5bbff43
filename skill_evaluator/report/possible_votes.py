"""What no votes of a judge can leave in a report."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from skill_evaluator.metrics.votes import tally_of
from skill_evaluator.model import VOTES, Aspect, Outcome
from skill_evaluator.results import CaseResult, RunState
from skill_evaluator.texts import tr

_CODES: Final[Mapping[bool | None, str]] = MappingProxyType({True: "votes_for", False: "votes_against"})

Impossible = tuple[str, object, str]  # JSON pointer, what stands there, the rule it breaks


def impossible_votes(case: CaseResult, pointer: str, *, is_judged: bool) -> Iterator[Impossible]:
    """What cannot be, whatever the judge voted.

    Args:
        case: A case of the report.
        pointer: Where it stands.
        is_judged: Whether the report has a judge.
    """
    for place, run in enumerate(case.runs):
        for at, verdict in enumerate(run.verdicts):
            where = f"{pointer}/runs/{place}/verdicts/{at}"
            if verdict.aspect is not Aspect.JUDGED:
                continue
            if not is_judged:
                yield f"{where}/aspect", verdict.aspect, tr("without a judge nobody votes")
            if not case.expect_trigger or run.state is not RunState.TRIGGERED:
                yield f"{where}/grader", verdict.grader, tr("votes are on runs that triggered, of cases that should")
            yield from _outcome(verdict.outcome, f"{where}/outcome")


def _outcome(outcome: Outcome, pointer: str) -> Iterator[Impossible]:
    votes, tally = outcome.evidence.get("votes"), tally_of(outcome)
    if votes is not None and (tally is None or len(tally.votes) != VOTES):
        yield (
            f"{pointer}/evidence/votes",
            votes,
            tr("a judge votes {votes} times, true or false, and null for a failed call", votes=VOTES),
        )
    if tally is None:
        return
    missing = tally.failed + tally.not_made
    if missing != tally.votes.count(None):
        yield f"{pointer}/evidence/failures", missing, tr("there is one for each vote that is null")
    passed = 2 * tally.votes.count(True) > len(tally.votes) if tally.is_whole else None
    if outcome.passed is not passed:
        yield f"{pointer}/passed", outcome.passed, tr("the votes decide {passed}", passed=passed)
    code = _CODES.get(passed)
    if code is not None and outcome.code != code:
        yield (
            f"{pointer}/code",
            outcome.code,
            tr("it is {code} where the votes decide {passed}", code=code, passed=passed),
        )
    yield from _answers(outcome, tally.votes, pointer)


def _answers(outcome: Outcome, votes: Sequence[bool | None], pointer: str) -> Iterator[Impossible]:
    """Hold votes against the answers that are kept whole."""
    from skill_evaluator.graders.suite.voting import LONGEST_ANSWER, vote_of  # noqa: PLC0415 - few reports hold votes

    answers = outcome.evidence.get("answers")
    for place, (answer, vote) in enumerate(zip(answers, votes, strict=False) if isinstance(answers, list) else ()):
        if isinstance(answer, str) and len(answer) < LONGEST_ANSWER and vote is not vote_of(answer):
            yield (
                f"{pointer}/evidence/answers/{place}",
                answer,
                tr("it is read as the vote {answer}", answer=vote_of(answer)),
            )
