"""Fluctuation within a case, and spread between repetitions."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import f1_score, recall_score

from skill_evaluator.metrics.cases import case_result
from skill_evaluator.metrics.limits import TENTH
from skill_evaluator.metrics.stability import is_unstable, spread, unstable_share
from skill_evaluator.model import Case, Failure, FailureKind, Run, Source, Split
from skill_evaluator.results import CaseResult

FAILURE = Failure(kind=FailureKind.TIMEOUT, message="300 s")


def case(letters: str) -> CaseResult:
    """A positive (+) or negative (-), and its runs: t triggered, n did not, e is an error, a blank was not run."""
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
        if x != " "
    ]
    return case_result(asked, [(run, ()) for run in runs], planned_runs=len(letters) - 1)


@pytest.mark.parametrize(
    ("letters", "unstable"),
    [("+ttt", False), ("+ttn", True), ("+tttttttttn", False), ("+ttttttttn", True), ("-tn", True), ("-eee", False)],
)
def test_more_than_a_tenth_of_the_runs_off_the_majority_is_unstable(letters: str, *, unstable: bool) -> None:
    """One run of ten is exactly 10 % and not above it; one of nine is."""
    assert is_unstable(case(letters)) is unstable


def test_unstable_share_covers_the_measured_cases() -> None:
    share = unstable_share([case("+ttn")] + [case("+ttt")] * 9 + [case("-eee")])

    assert (share.value, share.numerator, share.denominator) == (0.1, 1, 10)
    assert share.interval is not None
    assert not share.higher_is_better


def test_nothing_measured_has_no_unstable_share() -> None:
    assert unstable_share([case("+ee")]).value is None


def test_perfectly_repeatable_runs_show_no_fluctuation() -> None:
    """Cases that differ from each other are no variance: half of them always fail here."""
    results = [case("+ttt")] * 5 + [case("+nnn")] * 5

    assert unstable_share(results).value == 0.0
    assert spread(results) == {"f1": 0.0, "recall": 0.0, "false_trigger_rate": None}


def test_spread_is_the_range_over_repetitions() -> None:
    """By repetition: recall 2/2, 1/2, 2/2; false triggers 0/2, 1/2, 0/2; F1 4/4, 2/4, 4/4."""
    results = [case("+ttt"), case("+tnt"), case("-ntn"), case("-nnn")]

    assert spread(results) == {"f1": 0.5, "recall": 0.5, "false_trigger_rate": 0.5}


def test_a_spread_of_exactly_a_tenth_is_not_above_it() -> None:
    """Recall 4/10, then 3/10: in floats their difference is 0.10000000000000003."""
    results = [case("+tt")] * 3 + [case("+tn")] + [case("+nn")] * 6

    assert spread(results)["recall"] == TENTH


def test_an_error_takes_its_case_out_of_that_repetition_alone() -> None:
    """Repetition 1: one positive of one; repetition 2: one of two."""
    assert spread([case("+tt"), case("+en")])["recall"] == 0.5


@pytest.mark.parametrize("letters", ["+t", "+te", "+t ", "+ee", "-nn"])
def test_fewer_than_two_values_have_no_spread(letters: str) -> None:
    assert spread([case(letters)])["recall"] is None


@settings(max_examples=30)  # scikit-learn is slow on small tables
@given(st.lists(st.from_regex("[+-][tn]{3}", fullmatch=True), min_size=1, max_size=15))
def test_spread_agrees_with_sklearn_by_repetition(outcomes: list[str]) -> None:
    expected = [letters[0] == "+" for letters in outcomes]
    if not any(expected):
        outcomes, expected = [*outcomes, "+tnt"], [*expected, True]
    fired = [[letters[index] == "t" for letters in outcomes] for index in (1, 2, 3)]
    f1 = [f1_score(expected, answers, zero_division=0) for answers in fired]
    recall = [recall_score(expected, answers) for answers in fired]

    found = spread([case(letters) for letters in outcomes])
    assert found["f1"] == pytest.approx(max(f1) - min(f1), abs=1e-12)
    assert found["recall"] == pytest.approx(max(recall) - min(recall), abs=1e-12)


@given(st.lists(st.from_regex("[+-][tne]{3}", fullmatch=True), max_size=10))
def test_order_of_cases_does_not_matter(outcomes: list[str]) -> None:
    results = [case(letters) for letters in outcomes]

    assert spread(results) == spread(results[::-1])
    assert unstable_share(results) == unstable_share(results[::-1])


@given(st.integers(0, 12), st.integers(0, 12))
def test_the_bound_is_exact_for_every_count(triggered: int, quiet: int) -> None:
    off = Fraction(min(triggered, quiet), (triggered + quiet) or 1)

    assert is_unstable(case("+" + "t" * triggered + "n" * quiet)) is (off > Fraction(1, 10))
