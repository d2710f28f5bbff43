"""What a report says with a judge, and what it no longer says."""

from collections.abc import Iterable, Sequence

from skill_evaluator.metrics.judge import asked_ballots, wanted_scores
from skill_evaluator.model import Case, Finding
from skill_evaluator.results import Config, JudgeResult, Note

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


def not_judged_notes(judge: JudgeResult | None, config: Config, cases: Sequence[Case]) -> tuple[Note, ...]:
    """Say which calls of the judge were wanted and not made."""
    if judge is None:
        wanted = len(wanted_scores(cases)) if config.judge_model is not None else 0
        return (Note(code="judge_not_asked", values={"cases": wanted}),) if wanted else ()
    planned, asked = 2 * len(judge.panels), len(asked_ballots(judge.panels))
    partly = Note(code="judge_partly_asked", values={"calls": planned - asked, "of": planned})
    return (partly,) if asked < planned else ()
