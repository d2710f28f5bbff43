"""Precision, recall, F1 and false-trigger rate against hand counts and scikit-learn."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix, precision_recall_fscore_support

from skill_evaluator.metrics.cases import case_result
from skill_evaluator.metrics.intervals import wilson_interval
from skill_evaluator.metrics.trigger import case_metrics, confusion, do_nothing_metrics, run_metrics
from skill_evaluator.model import Case, Failure, FailureKind, Run, Source, Split
from skill_evaluator.results import CaseResult, Confusion, Metric

FAILURE = Failure(kind=FailureKind.RATE_LIMIT, message="429")
SEED = 3
OUTCOMES = st.lists(st.from_regex("[+-][tne]{1,5}", fullmatch=True), max_size=25)


def case(letters: str) -> CaseResult:
    """A positive (+) or negative (-), and its runs: t triggered, n did not, e is an error."""
    asked = Case(
        id="c",
        prompt="p",
        split=Split.ACCEPTANCE,
        expect_trigger=letters[0] == "+",
        sha256="a",
        prompt_sha256="b",
        source=Source(path="t.json"),
    )
    runs = [
        Run(case_id="c", index=i, triggered={"t": True, "n": False}.get(x), failure=FAILURE if x == "e" else None)
        for i, x in enumerate(letters[1:])
    ]
    return case_result(asked, [(run, ()) for run in runs], planned_runs=len(runs))


def cases(*, tp: int = 0, fn: int = 0, fp: int = 0, tn: int = 0) -> list[CaseResult]:
    return [case("+ttt")] * tp + [case("+nnn")] * fn + [case("-ttt")] * fp + [case("-nnn")] * tn


def values(metrics: dict[str, Metric]) -> tuple[float | None, ...]:
    return tuple(metrics[name].value for name in ("precision", "recall", "f1", "false_trigger_rate"))


def from_sklearn(expected: Sequence[bool], fired: Sequence[bool]) -> tuple[float | None, ...]:
    """The same four; null where it is undefined, and F1 too without positives."""
    if not expected:
        return None, None, None, None
    precision, recall, f1, _ = precision_recall_fscore_support(
        expected, fired, labels=[True], average=None, zero_division=np.nan
    )
    (tn, fp), _ = confusion_matrix(expected, fired, labels=[False, True])
    numbers = (precision[0], recall[0], f1[0] if any(expected) else math.nan, fp / (fp + tn) if fp + tn else math.nan)
    return tuple(None if math.isnan(number) else float(number) for number in numbers)


def test_the_example_of_15_triggers_and_16_positives() -> None:
    """P = 14/15, R = 14/16: F1 = 28 / (28 + 1 + 2) = 28/31."""
    metrics = case_metrics(cases(tp=14, fp=1, fn=2, tn=11), seed=SEED)

    assert values(metrics) == (14 / 15, 14 / 16, 28 / 31, 1 / 12)
    assert round(28 / 31, 4) == 0.9032
    assert (metrics["precision"].numerator, metrics["precision"].denominator) == (14, 15)
    assert (metrics["recall"].numerator, metrics["recall"].denominator) == (14, 16)
    assert (metrics["f1"].numerator, metrics["f1"].denominator) == (None, 28)
    assert (metrics["false_trigger_rate"].numerator, metrics["false_trigger_rate"].denominator) == (1, 12)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({"fn": 3, "tn": 3}, (None, 0.0, 0.0, 0.0)),  # nothing fired: precision is undefined, not 1
        ({"fp": 1, "tn": 3}, (0.0, None, None, 0.25)),  # no positives
        ({"tp": 2, "fn": 2}, (1.0, 0.5, 2 / 3, None)),  # no negatives
        ({"fp": 2, "fn": 2}, (0.0, 0.0, 0.0, 1.0)),
        ({}, (None, None, None, None)),
    ],
)
def test_undefined_is_none_and_never_a_number(counts: dict[str, int], expected: tuple[float | None, ...]) -> None:
    assert values(case_metrics(cases(**counts), seed=SEED)) == expected
    assert values(run_metrics(cases(**counts), seed=SEED)) == expected


@given(OUTCOMES)
def test_case_metrics_agree_with_sklearn(outcomes: list[str]) -> None:
    results = [case(letters) for letters in outcomes]
    measured = [result for result in results if result.decision is not None]
    expected = from_sklearn([r.expect_trigger is True for r in measured], [r.decision is True for r in measured])

    assert values(case_metrics(results, seed=SEED)) == pytest.approx(expected, abs=1e-12)


@settings(max_examples=50)  # scikit-learn is slow on small tables
@given(OUTCOMES)
def test_run_metrics_agree_with_sklearn(outcomes: list[str]) -> None:
    runs = [(letters[0] == "+", letter == "t") for letters in outcomes for letter in letters[1:] if letter != "e"]
    expected = from_sklearn([expect for expect, _ in runs], [fired for _, fired in runs])

    metrics = run_metrics([case(letters) for letters in outcomes], seed=SEED)
    assert values(metrics) == pytest.approx(expected, abs=1e-12)


@given(OUTCOMES)
def test_every_case_stands_in_one_cell_or_is_unmeasured(outcomes: list[str]) -> None:
    table = confusion(case(letters) for letters in outcomes)

    assert table.true_positives + table.false_negatives <= sum(letters[0] == "+" for letters in outcomes)
    assert table.unmeasured == sum(set(letters[1:]) == {"e"} for letters in outcomes)
    cells = table.true_positives + table.false_negatives + table.false_positives + table.true_negatives
    assert cells + table.unmeasured == len(outcomes)


@given(OUTCOMES, st.text("e", min_size=1, max_size=3))
def test_an_error_is_never_a_miss(outcomes: list[str], errors: str) -> None:
    """A rate limit or a timeout says nothing about the skill: no rate and no interval moves."""
    clean = [case(letters) for letters in outcomes]
    broken = [case(letters + errors) for letters in outcomes]
    broken += [case("+" + errors), case("-" + errors)]

    assert case_metrics(broken, seed=SEED) == case_metrics(clean, seed=SEED)
    assert run_metrics(broken, seed=SEED) == run_metrics(clean, seed=SEED)
    assert do_nothing_metrics(broken) == do_nothing_metrics(clean)


@given(OUTCOMES.flatmap(lambda rows: st.tuples(st.just(rows), st.permutations(rows))))
def test_order_of_cases_does_not_matter(orders: tuple[list[str], list[str]]) -> None:
    one, other = ([case(letters) for letters in rows] for rows in orders)

    assert case_metrics(one, seed=SEED) == case_metrics(other, seed=SEED)
    assert run_metrics(one, seed=SEED) == run_metrics(other, seed=SEED)


def test_a_case_without_a_valid_run_is_in_no_cell() -> None:
    assert confusion([case("+eee"), case("+tte")]) == Confusion(
        true_positives=1, false_negatives=0, false_positives=0, true_negatives=0, unmeasured=1
    )


def test_a_tie_counts_against_the_skill() -> None:
    assert confusion([case("+tn"), case("-tn")]) == Confusion(
        true_positives=0, false_negatives=1, false_positives=1, true_negatives=0
    )


def test_rates_over_cases_have_wilson_intervals() -> None:
    metrics = case_metrics(cases(tp=14, fp=1, fn=2, tn=11), seed=SEED)

    assert metrics["precision"].interval == wilson_interval(14, 15)
    assert metrics["recall"].interval == wilson_interval(14, 16)
    assert metrics["false_trigger_rate"].interval == wilson_interval(1, 12)


def test_f1_lies_within_its_bootstrap_interval() -> None:
    interval = case_metrics(cases(tp=14, fp=1, fn=2, tn=11), seed=SEED)["f1"].interval

    assert interval is not None
    assert 0.7 < interval.low < 28 / 31 < interval.high <= 1.0


def test_runs_of_one_case_are_not_taken_for_independent() -> None:
    """Twenty runs in two cases: an interval that took them for twenty would be far too narrow."""
    metrics = run_metrics([case("+" + "t" * 10), case("+" + "n" * 10)], seed=SEED)
    recall = metrics["recall"]

    assert (recall.value, recall.numerator, recall.denominator) == (0.5, 10, 20)
    assert recall.interval is not None
    assert (recall.interval.low, recall.interval.high) == (0.0, 1.0)


def test_doing_nothing_scores_what_it_deserves() -> None:
    metrics = do_nothing_metrics([*cases(tp=4, fp=3, tn=9), case("+ee")])

    assert values(metrics) == (None, 0.0, 0.0, 0.0)
    assert (metrics["recall"].denominator, metrics["false_trigger_rate"].denominator) == (4, 12)
    assert all(metric.interval is None for metric in metrics.values())


def test_only_the_false_trigger_rate_is_better_when_lower() -> None:
    metrics = case_metrics([], seed=SEED)

    assert {name for name, metric in metrics.items() if not metric.higher_is_better} == {"false_trigger_rate"}
