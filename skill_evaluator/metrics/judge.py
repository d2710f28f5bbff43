"""Can a judge be believed: texts that are no answers must score low, and the order of the texts must not matter.

All of it is worked out from what the judge said, so that a report can be held against it.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from skill_evaluator.metrics.kappa import quadratic_kappa
from skill_evaluator.metrics.limits import above_a_fifth, above_a_tenth
from skill_evaluator.metrics.rubric import Wanted, in_both_orders, panels_by_case, rubric_scores
from skill_evaluator.metrics.votes import vote_count
from skill_evaluator.model import Case, Usage
from skill_evaluator.results import (
    Ballot,
    CaseResult,
    ControlKind,
    JudgeResult,
    Metric,
    Note,
    Panel,
    RubricScore,
    TextSource,
)

HIGHEST_OF_A_CONTROL = 2


def unfit_reasons(panels: Iterable[Panel]) -> tuple[Note, ...]:
    """Say why a judge cannot be believed, the deciding reason first; empty for one that is fit.

    It is unfit when more than 10 % of the answered panels hold a control that scored above 2 in either order, when
    more than 20 % of the runs' scores differ by more than a point between the orders, when more than 10 % of the
    calls failed, and when no run has a score in both orders.
    """
    listed = tuple(panels)
    reasons = (*_controls_reason(listed), *_inconsistent_reason(listed), *_errors_reason(listed))
    nothing = not reasons and not _inconsistent(listed).denominator
    return (Note(code="judge_nothing"),) if nothing else reasons


def nothing_above_a_control(panels: Iterable[Panel]) -> bool:
    """Whether no run, in either order, scored higher than a control may: so would a judge that scores all texts low."""
    runs = [pair for panel in panels for pair in in_both_orders(panel, TextSource.RUN)]
    return all(max(one.score for one in pair) <= HIGHEST_OF_A_CONTROL for pair in runs)


def wanted_scores(cases: Iterable[Case]) -> Mapping[str, Mapping[str, Wanted]]:
    """What the test set asks of outputs, by case and item; negatives are to make none."""
    return {
        case.id: {item: Wanted(target, case.human_scores.get(item)) for item, target in case.rubric.items()}
        for case in cases
        if case.expect_trigger and case.rubric
    }


def judged_scores(
    wanted: Mapping[str, Mapping[str, Wanted]], panels: Sequence[Panel]
) -> Mapping[str, Mapping[str, RubricScore]]:
    """Score the rubrics of all cases.

    Args:
        wanted: By case, then by item.
        panels: Everything the judge said.

    Returns:
        By case, then by item; empty where the judge is unfit.
    """
    if unfit_reasons(panels):
        return {}
    by_case = panels_by_case(panels)
    return {case_id: rubric_scores(items, by_case.get(case_id, ())) for case_id, items in wanted.items()}


def judge_result(
    panels: Sequence[Panel],
    cases: Iterable[CaseResult],
    *,
    model: str,
    agent_model: str | None,
    usage: Usage | None = None,
) -> JudgeResult:
    """Sum up how far a judge can be believed.

    Args:
        panels: Everything it said.
        cases: Both splits, with their rubric scores.
        model: The model that judged.
        agent_model: The model under test, or None.
        usage: Tokens and cost of all calls, as far as told.
    """
    reasons = unfit_reasons(panels)
    listed = tuple(cases)
    return JudgeResult(
        model=model,
        same_model=model == agent_model,
        fit=not reasons,
        reasons=reasons,
        panels=tuple(panels),
        errors=_errors(panels),
        inconsistent=_inconsistent(panels),
        controls={kind: _control(kind, panels) for kind in ControlKind},
        kappa=_kappa(listed),
        votes=vote_count(listed),
        usage=usage,
    )


def asked_ballots(panels: Iterable[Panel]) -> list[Ballot]:
    """Every call that was made."""
    return [ballot for panel in panels for ballot in (panel.forward, panel.backward) if ballot is not None]


def _kappa(cases: Iterable[CaseResult]) -> Metric:
    """Against what people gave, the mean rounded to a score, half up; the numerator counts what lies within a point."""
    pairs = [
        (math.floor(score.mean + 0.5), score.human)
        for case in cases
        for score in case.rubric.values()
        if score.mean is not None and score.human is not None
    ]
    within = sum(abs(one - other) <= 1 for one, other in pairs)
    return Metric(name="judge_kappa", value=quadratic_kappa(pairs), numerator=within, denominator=len(pairs))


def _errors(panels: Iterable[Panel]) -> Metric:
    asked = asked_ballots(panels)
    return _share("judge_errors", sum(ballot.failure is not None for ballot in asked), len(asked))


def _inconsistent(panels: Iterable[Panel]) -> Metric:
    agree = [pair.agrees for panel in panels for pair in in_both_orders(panel, TextSource.RUN)]
    return _share("judge_inconsistent", agree.count(False), len(agree))


def _control(kind: ControlKind, panels: Iterable[Panel]) -> Metric:
    answered = _answered(panels)
    return _share("judge_control", sum(kind in _taken(panel) for panel in answered), len(answered))


def _answered(panels: Iterable[Panel]) -> list[Panel]:
    """Those with an answer in at least one order."""
    return [panel for panel in panels if any(ballot.failure is None for ballot in asked_ballots([panel]))]


def _taken(panel: Panel) -> set[ControlKind]:
    """The controls that the judge took for an answer."""
    scored = [one for ballot in asked_ballots([panel]) for one in ballot.scores]
    return {one.control for one in scored if one.control is not None and one.score > HIGHEST_OF_A_CONTROL}


def _controls_reason(panels: Sequence[Panel]) -> Iterator[Note]:
    answered = _answered(panels)
    taken = [kinds for panel in answered if (kinds := _taken(panel))]
    if above_a_tenth(len(taken), len(answered)):
        counts = {kind: sum(kind in kinds for kinds in taken) for kind in ControlKind}
        controls = [{"kind": str(kind), "panels": count} for kind, count in counts.items() if count]
        values = {"taken": len(taken), "answered": len(answered), "controls": controls}
        yield Note(code="judge_controls", values=values)


def _inconsistent_reason(panels: Sequence[Panel]) -> Iterator[Note]:
    share = _inconsistent(panels)
    apart, scored = share.numerator or 0, share.denominator or 0
    if above_a_fifth(apart, scored):
        yield Note(code="judge_inconsistent", values={"apart": apart, "scored": scored})


def _errors_reason(panels: Sequence[Panel]) -> Iterator[Note]:
    asked = asked_ballots(panels)
    failures = Counter(ballot.failure for ballot in asked if ballot.failure is not None)
    failed = failures.total()
    if above_a_tenth(failed, len(asked)):
        worst = min(failures, key=lambda one: (-failures[one], one.kind, one.message))
        cause = {"kind": str(worst.kind), "message": worst.message}
        yield Note(code="judge_errors", values={"failed": failed, "calls": len(asked), **cause})


def _share(name: str, part: int, whole: int) -> Metric:
    value = part / whole if whole else None
    return Metric(name=name, value=value, numerator=part, denominator=whole, higher_is_better=False)
