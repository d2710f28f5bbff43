"""What a report says with a judge, and what it no longer says."""

from collections.abc import Iterable, Iterator, Sequence

from skill_evaluator.metrics.judge import asked_ballots
from skill_evaluator.metrics.standing import Standing, standing
from skill_evaluator.model import Case, Finding
from skill_evaluator.results import JudgeResult, Note

_NOT_SCORED_NOTES = {"rubric_not_scored", "graders_not_judged"}
_NOT_SCORED_WARNINGS = {"rubric-not-scored", "graders-not-judged"}
_BY_STANDING = {
    Standing.UNFIT: "rubric_unfit",
    Standing.UNANSWERED: "rubric_unanswered",
    Standing.UNASKED: "judge_not_asked",
    Standing.IDLE: "rubric_nothing",
    Standing.VOTING: "rubric_nothing",
}


def notes_with_judge(
    notes: Iterable[Note], judge: JudgeResult | None, cases: Sequence[Case], *, judge_model: str | None
) -> tuple[Note, ...]:
    """Say that rubrics or votes were left out, where that is so, and for the reason that holds.

    Args:
        notes: What was known before anything was asked.
        judge: What came of the judge, or None where none was asked.
        cases: The cases that were asked.
        judge_model: The judge that was to be asked, or None.
    """
    kept = [note for note in notes if note.code not in _NOT_SCORED_NOTES]
    return (
        *kept,
        *(_calls_left_out(judge) if judge else ()),
        *_rubrics(judge, cases, judge_model),
        *_votes(judge, cases, judge_model),
    )


def _rubrics(judge: JudgeResult | None, cases: Sequence[Case], judge_model: str | None) -> Iterator[Note]:
    rubrics = sum(bool(case.rubric) for case in cases)
    if not rubrics or (judge and judge.fit):
        return
    if judge is not None:
        code = _BY_STANDING[standing(judge)]
    else:
        code = "rubric_not_scored" if judge_model is None else "judge_not_asked"
    yield Note(code=code, values={"cases": rubrics})


def _votes(judge: JudgeResult | None, cases: Sequence[Case], judge_model: str | None) -> Iterator[Note]:
    voted = sum(bool(case.voted) for case in cases)
    if voted and judge is None:
        code = "graders_not_judged" if judge_model is None else "votes_not_asked"
        yield Note(code=code, values={"cases": voted})
    if judge is not None and judge.votes.failed:
        yield Note(code="votes_failed", values={"failed": judge.votes.failed, "calls": judge.votes.asked})


def _calls_left_out(judge: JudgeResult) -> Iterator[Note]:
    planned = 2 * len(judge.panels) + judge.votes.planned
    asked = len(asked_ballots(judge.panels)) + judge.votes.asked
    if asked < planned:
        yield Note(code="judge_partly_asked", values={"calls": planned - asked, "of": planned})


def warnings_with_judge(warnings: Sequence[Finding], judge: JudgeResult | None) -> tuple[Finding, ...]:
    """Leave out that rubrics and graders take a judge, where there was one."""
    return tuple(one for one in warnings if judge is None or one.code not in _NOT_SCORED_WARNINGS)
