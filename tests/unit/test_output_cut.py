"""An output that lost its middle: a check that the rest cannot decide says so, and never guesses."""

import pytest

from skill_evaluator.graders import Contains, Matches, NotContains, Params
from skill_evaluator.model import OUTPUT_GAP, Check, Run

HEAD, TAIL = "the level is ready. " + "a" * 40, "b" * 40 + ' {"level": 3}'
CUT = Run(case_id="c", triggered=True, output=HEAD + OUTPUT_GAP + TAIL, output_cut=True)


@pytest.mark.parametrize(
    ("check", "passed", "code"),
    [
        (Contains(text="level is"), True, "contains_ok"),
        (Contains(text="bbb {"), True, "contains_ok"),
        (Contains(text="castle"), None, "output_cut"),
        (Contains(text="left out"), None, "output_cut"),
        (Contains(text="ab"), None, "output_cut"),
        (NotContains(text="ready"), False, "not_contains_found"),
        (NotContains(text='"level": 3'), False, "not_contains_found"),
        (NotContains(text="castle"), None, "output_cut"),
        (NotContains(text="left out"), None, "output_cut"),
        (Matches(pattern="level"), None, "output_cut"),
        (Matches(pattern="castle"), None, "output_cut"),
        (Params(expected={"level": 3}), None, "output_cut"),
        (Params(expected={"level": 4}), None, "output_cut"),
    ],
)
def test_only_what_is_kept_decides(check: Check, *, passed: bool | None, code: str) -> None:
    outcome = check.check(CUT)

    assert (outcome.passed, outcome.code) == (passed, code)


def test_a_character_at_the_gap_is_not_taken_for_another() -> None:
    """The e of the head may be the e of an é whose accent was left out."""
    run = Run(case_id="c", triggered=True, output="a" * 100 + "cafe" + OUTPUT_GAP + "b", output_cut=True)

    assert Contains(text="cafe").check(run).passed is None


def test_the_mark_in_a_whole_output_is_a_text_like_any_other() -> None:
    run = Run(case_id="c", triggered=True, output=f"x{OUTPUT_GAP}y")

    assert Contains(text="left out").check(run).passed is True
    assert NotContains(text="z").check(run).passed is True
