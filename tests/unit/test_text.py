"""The output holds a text, does not hold one, or matches a pattern."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.graders.evidence import TEXT_LIMIT
from skill_evaluator.graders.text import MATCH_LIMIT_S, Contains, Matches, NotContains
from skill_evaluator.model import Check, Outcome, Run


def look(check: Check, output: str | None) -> Outcome:
    return check.check(Run(case_id="c", triggered=True, output=output))


@pytest.mark.parametrize(
    ("text", "output", "held"),
    [
        ("level_id", '{"level_id": 7}', True),
        ("Level_id", '{"level_id": 7}', False),
        ("最终关", "已生成最终关。", True),
        ("最终关", "已生成最后一关。", False),
        ("a\nb", "a\r\nb", True),
        ("a\r\nb", "a\nb", True),
        ("caf\u00e9", "cafe\u0301 noir", True),
        ("cafe\u0301", "caf\u00e9 noir", True),
        ("cafe", "cafe\u0301", False),
        ("x", "", False),
        (".", "no dot", False),
    ],
)
def test_text_is_looked_for_exactly_but_for_ways_of_writing_it_down(text: str, output: str, *, held: bool) -> None:
    assert look(Contains(text=text), output).passed is held
    assert look(NotContains(text=text), output).passed is not held


def test_missing_text_is_named_with_the_output_it_is_missing_from() -> None:
    outcome = look(Contains(text="level_id"), "no id here")

    assert outcome.code == "contains_missing"
    assert outcome.evidence == {"missing": "level_id", "output": "no id here"}


def test_unwanted_text_is_named_with_its_place() -> None:
    outcome = look(NotContains(text="sorry"), "I am sorry, so sorry")

    assert outcome.code == "not_contains_found"
    assert outcome.evidence == {"found": "sorry", "output": "I am sorry, so sorry", "at": 5}


def test_long_output_is_cut_in_its_middle() -> None:
    shown = look(Contains(text="x"), "a" * 5_000 + "b" * 5_000).evidence["output"]

    assert isinstance(shown, str)
    assert len(shown) <= TEXT_LIMIT
    assert shown.startswith("aaa")
    assert shown.endswith("bbb")
    assert "8000 characters left out" in shown


@pytest.mark.parametrize("at", [0, 10, 5_000, 9_990])
def test_unwanted_text_stays_in_view_however_long_the_output(at: int) -> None:
    output = "a" * at + "BAD" + "a" * (9_997 - at)

    evidence = look(NotContains(text="BAD"), output).evidence
    assert "BAD" in str(evidence["output"])
    assert evidence["at"] == at
    assert len(str(evidence["output"])) < TEXT_LIMIT + 100


@pytest.mark.parametrize(
    ("pattern", "output", "held"),
    [
        (r"level_\d+", "level_7", True),
        (r"^done$", "first\ndone\nlast", True),
        (r"^done$", "first\r\ndone\r\nlast", True),
        (r"\Adone", "first\ndone", False),
        (r"(?i)DONE", "done", True),
        (r"DONE", "done", False),
        (r"a.b", "a\nb", False),
        (r"\p{Han}{3}", "最终关", True),
        ("caf\u00e9", "cafe\u0301", True),
        ("cafe\u0301", "caf\u00e9", True),
    ],
)
def test_pattern_is_searched_in_all_lines(pattern: str, output: str, *, held: bool) -> None:
    outcome = look(Matches(pattern=pattern), output)

    assert outcome.passed is held
    assert outcome.code == ("regex_ok" if held else "regex_missing")
    assert outcome.evidence == ({} if held else {"pattern": pattern, "output": output.replace("\r\n", "\n")})


def test_pattern_that_backtracks_for_ever_fails_in_time() -> None:
    started = time.monotonic()

    outcome = look(Matches(pattern="(a+)+$"), "a" * 100_000 + "b")
    assert outcome.passed is False
    assert outcome.code == "regex_timeout"
    assert outcome.evidence == {"pattern": "(a+)+$", "limit_s": MATCH_LIMIT_S}
    assert time.monotonic() - started < 20


@pytest.mark.parametrize("pattern", ["[", "(", r"\p{Nope}", "(" * 5_000 + ")" * 5_000, "(?<x"])
def test_pattern_that_does_not_compile_is_refused_when_it_is_read(pattern: str) -> None:
    with pytest.raises(ValueError, match="is not a regular expression"):
        Matches(pattern=pattern)


@pytest.mark.parametrize(
    ("pattern", "parts"),
    [("((((a{100}){100}){100}){100})", 100**4), ("a{9999999}", 9_999_999), (r"([)(]\){1000}x){1000}", 1_002_000)],
)
def test_pattern_that_would_fill_the_memory_is_refused_when_it_is_read(pattern: str, parts: int) -> None:
    with pytest.raises(ValueError, match=f"{parts} parts when written out"):
        Matches(pattern=pattern)


def test_ordinary_repetitions_are_not_refused() -> None:
    sha1 = "[0-9a-f]{40}"

    assert look(Matches(pattern=f"^{sha1} {sha1} {sha1} {sha1}$"), " ".join(["0f" * 20] * 4)).passed
    assert look(Matches(pattern=r"^(?:\d{1,3}\.){3}\d{1,3}$"), "127.0.0.1").passed


@pytest.mark.parametrize("check", [Contains(text="x"), NotContains(text="x"), Matches(pattern="x")])
def test_agent_without_output_is_neither_right_nor_wrong(check: Check) -> None:
    outcome = look(check, None)

    assert outcome.passed is None
    assert outcome.code == "not_run"


@given(st.text(st.characters(exclude_categories=())), st.text(min_size=1))
def test_any_text_is_held_or_not_but_never_both(output: str, text: str) -> None:
    held = unicodedata.normalize("NFC", text.replace("\r\n", "\n")) in unicodedata.normalize(
        "NFC", output.replace("\r\n", "\n")
    )

    found, absent = look(Contains(text=text), output), look(NotContains(text=text), output)
    assert found.passed is held
    assert absent.passed is not held
    for outcome in (found, absent):
        "".join(str(value) for value in outcome.evidence.values()).encode()  # can be written to a file
