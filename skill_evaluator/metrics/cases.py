"""One case over its repetitions: what the majority of its valid runs decided.

An error, and a run that does not say whether the skill fired where the case asks for that, is kept and shown but
decides nothing.
"""

from collections.abc import Mapping, Sequence

from skill_evaluator.metrics.aspects import (
    CHECKED,
    VALID,
    aspect_answers,
    aspect_passed,
    aspects_of,
    is_valid,
    leaves_success_open,
    open_runs,
)
from skill_evaluator.model import Aspect, Case, Run, Verdict
from skill_evaluator.results import CaseResult, RubricScore, RunResult, RunState
from skill_evaluator.skill_names import plain_name


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
        case: Where it says whether the skill should fire, its triggers decide; else its output does. Its
            `expected_skill` is taken for one that was installed.
        graded: Its finished runs with their verdicts, in any order; fewer than planned after an interruption.
        planned_runs: Repetitions asked for, at least 1.
        rubric: What a judge that is fit gave, by item; None without one.

    Raises:
        ValueError: If the runs are not repetitions of this case.
    """
    expected = case.expect_trigger
    _check_repetitions(case, [run for run, _ in graded], planned_runs)
    runs = tuple(_run_result(run, verdicts) for run, verdicts in sorted(graded, key=lambda pair: pair[0].index))
    valid = sum(is_valid(run.state, expected=expected) for run in runs)
    triggered = sum(run.state is RunState.TRIGGERED for run in runs)
    decision = _decision(runs, triggered, valid, expected)
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
        fluctuation=_fluctuation(answers(runs, expected=expected)),
        successes=sum(is_success(run, expected=expected) for run in runs),
        tags=case.tags,
        line=case.source.line,
        aspects=aspects_of(runs, expected=expected) if expected is None or (expected and decision) else {},
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


def answers(runs: Sequence[RunResult], *, expected: bool | None) -> list[bool]:
    """What each run says that has a say: whether the skill fired; without such an expectation, whether it is right.

    Args:
        runs: Of one case.
        expected: Whether the skill should fire, or None where the case does not say.
    """
    if expected is None:
        return aspect_answers(runs, Aspect.OUTPUT, expected=None)
    return [run.state is RunState.TRIGGERED for run in runs if run.state in VALID]


def is_unmeasured(case: CaseResult) -> bool:
    """Whether nothing is known of it, since no run is valid.

    One whose output no check decides was measured nevertheless.
    """
    return case.valid_runs == 0 if case.expect_trigger is None else case.decision is None


def is_undecided(case: CaseResult) -> bool:
    """Whether there were outputs that its deciding checks looked at, and could not decide.

    Only where the output decides; a case without such a check is none, since nothing of it counts.
    """
    if case.expect_trigger is not None or case.decision is not None:
        return False
    return bool(open_runs(case.runs, Aspect.OUTPUT, expected=None))


def invoked_first(run: RunResult, name: str) -> bool:
    """Whether the first skill that was invoked has that name, the plugins of both aside."""
    return bool(run.skills_invoked) and plain_name(run.skills_invoked[0]) == plain_name(name)


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


def _decision(runs: Sequence[RunResult], triggered: int, valid: int, expected: bool | None) -> bool | None:  # noqa: FBT001
    if expected is None:
        return aspects_of(runs, expected=None).get(Aspect.OUTPUT)
    return decide(triggered, valid, expected=expected)


def _fluctuation(said: Sequence[bool]) -> float | None:
    return min(said.count(True), said.count(False)) / len(said) if said else None


def is_success(run: RunResult, *, expected: bool | None) -> bool:
    """Right in every respect that is no matter of opinion.

    Where the skill should fire, what no check looked at does not count against it; where no trigger is asked for, a
    run is right only if a check says so.
    """
    if expected is None:
        return aspect_passed(run, Aspect.OUTPUT) is True
    if not expected:
        return run.state is RunState.NOT_TRIGGERED
    failed = any(aspect_passed(run, aspect) is False for aspect in CHECKED)
    return run.state is RunState.TRIGGERED and not failed and not leaves_success_open(run)


def _right_skill(expected: str | None, runs: Sequence[RunResult]) -> bool | None:
    """Whether it was the first one in most valid runs; a tie counts against it."""
    answers = [invoked_first(run, expected) for run in runs if expected is not None and run.state in VALID]
    return 2 * sum(answers) > len(answers) if answers else None
