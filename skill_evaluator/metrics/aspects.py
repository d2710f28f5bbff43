"""What the deciding checks of one aspect say of a run, and of all runs of a case.

Which runs count hangs on the case. One that says whether the skill should fire is checked where it fired, and a run
counts as soon as it says whether it did. One that does not say is checked, and counts, in every run that did not fail.
"""

from collections.abc import Sequence

from skill_evaluator.model import Aspect, Severity
from skill_evaluator.results import RunResult, RunState

VALID = frozenset({RunState.TRIGGERED, RunState.NOT_TRIGGERED})
CHECKED = tuple(aspect for aspect in Aspect if aspect is not Aspect.JUDGED)


def is_valid(state: RunState, *, expected: bool | None) -> bool:
    """Whether a run that ended so counts, in a case with that expectation."""
    return state is not RunState.ERROR if expected is None else state in VALID


def is_graded(state: RunState, *, expected: bool | None) -> bool:
    """Whether the output of a run that ended so is looked at, in a case that may expect an output."""
    return state is not RunState.ERROR if expected is None else state is RunState.TRIGGERED


def aspect_passed(run: RunResult, aspect: Aspect) -> bool | None:
    """Whether every deciding check of an aspect passed.

    Returns:
        False as soon as one failed; None where none of them looked, and where one of several could not: then what is
        known of the run does not say whether all of it was right.
    """
    return all_passed(_looked(run, aspect))


def all_passed(answers: Sequence[bool | None]) -> bool | None:
    """Whether all answers are a yes: False as soon as one is a no; None where one is open, and without any."""
    return False if False in answers else True if answers and None not in answers else None


def is_undecided(run: RunResult, aspect: Aspect) -> bool:
    """Whether some deciding checks of an aspect passed and others could not look."""
    return {True, None} == set(_looked(run, aspect))


def leaves_success_open(run: RunResult) -> bool:
    """Whether a run may have been right in every respect or not, since it fired and an aspect of it is undecided."""
    if run.state is not RunState.TRIGGERED or any(aspect_passed(run, aspect) is False for aspect in CHECKED):
        return False
    return any(is_undecided(run, aspect) for aspect in CHECKED)


def aspects_of(runs: Sequence[RunResult], *, expected: bool | None) -> dict[Aspect, bool]:
    """By aspect that was looked at: whether most valid runs passed it; a tie is a failure, and see `majority`."""
    found = {
        aspect: majority(
            aspect_answers(runs, aspect, expected=expected), len(open_runs(runs, aspect, expected=expected))
        )
        for aspect in Aspect
    }
    return {aspect: passed for aspect, passed in found.items() if passed is not None}


def open_runs(runs: Sequence[RunResult], aspect: Aspect, *, expected: bool | None) -> list[RunResult]:
    """Give the runs that were to be checked, but have no answer, since a check could not look."""
    return [
        run
        for run in runs
        if is_graded(run.state, expected=expected) and _looked(run, aspect) and aspect_passed(run, aspect) is None
    ]


def aspect_answers(runs: Sequence[RunResult], aspect: Aspect, *, expected: bool | None) -> list[bool]:
    """Whether each valid run passed the checks of an aspect.

    Where the skill should fire, a run that did not trigger produced nothing that could pass, so it is False; one that
    is open, since a check could not look, is left out. Empty where no run that is looked at is decided.
    """
    looked = {run.index: aspect_passed(run, aspect) for run in runs if is_graded(run.state, expected=expected)}
    if all(answer is None for answer in looked.values()):
        return []
    found = [looked.get(run.index, False) for run in runs if is_valid(run.state, expected=expected)]
    return [answer for answer in found if answer is not None]


def majority(answers: Sequence[bool], unanswered: int) -> bool | None:
    """What most runs say whatever the open ones would; None where those could turn it, or none has an answer.

    A tie is a failure.

    >>> majority([True, True], 1), majority([True], 2), majority([False, False], 2)
    (True, None, False)
    """
    runs, passed = len(answers) + unanswered, sum(answers)
    if not answers:
        return None
    return True if 2 * passed > runs else False if 2 * (passed + unanswered) <= runs else None


def _looked(run: RunResult, aspect: Aspect) -> list[bool | None]:
    verdicts = (one for one in run.verdicts if one.aspect is aspect and one.severity is Severity.HARD)
    return [verdict.outcome.passed for verdict in verdicts]
