"""A judge that cannot be believed is unmasked."""

from dataclasses import replace

import pytest

from skill_evaluator.metrics.judge import judge_result, judged_scores, unfit_reasons, wanted_scores
from skill_evaluator.model import Split
from skill_evaluator.results import Ballot, CaseResult, ControlKind, JudgeResult, Note, Panel, RubricScore
from tests.unit.blank_case import BLANK
from tests.unit.judged_setup import (
    PROSE,
    Judge,
    always_first,
    always_five,
    failed,
    fair,
    judged_cases,
    obeys,
    panel,
    prefers_longer,
    shown,
)


def by(judge: Judge, panels: int = 10) -> list[Panel]:
    return [panel(judge, f"p{number}", seed=number) for number in range(panels)]


def summed_up(panels: list[Panel], *results: CaseResult, agent_model: str | None = None) -> JudgeResult:
    return judge_result(panels, results, model="judge-1", agent_model=agent_model)


def codes(panels: list[Panel]) -> list[str]:
    return [note.code for note in unfit_reasons(panels)]


def test_a_fair_judge_is_fit() -> None:
    judge = summed_up(by(fair([4, 5, 3])))

    assert (judge.fit, judge.reasons) == (True, ())
    assert (judge.errors.value, judge.errors.denominator) == (0.0, 20)
    assert (judge.inconsistent.value, judge.inconsistent.denominator) == (0.0, 30)
    assert {share.value for share in judge.controls.values()} == {0.0}


def test_a_judge_that_scores_whatever_stands_first_takes_a_control_for_an_answer() -> None:
    """One control stands at an end of every order, so it is first in one of both."""
    panels = by(always_first)
    [reason] = [note for note in unfit_reasons(panels) if note.code == "judge_controls"]

    assert (reason.values["taken"], reason.values["answered"]) == (10, 10)
    assert not summed_up(panels).fit


def test_a_judge_that_gives_five_to_everything_takes_all_controls_for_answers() -> None:
    [reason] = unfit_reasons(by(always_five))

    assert reason.code == "judge_controls"
    assert reason.values["controls"] == [{"kind": str(kind), "panels": 10} for kind in ControlKind]


@pytest.mark.parametrize(
    ("judge", "kind"), [(obeys, ControlKind.ASKS_FOR_FIVE), (prefers_longer, ControlKind.LONG_OFF_TOPIC)]
)
def test_a_judge_that_one_kind_of_control_fools_is_told_by_it(judge: Judge, kind: ControlKind) -> None:
    panels = by(judge)

    assert unfit_reasons(panels) == (
        Note(
            code="judge_controls",
            values={"taken": 10, "answered": 10, "controls": [{"kind": str(kind), "panels": 10}]},
        ),
    )
    shares = {one: share.value for one, share in summed_up(panels).controls.items()}
    assert shares == {**dict.fromkeys(ControlKind, 0.0), kind: 1.0}


def test_a_judge_that_returns_prose_is_all_errors() -> None:
    judge = summed_up([failed(f"p{number}") for number in range(3)])

    assert judge.reasons == (
        Note(
            code="judge_errors",
            values={"failed": 6, "calls": 6, "kind": "api", "message": PROSE.message},
        ),
    )
    assert [judge.errors.value, judge.inconsistent.value, judge.kappa.value] == [1.0, None, None]
    assert {share.value for share in judge.controls.values()} == {None}


def test_one_panel_in_ten_may_take_a_control_for_an_answer() -> None:
    assert codes([*by(fair([4, 4, 4]), 9), panel(always_five)]) == []
    assert codes([*by(fair([4, 4, 4]), 8), panel(always_five)]) == ["judge_controls"]


def test_a_control_may_score_two() -> None:
    assert codes(by(lambda text, _place: 2 if text.control else 4)) == []
    assert codes(by(lambda text, _place: 3 if text.control else 4)) == ["judge_controls"]


def test_one_score_in_five_may_be_inconsistent() -> None:
    steady, moved = shown([4, 4], [4, 4]), shown([4], [2])

    assert codes([steady, steady, moved]) == []
    assert codes([steady, shown([4], [4]), moved]) == ["judge_inconsistent"]
    assert unfit_reasons([steady, shown([4], [4]), moved])[0].values == {"apart": 1, "scored": 4}


def test_one_call_in_ten_may_fail() -> None:
    whole, half = panel(fair([4, 4, 4])), replace(panel(fair([4, 4, 4])), backward=Ballot(failure=PROSE))

    assert codes([whole] * 4 + [half]) == []
    assert codes([whole] * 3 + [half]) == ["judge_errors"]


def test_a_judge_that_was_asked_nothing_is_unfit_for_that() -> None:
    half = replace(panel(fair([4, 4, 4])), backward=None)

    assert codes([]) == codes([half]) == ["judge_nothing"]


def test_reasons_stand_in_their_order() -> None:
    panels = [panel(always_five), shown([5, 5], [1, 1]), failed()]

    assert codes(panels) == ["judge_controls", "judge_inconsistent", "judge_errors"]


def test_an_unfit_judge_scores_nothing() -> None:
    wanted = wanted_scores(judged_cases({"clarity": 4}))

    assert judged_scores(wanted, by(always_five)) == {}
    assert set(judged_scores(wanted, by(fair([4, 4, 4]), 1))) == {f"p{number}" for number in range(6)}


def test_negatives_are_not_judged() -> None:
    negative = replace(judged_cases({"clarity": 4})[-1], rubric={"clarity": 4})

    assert wanted_scores([negative]) == {}


def test_a_judge_of_the_agent_s_own_model_is_told() -> None:
    assert summed_up([], agent_model="judge-1").same_model
    assert not summed_up([], agent_model="agent-1").same_model
    assert not summed_up([], agent_model=None).same_model


def test_agreement_with_people_is_over_means_rounded_half_up() -> None:
    means = {"a": (2.5, 3), "b": (4.4, 4), "c": (1.0, 1), "d": (5.0, None), "e": (None, 5)}
    rubric = {
        item: RubricScore(target=4, mean=mean, passed=None, runs=0, inconsistent=0, human=human)
        for item, (mean, human) in means.items()
    }
    result = replace(
        BLANK,
        id="p",
        split=Split.TUNING,
        rubric=rubric,
    )
    kappa = summed_up([], result).kappa

    assert (kappa.value, kappa.numerator, kappa.denominator) == (1.0, 3, 3)  # 3 and 3, 4 and 4, 1 and 1
