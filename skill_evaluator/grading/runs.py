"""Graders on runs: what each check says about one run."""

from collections.abc import Mapping, Sequence

from skill_evaluator.graders.suite.voting import without_verdict
from skill_evaluator.grading.missing_files import with_missing_files
from skill_evaluator.grading.translations import candidate_of
from skill_evaluator.model import (
    NOT_ASKED,
    VOTES,
    Aspect,
    Case,
    Completion,
    Failure,
    FailureKind,
    Grader,
    JudgedCheck,
    Outcome,
    Run,
    Verdict,
)

_UNASKED = Completion(failure=Failure(kind=FailureKind.API, message=f"{NOT_ASKED}: the judge was asked no more"))

VotesOfRun = Mapping[str, Sequence[Completion]]


def grade_run(case: Case, run: Run, votes: VotesOfRun | None = None) -> tuple[Verdict, ...]:
    """Look at one run with every grader of its case.

    Args:
        case: The case that was asked.
        run: One of its runs.
        votes: What a judge said of the run, by grader, the calls that were made; None without a judge.

    Returns:
        One verdict a grader, in the order of the case; without a judge, graders that take votes give none. A call of
        the judge that failed or was not made leaves a grader without an answer: it says nothing of the skill. Empty
        for a run that failed. Where the case expects the skill to fire, also for one that did not: only then is the
        output the skill's own. Where the case expects it not to fire, always; and where the case does not say, never.
    """
    if not _is_graded(case, run):
        return ()
    whole = with_missing_files(case, run if case.expect_trigger else candidate_of(case, run))
    found = ((grader, _outcome(grader, whole, votes)) for grader in case.graders)
    return tuple(_verdict(grader, outcome) for grader, outcome in found if outcome is not None)


def _is_graded(case: Case, run: Run) -> bool:
    if case.expect_trigger is None:
        return run.failure is None
    return case.expect_trigger and run.triggered is True  # a run that failed never says that it triggered


def _outcome(grader: Grader, run: Run, votes: VotesOfRun | None) -> Outcome | None:
    check = grader.check
    if not isinstance(check, JudgedCheck):
        return check.check(run)
    if votes is None:
        return None
    question = check.ask(run)
    if isinstance(question, Outcome):
        return question
    made = votes.get(grader.name, ())
    return without_verdict(check.decide(question, [*made, *[_UNASKED] * (VOTES - len(made))]))


def _verdict(grader: Grader, outcome: Outcome) -> Verdict:
    judged = isinstance(grader.check, JudgedCheck)
    return Verdict(
        grader=grader.name,
        aspect=Aspect.JUDGED if judged else grader.aspect,
        severity=grader.severity,
        weight=grader.weight,
        outcome=outcome,
    )
