"""Every failure with its evidence: what was put in, what was expected, what happened instead (seed rule 3).

All values are JSON; renderers put them into words.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from skill_evaluator.metrics.aspects import VALID, aspect_answers, aspect_passed, is_graded
from skill_evaluator.metrics.cases import invoked_first, is_unmeasured
from skill_evaluator.metrics.failed_checks import asked_for, failures_of
from skill_evaluator.metrics.rubric import judged_runs
from skill_evaluator.model import Aspect, Split
from skill_evaluator.results import CaseResult, FailedCase, FailureSort, Panel, RubricScore, RunResult, RunState

_SORT: dict[Aspect, FailureSort] = {
    Aspect.OUTPUT: "output",
    Aspect.PARAMS: "params",
    Aspect.TOOL_ORDER: "tool_order",
    Aspect.JUDGED: "judged",
}


def failed_cases(cases: Sequence[CaseResult], panels: Iterable[Panel] = ()) -> tuple[FailedCase, ...]:
    """All failures of all cases; a case may have several.

    Args:
        cases: In the order of the test set.
        panels: What the judge said, for the reasons of rubric items that missed their target.

    Returns:
        Acceptance first, then in the order given. `expected` and `actual` hold:

        - `missed`, `false_trigger`: `{trigger}`; `{trigger, triggered_runs, valid_runs, runs}`.
        - `unmeasured`: `{trigger}`, or `{output}` where the case does not say whether the skill should fire;
          `{planned_runs, failures, unknown, not_run, runs}`, `failures` counting by kind.
        - `wrong_skill`: `{skill}`; `{right_runs, valid_runs, runs}`, each run as for `missed`.
        - `output`, `params`, `tool_order`, `judged`: `{checks}`; `{passed_runs, measured_runs, runs}`, each of
          these runs with its failing `checks`: `{grader, code, evidence}`, with a `message` where the case does not
          say whether the skill should fire.
        - `rubric`: `{item, target}`; `{mean, runs}`, each run with its `scores` and `reasons` in either order, and
          whether it is `counted`.
    """
    ordered = [case for split in Split for case in cases if case.split is split]
    said = {(panel.case_id, panel.item): panel for panel in panels}
    return tuple(failed for case in ordered for failed in _failures(case, said))


def _failures(case: CaseResult, said: Mapping[tuple[str, str], Panel]) -> Iterator[FailedCase]:
    if is_unmeasured(case):
        yield _failed(case, "unmeasured", _wanted(case.expect_trigger), _unmeasured(case))
    elif case.expect_trigger is not None and not case.is_right:
        sort: FailureSort = "missed" if case.expect_trigger else "false_trigger"
        yield _failed(case, sort, _wanted(case.expect_trigger), _decided(case))
    if case.right_skill is False:
        yield _failed(case, "wrong_skill", {"skill": case.expected_skill}, _other_skill(case))
    for aspect, passed in case.aspects.items():
        if not passed:
            yield _failed(case, _SORT[aspect], {"checks": asked_for(case, aspect)}, _checked(case, aspect))
    for item, score in case.rubric.items():
        if score.passed is False:
            yield _failed(
                case, "rubric", {"item": item, "target": score.target}, _judged(score, said.get((case.id, item)))
            )


def _failed(case: CaseResult, sort: FailureSort, expected: dict[str, object], actual: dict[str, object]) -> FailedCase:
    return FailedCase(id=case.id, split=case.split, sort=sort, input=case.prompt, expected=expected, actual=actual)


def _wanted(expect_trigger: bool | None) -> dict[str, object]:  # noqa: FBT001 - the name of the field says it
    return {"output": "right"} if expect_trigger is None else {"trigger": expect_trigger}


def _decided(case: CaseResult) -> dict[str, object]:
    return {
        "trigger": case.decision,
        "triggered_runs": case.triggered_runs,
        "valid_runs": case.valid_runs,
        "runs": [_happened(run) for run in case.runs],
    }


def _other_skill(case: CaseResult) -> dict[str, object]:
    valid = [run for run in case.runs if run.state in VALID]
    return {
        "right_runs": sum(invoked_first(run, case.expected_skill or "") for run in valid),
        "valid_runs": case.valid_runs,
        "runs": [_happened(run) for run in case.runs],
    }


def _unmeasured(case: CaseResult) -> dict[str, object]:
    kinds = Counter(str(run.failure.kind) for run in case.runs if run.failure is not None)
    return {
        "planned_runs": case.planned_runs,
        "failures": dict(sorted(kinds.items())),
        "unknown": sum(run.state is RunState.UNKNOWN for run in case.runs),
        "not_run": case.planned_runs - len(case.runs),
        "runs": [_happened(run) for run in case.runs],
    }


def _checked(case: CaseResult, aspect: Aspect) -> dict[str, object]:
    """A valid run that did not trigger passed nothing; one in which nothing was looked at is not among the measured."""
    expected = case.expect_trigger
    answers = aspect_answers(case.runs, aspect, expected=expected)
    return {
        "passed_runs": sum(answers),
        "measured_runs": len(answers),
        "runs": [
            {"run": run.index, "checks": failures_of(run, aspect, with_message=expected is None)}
            for run in case.runs
            if is_graded(run.state, expected=expected) and aspect_passed(run, aspect) is False
        ],
    }


def _judged(score: RubricScore, panel: Panel | None) -> dict[str, object]:
    return {"mean": score.mean, "runs": judged_runs(panel) if panel else []}


def _happened(run: RunResult) -> dict[str, object]:
    failure = run.failure
    return {
        "run": run.index,
        "state": str(run.state),
        "skills_invoked": list(run.skills_invoked),
        "answered_directly": _answered_directly(run),
        "failure": None if failure is None else {"kind": str(failure.kind), "message": failure.message},
    }


def _answered_directly(run: RunResult) -> bool | None:
    """Whether the agent answered without any skill; None after a failure and where it makes no output."""
    if run.state not in VALID:
        return None
    if run.state is RunState.TRIGGERED or run.skills_invoked:
        return False
    return None if run.output is None else True
