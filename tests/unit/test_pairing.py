"""Which cases of two reports ask the same question."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.metrics.pairing import Pairing, pair_cases
from skill_evaluator.results import CaseResult
from tests.unit.blank_case import BLANK


def cases(*asked: str) -> list[CaseResult]:
    """`c1:p` is the case c1 that asks p."""
    return [replace(BLANK, id=one.split(":")[0], prompt_sha256=one.split(":")[1]) for one in asked]


def shown(pairing: Pairing) -> list[tuple[str, str]]:
    return [(new.id, old.id) for new, old in pairing.pairs]


def test_the_same_question_under_another_name_is_a_pair() -> None:
    pairing = pair_cases(cases("a:p", "b:q", "n:r"), cases("x:q", "y:p", "z:s"))

    assert shown(pairing) == [("a", "y"), ("b", "x")]
    assert [one.id for one in pairing.only_new] == ["n"]
    assert [one.id for one in pairing.only_old] == ["z"]


def test_another_right_answer_makes_another_question() -> None:
    old = [replace(one, expect_trigger=False) for one in cases("a:p")]

    assert shown(pair_cases(cases("a:p"), old)) == []


def test_a_question_that_stands_twice_is_paired_in_the_order_of_the_ids() -> None:
    assert shown(pair_cases(cases("b:p", "a:p"), cases("y:p", "x:p"))) == [("b", "y"), ("a", "x")]
    assert shown(pair_cases(cases("a:p", "b:p"), cases("x:p"))) == [("a", "x")]


def test_a_case_that_kept_its_name_keeps_its_partner() -> None:
    pairing = pair_cases(cases("a:p", "b:p"), cases("b:p", "c:p"))

    assert shown(pairing) == [("a", "c"), ("b", "b")]


@given(st.permutations(["a:p", "b:p", "c:q", "d:r"]), st.permutations(["a:q", "x:p", "y:p", "z:p"]))
def test_the_order_of_the_cases_does_not_matter(new: list[str], old: list[str]) -> None:
    pairing = pair_cases(cases(*new), cases(*old))

    assert sorted(shown(pairing)) == [("a", "x"), ("b", "y"), ("c", "a")]
    assert [one.id for one in pairing.only_new] == ["d"]
    assert [one.id for one in pairing.only_old] == ["z"]


@given(st.lists(st.sampled_from("pqr"), max_size=8), st.lists(st.sampled_from("pqr"), max_size=8))
def test_every_case_is_paired_once_or_left_over(new: list[str], old: list[str]) -> None:
    ours = cases(*(f"n{place}:{prompt}" for place, prompt in enumerate(new)))
    theirs = cases(*(f"o{place}:{prompt}" for place, prompt in enumerate(old)))
    pairing = pair_cases(ours, theirs)

    assert sorted([one.new.id for one in pairing.pairs] + [one.id for one in pairing.only_new]) == sorted(
        one.id for one in ours
    )
    assert sorted([one.old.id for one in pairing.pairs] + [one.id for one in pairing.only_old]) == sorted(
        one.id for one in theirs
    )
    assert all(one.new.prompt_sha256 == one.old.prompt_sha256 for one in pairing.pairs)
