"""One case over its repetitions: what the majority of its valid runs decided.

An error, and a run that does not say whether the skill fired, is kept and shown but decides nothing.
"""

from collections.abc import Mapping, Sequence

from skill_evaluator.model import Aspect, Case, Run, Severity, Verdict
from skill_evaluator.results import CaseResult, RubricScore, RunResult, RunState
from skill_evaluator.skill_names import plain_name

VALID = frozenset({RunState.TRIGGERED, RunState.NOT_TRIGGERED})
_CHECKED = tuple(aspect for aspect in Aspect if aspect is not Aspect.JUDGED)


def run_state(run: Run) -> RunState:
    """How a run ended."""
    if run.failure is not None:
        return RunState.ERROR
    match run.triggered:
        case None:
            return RunState.UNKNOWN
        case True:
            return RunState.TRIGGERED
        case False:
            return RunState.NOT_TRIGGERED


def case_result(
    case: Case,
    graded: Sequence[tuple[Run, tuple[Verdict, ...]]],
    *,
    planned_runs: int,
    rubric: Mapping[str, RubricScore] | None = None,
) -> CaseResult:
    """Put the runs of one case together.

    Args:
        case: A case that says whether the skill should fire; its `expected_skill` is taken for one that was installed.
        graded: Its finished runs with their verdicts, in any order; fewer than planned after an interruption.
        planned_runs: Repetitions asked for, at least 1.
        rubric: What a judge that is fit gave, by item; None without one.

    Raises:
        ValueError: If the case has no expectation, or the runs are not repetitions of this case.
    """
    expected = case.expect_trigger
    if expected is None:
        raise ValueError(f"case {case.id!r} does not say whether the skill should fire")
    _check_repetitions(case, [run for run, _ in graded], planned_runs)
    runs = tuple(_run_result(run, verdicts) for run, verdicts in sorted(graded, key=lambda pair: pair[0].index))
    valid = sum(run.state in VALID for run in runs)
    triggered = sum(run.state is RunState.TRIGGERED for run in runs)
    decision = decide(triggered, valid, expected=expected)
    return CaseResult(
        id=case.id,
        split=case.split,
        expect_trigger=expected,
        prompt=case.prompt,
        prompt_sha256=case.prompt_sha256,
        sha256=case.sha256,
        planned_runs=planned_runs,
        valid_runs=valid,
        triggered_runs=triggered,
        decision=decision,
        fluctuation=min(triggered, valid - triggered) / valid if valid else None,
        successes=sum(_succeeded(run, expected=expected) for run in runs),
        tags=case.tags,
        line=case.source.line,
        aspects=_aspects(runs) if expected and decision else {},
        runs=runs,
        expected_skill=case.expected_skill,
        right_skill=_right_skill(case.expected_skill, runs),
        rubric=rubric or {},
    )


def decide(triggered: int, valid: int, *, expected: bool) -> bool | None:
    """What most valid runs did; a tie is decided against the skill; None without a valid run.

    >>> decide(2, 3, expected=True), decide(1, 2, expected=True), decide(1, 2, expected=False)
    (True, False, True)
    """
    if valid == 0:
        return None
    return not expected if 2 * triggered == valid else 2 * triggered > valid


def invoked_first(run: RunResult, name: str) -> bool:
    """Whether the first skill that was invoked has that name, the plugins of both aside."""
    return bool(run.skills_invoked) and plain_name(run.skills_invoked[0]) == plain_name(name)


def aspect_passed(run: RunResult, aspect: Aspect) -> bool | None:
    """Whether every deciding check of an aspect passed.

    Returns:
        False as soon as one failed; None where none of them looked, and where one of several could not: then what is
        known of the run does not say whether all of it was right.
    """
    passed = _looked(run, aspect)
    return False if False in passed else True if passed and None not in passed else None


def is_undecided(run: RunResult, aspect: Aspect) -> bool:
    """Whether some deciding checks of an aspect passed and others could not look."""
    return {True, None} == set(_looked(run, aspect))


def leaves_success_open(run: RunResult) -> bool:
    """Whether a run may have been right in every respect or not, since it fired and an aspect of it is undecided."""
    if run.state is not RunState.TRIGGERED or any(aspect_passed(run, aspect) is False for aspect in _CHECKED):
        return False
    return any(is_undecided(run, aspect) for aspect in _CHECKED)


def _looked(run: RunResult, aspect: Aspect) -> list[bool | None]:
    verdicts = (one for one in run.verdicts if one.aspect is aspect and one.severity is Severity.HARD)
    return [verdict.outcome.passed for verdict in verdicts]


def _check_repetitions(case: Case, runs: Sequence[Run], planned_runs: int) -> None:
    strangers = [run.case_id for run in runs if run.case_id != case.id]
    indices = [run.index for run in runs]
    if strangers:
        raise ValueError(f"runs of {strangers} are not of case {case.id!r}")
    if len(set(indices)) != len(indices) or not set(indices) <= set(range(planned_runs)):
        raise ValueError(f"case {case.id!r}: {indices} are not repetitions out of {planned_runs}")


def _run_result(run: Run, verdicts: tuple[Verdict, ...]) -> RunResult:
    return RunResult(
        index=run.index,
        state=run_state(run),
        failure=run.failure,
        output=run.output,
        skills_invoked=run.skills_invoked,
        tool_calls=run.tool_calls,
        usage=run.usage,
        verdicts=verdicts,
        cut_by=run.cut_by,
    )


def _succeeded(run: RunResult, *, expected: bool) -> bool:
    """Right in every respect that is no matter of opinion; what no check looked at does not count against it."""
    if not expected:
        return run.state is RunState.NOT_TRIGGERED
    failed = any(aspect_passed(run, aspect) is False for aspect in _CHECKED)
    return run.state is RunState.TRIGGERED and not failed and not leaves_success_open(run)


def _right_skill(expected: str | None, runs: Sequence[RunResult]) -> bool | None:
    """Whether it was the first one in most valid runs; a tie counts against it."""
    answers = [invoked_first(run, expected) for run in runs if expected is not None and run.state in VALID]
    return 2 * sum(answers) > len(answers) if answers else None


def _aspects(runs: Sequence[RunResult]) -> dict[Aspect, bool]:
    """By aspect that was looked at: whether most valid runs passed it; a tie is a failure, and see `_decided`."""
    found = {aspect: _decided(aspect_answers(runs, aspect), len(open_runs(runs, aspect))) for aspect in Aspect}
    return {aspect: passed for aspect, passed in found.items() if passed is not None}


def _decided(answers: Sequence[bool], unanswered: int) -> bool | None:
    """What most runs say whatever the open ones would; None where those could turn it, or none has an answer.

    >>> _decided([True, True], 1), _decided([True], 2), _decided([False, False], 2)
    (True, None, False)
    """
    runs, passed = len(answers) + unanswered, sum(answers)
    if not answers:
        return None
    return True if 2 * passed > runs else False if 2 * (passed + unanswered) <= runs else None


def open_runs(runs: Sequence[RunResult], aspect: Aspect) -> list[RunResult]:
    """Give the runs that triggered and were to be checked, but have no answer, since a check could not look."""
    return [
        run
        for run in runs
        if run.state is RunState.TRIGGERED and _looked(run, aspect) and aspect_passed(run, aspect) is None
    ]


def aspect_answers(runs: Sequence[RunResult], aspect: Aspect) -> list[bool]:
    """Whether each valid run passed the checks of an aspect.

    A run that did not trigger produced nothing that could pass, so it is False; one that is open, since a check could
    not look, is left out. Empty where no run that triggered is decided.
    """
    looked = {run.index: aspect_passed(run, aspect) for run in runs if run.state is RunState.TRIGGERED}
    if all(answer is None for answer in looked.values()):
        return []
    found = [looked.get(run.index, False) for run in runs if run.state in VALID]
    return [answer for answer in found if answer is not None]
