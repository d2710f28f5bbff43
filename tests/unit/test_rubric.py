"""What a judge's scores come to, by item and by split."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.metrics.judge import judge_result, judged_scores, wanted_scores
from skill_evaluator.metrics.rubric import (
    Beside,
    Wanted,
    beside_baseline,
    rubric_means,
    rubric_pass_rate,
    rubric_scores,
)
from skill_evaluator.model import Split
from skill_evaluator.results import Ballot, CaseResult, Panel, RubricScore
from tests.unit.blank_case import BLANK
from tests.unit.judged_setup import PROSE, failed, fair, judged_cases, panel, shown

SCORES = st.lists(st.integers(1, 5), min_size=3, max_size=3)


def score(panels: Sequence[Panel], target: int = 4, human: int | None = None) -> RubricScore:
    return rubric_scores({"clarity": Wanted(target, human)}, panels)["clarity"]


def case(**means: tuple[float | None, bool | None]) -> CaseResult:
    return replace(
        BLANK,
        id="p",
        split=Split.ACCEPTANCE,
        rubric={
            item: RubricScore(target=4, mean=mean, passed=passed, runs=3, inconsistent=0)
            for item, (mean, passed) in means.items()
        },
    )


def test_a_fair_judge_s_scores_arrive_whatever_the_order() -> None:
    for seed in range(20):
        found = score([panel(fair([5, 3, 4], [2, 3]), baseline=2, seed=seed)])

        assert found == RubricScore(target=4, mean=4.0, passed=True, runs=3, inconsistent=0, baseline_mean=2.5)


def test_a_run_counts_with_the_mean_of_both_orders() -> None:
    found = score([shown([4, 3, 5], [3, 3, 4])])  # 3.5, 3 and 4.5

    assert (found.mean, found.passed, found.runs, found.inconsistent) == (22 / 6, False, 3, 0)


def test_a_run_whose_orders_differ_by_more_than_a_point_is_left_out() -> None:
    found = score([shown([5, 1, 4], [3, 5, 5])])  # 2 and 4 points apart, then 1

    assert (found.mean, found.passed, found.runs, found.inconsistent) == (4.5, True, 1, 2)


def test_a_run_that_one_order_alone_scored_is_in_no_mean() -> None:
    whole = panel(fair([5, 5, 5]))

    for lost in (None, Ballot(failure=PROSE)):
        assert score([replace(whole, backward=lost)]).mean is None


def test_what_was_not_judged_is_undefined_and_keeps_its_target() -> None:
    nothing = RubricScore(target=4, mean=None, passed=None, runs=0, inconsistent=0, human=2)

    assert score([], human=2) == nothing
    assert score([failed()], human=2) == nothing
    assert score([panel(fair([5, 5, 5]), item="another")], human=2) == nothing


@pytest.mark.parametrize(("scores", "passed"), [([4, 4, 4], True), ([4, 4, 3], False), ([5, 4, 3], True)])
def test_an_item_passes_when_its_mean_reaches_the_target(scores: list[int], passed: bool) -> None:
    assert score([panel(fair(scores))]).passed is passed


def test_the_pass_rate_is_of_the_items_that_have_a_mean() -> None:
    cases = [
        case(clarity=(4.5, True), tone=(2.0, False)),
        case(clarity=(3.0, False), tone=(None, None)),
        case(clarity=(4.0, True)),
        case(),
    ]
    rate = rubric_pass_rate(cases, seed=0)

    assert (rate.value, rate.numerator, rate.denominator) == (2 / 4, 2, 4)
    assert rate.interval is not None
    assert 0 <= rate.interval.low < 0.5 < rate.interval.high <= 1


def test_a_pass_rate_of_nothing_is_undefined() -> None:
    rate = rubric_pass_rate([case(), case(clarity=(None, None))], seed=0)

    assert (rate.value, rate.numerator, rate.denominator, rate.interval) == (None, 0, 0, None)


def test_where_all_items_pass_there_is_no_interval() -> None:
    assert rubric_pass_rate([case(clarity=(5.0, True))] * 3, seed=0).interval is None


def test_every_case_counts_alike_in_the_mean_of_an_item() -> None:
    means = rubric_means([case(clarity=(4.5, True), tone=(None, None)), case(clarity=(3.0, False))])

    assert {item: (mean.value, mean.denominator) for item, mean in means.items()} == {
        "clarity": (3.75, 2),
        "tone": (None, 0),
    }


def test_only_cases_with_outputs_of_both_versions_stand_beside_the_baseline() -> None:
    both, other = (
        replace(one, rubric={"clarity": replace(one.rubric["clarity"], baseline_mean=old)})
        for one, old in ((case(clarity=(5.0, True)), 3.0), (case(clarity=(4.0, True)), 2.0))
    )

    assert beside_baseline([both, other, case(clarity=(1.0, False))]) == {"clarity": Beside(4.5, 2.5, 2)}
    assert beside_baseline([case(clarity=(1.0, False))]) == {}


@given(st.lists(SCORES, min_size=2, max_size=4), st.lists(SCORES, min_size=2, max_size=4), st.randoms())
def test_the_order_of_panels_and_of_texts_does_not_matter(
    forward: list[list[int]], backward: list[list[int]], draw: random.Random
) -> None:
    cases = judged_cases({"clarity": 4}, {"clarity": 3})
    panels = [shown(one, other, f"p{place}") for place, (one, other) in enumerate(zip(forward, backward, strict=False))]
    moved = [shuffled(one, draw.sample) for one in draw.sample(panels, len(panels))]
    wanted = wanted_scores(cases)

    assert judged_scores(wanted, moved) == judged_scores(wanted, panels)
    results = [case(clarity=(4.5, True))]
    one, other = (judge_result(said, results, model="j", agent_model=None) for said in (moved, panels))
    assert replace(one, panels=()) == replace(other, panels=())


def shuffled(one: Panel, sample: Callable[..., list[object]]) -> Panel:
    assert one.forward is not None
    assert one.backward is not None
    texts = [Ballot(scores=tuple(sample(ballot.scores, len(ballot.scores)))) for ballot in (one.forward, one.backward)]  # type: ignore[arg-type]  # of Scored
    return replace(one, forward=texts[0], backward=texts[1])
