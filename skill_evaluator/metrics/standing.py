"""What came of a judge, in one word: one that was not let in, or not asked, is no judge that cannot be believed."""

from collections.abc import Iterator, Sequence
from enum import StrEnum

from skill_evaluator.metrics.judge import asked_ballots
from skill_evaluator.model import Aspect, Split
from skill_evaluator.results import CaseResult, JudgeResult, Note


class Standing(StrEnum):
    """What came of a judge."""

    FIT = "fit"
    UNFIT = "unfit"
    UNANSWERED = "unanswered"
    UNASKED = "unasked"
    IDLE = "idle"
    VOTING = "voting"


def standing(judge: JudgeResult) -> Standing:
    """Tell a judge that cannot be believed from one that could not be asked.

    Returns:
        FIT where its scores count. UNANSWERED where only failed calls speak against it, UNASKED where calls were left
        out and nothing else does, and UNFIT for all others. Without a panel: VOTING where graders took its votes, IDLE
        where there was nothing to judge.
    """
    if judge.fit:
        return Standing.FIT
    if not judge.panels:
        return Standing.VOTING if judge.votes.planned else Standing.IDLE
    codes = {note.code for note in judge.reasons}
    if codes == {"judge_errors"}:
        return Standing.UNANSWERED
    if codes == {"judge_nothing"} and len(asked_ballots(judge.panels)) < 2 * len(judge.panels):
        return Standing.UNASKED
    return Standing.UNFIT


def judge_notes(judge: JudgeResult | None, cases: Sequence[CaseResult]) -> Iterator[Note]:
    """Say what the verdict does not show: that outputs missed what rubrics or graders ask for, or that none was judged.

    Args:
        judge: What came of the judge, or None without one.
        cases: All cases; the acceptance split alone is looked at.
    """
    if judge is None:
        return
    found = standing(judge)
    asked = asked_ballots(judge.panels)
    match found:
        case Standing.FIT:
            yield from _below(cases)
        case Standing.UNFIT:
            yield Note(code="verdict_judge_unfit", values={"model": judge.model})
        case Standing.UNANSWERED:
            answered = sum(ballot.failure is None for ballot in asked)
            values = {"model": judge.model, "answered": answered, "calls": len(asked)}
            yield Note(code="verdict_judge_unanswered", values=values)
        case Standing.UNASKED:
            values = {"model": judge.model, "asked": len(asked), "of": 2 * len(judge.panels)}
            yield Note(code="verdict_judge_unasked", values=values)
        case Standing.IDLE:
            yield Note(code="verdict_judge_idle", values={"model": judge.model})
        case Standing.VOTING:
            pass
    yield from _voted_down(judge, cases)


def _voted_down(judge: JudgeResult, cases: Sequence[CaseResult]) -> Iterator[Note]:
    """Say that cases failed by vote, and that none could be decided so."""
    votes = judge.votes
    if votes.planned and not votes.divided.denominator:
        values = {"model": judge.model, "failed": votes.failed, "asked": votes.asked, "of": votes.planned}
        yield Note(code="verdict_votes_none", values=values)
    found = [case.aspects.get(Aspect.JUDGED) for case in cases if case.split is Split.ACCEPTANCE]
    if False in found:
        of = sum(one is not None for one in found)
        yield Note(code="voted_down", values={"cases": found.count(False), "of": of})


def _below(cases: Sequence[CaseResult]) -> Iterator[Note]:
    passed = [
        score.passed
        for case in cases
        if case.split is Split.ACCEPTANCE
        for score in case.rubric.values()
        if score.passed is not None
    ]
    if not all(passed):
        yield Note(code="rubric_below", values={"items": passed.count(False), "of": len(passed)})
