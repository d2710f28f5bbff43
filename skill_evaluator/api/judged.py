"""What a report says with a judge, and what it no longer says."""

from collections.abc import Iterable, Sequence

from skill_evaluator.metrics.judge import asked_ballots
from skill_evaluator.metrics.standing import Standing, standing
from skill_evaluator.model import Case, Finding
from skill_evaluator.results import JudgeResult, Note

_NOT_SCORED_NOTE = "rubric_not_scored"
_NOT_SCORED_WARNING = "rubric-not-scored"
_BY_STANDING = {
    Standing.UNFIT: "rubric_unfit",
    Standing.UNANSWERED: "rubric_unanswered",
    Standing.UNASKED: "judge_not_asked",
    Standing.IDLE: "rubric_nothing",
}


def notes_with_judge(
    notes: Iterable[Note], judge: JudgeResult | None, cases: Sequence[Case], *, judge_model: str | None
) -> tuple[Note, ...]:
    """Say that rubrics were not scored, where that is so, and for the reason that holds.

    Args:
        notes: What was known before anything was asked.
        judge: What came of the judge, or None where none was asked.
        cases: The cases that were asked.
        judge_model: The judge that was to be asked, or None.
    """
    kept = tuple(note for note in notes if note.code != _NOT_SCORED_NOTE)
    left_out = _calls_left_out(judge) if judge else ()
    rubrics = sum(bool(case.rubric) for case in cases)
    if not rubrics or (judge and judge.fit):
        return (*kept, *left_out)
    return (*kept, *left_out, Note(code=_why_not_scored(judge, judge_model), values={"cases": rubrics}))


def _why_not_scored(judge: JudgeResult | None, judge_model: str | None) -> str:
    if judge is None:
        return _NOT_SCORED_NOTE if judge_model is None else "judge_not_asked"
    return _BY_STANDING[standing(judge)]


def _calls_left_out(judge: JudgeResult) -> tuple[Note, ...]:
    planned, asked = 2 * len(judge.panels), len(asked_ballots(judge.panels))
    note = Note(code="judge_partly_asked", values={"calls": planned - asked, "of": planned})
    return (note,) if asked < planned else ()


def warnings_with_judge(warnings: Sequence[Finding], judge: JudgeResult | None) -> tuple[Finding, ...]:
    """Leave out that rubrics take a judge, where there was one."""
    return tuple(one for one in warnings if judge is None or one.code != _NOT_SCORED_WARNING)
