"""Graders on runs: what each check says about one run."""

from skill_evaluator.model import Case, Check, Grader, JudgedCheck, Run, Verdict


def grade_run(case: Case, run: Run) -> tuple[Verdict, ...]:
    """Look at one run with every grader of its case.

    Args:
        case: The case that was asked.
        run: One of its runs.

    Returns:
        One verdict a grader, in the order of the case; graders that a model votes on give none. Empty unless the case
        expects the skill to fire and the run triggered without failing: only then is the output the skill's own.
    """
    if not run.triggered or not case.expect_trigger:  # a run that failed never says that it triggered
        return ()
    return tuple(
        _verdict(grader, grader.check, run) for grader in case.graders if not isinstance(grader.check, JudgedCheck)
    )


def _verdict(grader: Grader, check: Check, run: Run) -> Verdict:
    return Verdict(
        grader=grader.name,
        aspect=grader.aspect,
        severity=grader.severity,
        weight=grader.weight,
        outcome=check.check(run),
    )
