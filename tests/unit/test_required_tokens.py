"""Each token is in the translation as often as it is named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.graders.translation import RequiredTokens
from skill_evaluator.model import OUTPUT_GAP, Outcome, Run


def look(output: str | None, *tokens: str, is_cut: bool = False) -> Outcome:
    return RequiredTokens(tokens=tokens).check(Run(case_id="c", output=output, output_cut=is_cut))


@pytest.mark.parametrize(
    ("output", "tokens", "code"),
    [
        ("Hallo, %s!", ["%s"], "ok"),
        ("Hallo, %s und %s!", ["%s"], "ok"),
        ("Hallo!", ["%s"], "token_missing"),
        ("%s", ["%s", "%s"], "token_count_mismatch"),
        ("%s%s", ["%s", "%s"], "ok"),
        ("%s", ["%s", "%s", "%d"], "token_missing"),
        ("%sx", ["%s"], "ok"),
        ("%sx", ["%s", "%sx"], "token_missing"),
        ("%sx %s", ["%s", "%sx"], "ok"),
        ("%s %sx", ["%sx", "%s"], "ok"),
        ("%sx %sx", ["%s", "%sx"], "token_missing"),
        ("aaa", ["aa", "aa"], "token_count_mismatch"),
        ("aaaa", ["aa", "aa"], "ok"),
        ("shop", ["SHOP"], "token_missing"),
        ("a.c", ["."], "ok"),
        ("abc", ["."], "token_missing"),
        ("金币 HP", ["HP", "金币"], "ok"),
        ("a\nb", ["a\r\nb"], "token_missing"),
        ("\ud800", ["\ud800"], "ok"),
        ("x", ["", "x"], "ok"),
    ],
)
def test_tokens_are_counted_without_overlap_and_the_longest_first(output: str, tokens: list[str], code: str) -> None:
    assert look(output, *tokens).code == code


def test_what_is_lacking_is_told_with_its_counts() -> None:
    outcome = look("%s", "%s", "%s", "%d", "\ud800")

    assert outcome.message == "The translation should hold '%d' once, but does not hold it."
    assert outcome.evidence == {
        "codes": ["token_missing", "token_count_mismatch"],
        "lacking": 3,
        "tokens": [
            {"token": "%s", "expected": 2, "actual": 1},
            {"token": "%d", "expected": 1, "actual": 0},
            {"token": "\ufffd", "expected": 1, "actual": 0},
        ],
    }
    assert look("%s", "%s", "%s").message == "The translation should hold '%s' 2 times, but holds it once."


def test_another_normal_form_is_another_text_and_said_so() -> None:
    outcome = look("Cafe\u0301", "Caf\u00e9")

    assert outcome.code == "token_missing"
    assert "another Unicode normal form" in outcome.message
    assert outcome.evidence["tokens"] == [
        {"token": "Caf\u00e9", "expected": 1, "actual": 0, "in_another_normal_form": True}
    ]
    assert "normal form" not in look("Cafe", "Caf\u00e9").message


def test_evidence_stays_short() -> None:
    outcome = look("", *(f"{number}{'x' * 1_000}" for number in range(100)))

    assert outcome.evidence["lacking"] == 100
    assert len(str(outcome.evidence)) < 8_000


def test_no_translation_is_not_looked_at() -> None:
    assert (look(None, "a").passed, look(None, "a").code) == (None, "not_run")


def test_translation_that_is_not_whole_is_decided_only_where_the_tokens_are_there() -> None:
    cut = f"a{'.' * 40}{OUTPUT_GAP}b"
    assert look(cut, "a", "b", is_cut=True).code == "ok"
    assert look(cut, "a", "a", is_cut=True).code == "output_cut"


@given(st.lists(st.text(min_size=1, max_size=5), min_size=1, max_size=6), st.text(max_size=3))
def test_tokens_that_cannot_run_together_are_all_found(tokens: list[str], other: str) -> None:
    apart = [f"\x00{token}\x01" for token in tokens]

    assert look(other.join(["", *apart, ""]), *apart).passed
    assert not look(other.join(["", *apart[1:], ""]), *apart).passed


@pytest.mark.parametrize(
    ("output", "is_told"), [("按［Ｅ］交谈", True), ("按【E】交谈", False), ("按 E 交谈！", False)]
)
def test_token_in_full_width_characters_is_named_as_such(output: str, *, is_told: bool) -> None:
    outcome = look(output, "[E]")

    assert outcome.code == "token_missing"
    assert ("full-width" in outcome.message) == is_told
