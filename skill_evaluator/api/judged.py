"""What a report says with a judge, and what it no longer says."""

from collections.abc import Iterable, Sequence

from skill_evaluator.model import Case, Finding
from skill_evaluator.results import JudgeResult, Note

_NOT_SCORED_NOTE = "rubric_not_scored"
_NOT_SCORED_WARNING = "rubric-not-scored"


def notes_with_judge(notes: Iterable[Note], judge: JudgeResult | None, cases: Sequence[Case]) -> tuple[Note, ...]:
    """Say that rubrics were not scored, where that is so, and for the reason that holds.

    Args:
        notes: What was known before anything was asked.
        judge: What came of the judge, or None without one.
        cases: The cases that were asked.
    """
    kept = tuple(note for note in notes if note.code != _NOT_SCORED_NOTE)
    rubrics = sum(bool(case.rubric) for case in cases)
    if not rubrics or (judge and judge.fit):
        return kept
    return (*kept, Note(code="rubric_unfit" if judge else _NOT_SCORED_NOTE, values={"cases": rubrics}))


def warnings_with_judge(warnings: Sequence[Finding], judge: JudgeResult | None) -> tuple[Finding, ...]:
    """Leave out that rubrics take a judge, where there was one."""
    return tuple(one for one in warnings if judge is None or one.code != _NOT_SCORED_WARNING)
