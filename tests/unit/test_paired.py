"""The same cases asked of two versions: what flipped, and what that shows of each rate."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_evaluator.metrics.cases import decide
from skill_evaluator.metrics.paired import RATES, evidence, gate_level, paired_result
from skill_evaluator.metrics.pairing import pair_cases
from skill_evaluator.metrics.split import split_result
from skill_evaluator.model import Aspect, Split
from skill_evaluator.results import CaseResult, Evidence, Interval, PairedResult

REGRESSED, IMPROVED, NOISE, TOO_FEW = Evidence


def case(name: str, right: int, *, positive: bool = True, valid: int = 3, passed: bool | None = None) -> CaseResult:
    """A case of which so many valid runs were right, and whose output passed, did not, or was not looked at."""
    fired = right if positive else valid - right
    decision = decide(fired, valid, expected=positive)
    return CaseResult(
        id=name,
        split=Split.ACCEPTANCE,
        expect_trigger=positive,
        prompt=name,
        prompt_sha256=f"hash of {name}",
        sha256=f"all of {name}",
        planned_runs=3,
        valid_runs=valid,
        triggered_runs=fired,
        decision=decision,
        fluctuation=None,
        successes=right,
        aspects={} if passed is None or not decision else {Aspect.OUTPUT: passed},
    )


def positives(*right: int) -> list[CaseResult]:
    return [case(f"p{place:02}", one) for place, one in enumerate(right)]


def negatives(*right: int) -> list[CaseResult]:
    return [case(f"n{place:02}", one, positive=False) for place, one in enumerate(right)]


def paired(new: Sequence[CaseResult], old: Sequence[CaseResult]) -> PairedResult:
    return paired_result(pair_cases(new, old), seed=0)


def words(result: PairedResult) -> dict[str, Evidence]:
    return {name: change.evidence for name, change in result.changes.items()}


@pytest.mark.parametrize(("old", "new", "difference"), [(4, 9, 0.5), (9, 4, -0.5)])
def test_04_to_09_is_half_up(old: int, new: int, difference: float) -> None:
    """Whichever way round; the roles are named, not sorted."""
    before, after = (positives(*[3] * one, *[0] * (10 - one)) for one in (old, new))
    recall = paired(after, before).changes["recall"]

    assert recall.difference == pytest.approx(difference)
    assert recall.evidence is (IMPROVED if difference > 0 else REGRESSED)
    assert recall.interval is not None
    assert min(recall.interval.low * difference, recall.interval.high * difference) > 0


def test_more_false_triggers_are_a_loss() -> None:
    result = paired(negatives(*[0] * 8, 3, 3), negatives(*[3] * 10))
    rate = result.changes["false_trigger_rate"]

    assert rate.difference == pytest.approx(0.8)
    assert rate.evidence is REGRESSED
    assert words(paired(negatives(*[3] * 10), negatives(*[0] * 8, 3, 3)))["false_trigger_rate"] is IMPROVED


def test_flips_are_named_and_tested() -> None:
    result = paired(positives(3, 0, 1, 3, 3), positives(3, 3, 2, 0, 2))

    assert (result.worsened, result.improved) == (("p01", "p02"), ("p03",))
    assert result.mcnemar_p == 2 * (1 / 8 + 3 / 8) - 3 / 8
    assert paired(positives(3, 3), positives(2, 3)).mcnemar_p is None


def test_a_negative_that_fires_now_has_flipped_to_wrong() -> None:
    result = paired(negatives(0, 3), negatives(3, 0))

    assert (result.worsened, result.improved) == (("n00",), ("n01",))


def test_runs_move_where_no_decision_does() -> None:
    result = paired(positives(*[2] * 12), positives(*[3] * 11, 2))

    assert (result.worsened, result.improved) == ((), ())
    assert result.changes["recall"].difference == pytest.approx(-11 / 36)
    assert result.changes["recall"].evidence is REGRESSED


def test_a_skill_that_fell_silent_has_no_interval_and_has_regressed() -> None:
    """All cases changed alike, so that drawing again shows nothing; five heads in a row are enough."""
    silent = paired(positives(*[0] * 5), positives(*[3] * 5)).changes["recall"]

    assert (silent.difference, silent.interval, silent.gate_interval, silent.evidence) == (-1.0, None, None, REGRESSED)


def test_four_cases_are_too_few_whatever_they_show() -> None:
    result = paired(positives(0, 0, 0, 0), positives(3, 3, 3, 3))

    assert words(result)["recall"] is TOO_FEW
    assert result.changes["recall"].interval is None


def test_nothing_that_changed_is_within_noise() -> None:
    same = [*positives(*[3] * 6), *negatives(*[3] * 6)]

    assert set(words(paired(same, same)).values()) == {NOISE}


def test_a_case_without_a_valid_run_is_named_and_counts_nowhere() -> None:
    new = [*positives(*[3] * 6), case("lost", 0, valid=0)]
    old = [*positives(*[3] * 5), case("p05", 0, valid=0), case("lost", 3)]
    result = paired(new, old)

    assert (result.shared, result.unmeasured) == (7, ("p05", "lost"))
    assert result.changes["recall"].cases == 5
    assert (result.worsened, result.improved) == ((), ())


def test_cases_of_one_report_alone_are_counted() -> None:
    result = paired([*positives(3, 3), case("new", 0)], [*positives(3, 3), case("a", 0), case("b", 0)])

    assert (result.shared, result.only_new, result.only_old) == (2, ("new",), 2)
    assert result.changes["recall"].difference == 0


def test_a_rate_that_one_report_lacks_is_absent() -> None:
    assert "precision" not in words(paired(positives(*[0] * 6), positives(*[3] * 6)))
    assert "false_trigger_rate" not in words(paired(positives(3), positives(3)))
    assert words(paired([], [])) == {}


def test_only_the_same_checks_are_compared() -> None:
    old = [case(f"p{place}", 3, passed=True) for place in range(8)]
    new = [case(f"p{place}", 3, passed=False) for place in range(8)]
    rewritten = [replace(one, sha256="other checks") if one.id in {"p0", "p1"} else one for one in new]

    assert paired(new, old).changes["output_pass_rate"].cases == 8
    assert paired(rewritten, old).changes["output_pass_rate"].cases == 6
    assert paired(rewritten, old).changes["recall"].cases == 8
    assert paired(new, old).changes["output_pass_rate"].evidence is REGRESSED


def rights() -> st.SearchStrategy[list[tuple[int, int]]]:
    return st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=8)


def both(of_positives: Iterable[tuple[int, int]], of_negatives: Iterable[tuple[int, int]]) -> list[list[CaseResult]]:
    ours, theirs = list(of_positives), list(of_negatives)
    return [[*positives(*(one[side] for one in ours)), *negatives(*(one[side] for one in theirs))] for side in (0, 1)]


@settings(max_examples=30)
@given(rights(), rights())
def test_a_difference_is_that_of_the_rates_over_runs(
    ours: list[tuple[int, int]], theirs: list[tuple[int, int]]
) -> None:
    new, old = both(ours, theirs)
    found, (after, before) = paired(new, old).changes, [split_result(side, seed=0) for side in (new, old)]

    for name in ("precision", "recall", "f1", "false_trigger_rate"):
        now, then = after.run_metrics[name].value, before.run_metrics[name].value
        if now is None or then is None:
            assert name not in found
        else:
            assert found[name].difference == pytest.approx(now - then, abs=1e-12)
    values = [side.metrics["pass_hat_k"].value or 0 for side in (after, before)]
    assert found["pass_hat_k"].difference == pytest.approx(values[0] - values[1], abs=1e-12)


@settings(max_examples=30)
@given(rights(), rights())
def test_names_and_order_of_the_cases_do_not_matter(
    ours: list[tuple[int, int]],
    theirs: list[tuple[int, int]],
) -> None:
    new, old = both(ours, theirs)
    renamed = [replace(one, id=f"z{one.id}") for one in reversed(old)]
    there, again = paired(new, old), paired(new[::-1], renamed)

    assert again.changes == there.changes
    assert (sorted(again.worsened), again.mcnemar_p) == (sorted(there.worsened), there.mcnemar_p)


@settings(max_examples=30)
@given(rights(), rights())
def test_the_two_directions_mirror_each_other(ours: list[tuple[int, int]], theirs: list[tuple[int, int]]) -> None:
    new, old = both(ours, theirs)
    there, back = paired(new, old), paired(old, new)

    assert (there.worsened, there.improved) == (back.improved, back.worsened)
    assert there.mcnemar_p == back.mcnemar_p
    for name, change in there.changes.items():
        assert change.difference == pytest.approx(-back.changes[name].difference, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "interval", "word"),
    [
        ("recall", Interval(low=-0.3, high=-0.01), REGRESSED),
        ("recall", Interval(low=-0.3, high=0.0), NOISE),
        ("recall", Interval(low=0.01, high=0.3), IMPROVED),
        ("recall", Interval(low=-0.3, high=-1e-16), NOISE),  # what floats leave of 0
        ("false_trigger_rate", Interval(low=-0.3, high=-0.01), IMPROVED),
        ("false_trigger_rate", Interval(low=0.01, high=0.3), REGRESSED),
    ],
)
def test_an_interval_without_0_decides(name: str, interval: Interval, word: Evidence) -> None:
    assert evidence(name, 9, (interval.low + interval.high) / 2, interval) is word
    assert evidence(name, 4, 0.0, interval) is TOO_FEW


def test_five_per_cent_are_shared_out_by_what_can_be_lost() -> None:
    triggers = dict.fromkeys(("precision", "recall", "f1", "false_trigger_rate", "pass_hat_k"), 30)

    assert gate_level(triggers) == pytest.approx(1 - 0.1 / 3)
    assert gate_level({**triggers, "output_pass_rate": 5}) == pytest.approx(0.975)
    assert gate_level({**triggers, "output_pass_rate": 4}) == gate_level(triggers)  # too few to tell anything


def test_every_rate_of_a_split_has_a_paired_one() -> None:
    rates = {name for name, metric in split_result([], seed=0).metrics.items() if metric.unit == "ratio"}

    assert set(RATES) == rates
