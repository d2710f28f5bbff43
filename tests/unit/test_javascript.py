"""Patterns mean what they mean in JavaScript."""

import json
import random
import shutil
import subprocess
from collections.abc import Sequence

import pytest

from skill_evaluator.graders.javascript import (
    MAX_PATTERN,
    MAX_PROPERTIES,
    MAX_TEXT,
    NoAnswer,
    count_matches,
    first_match,
    has_match,
    pattern_fault,
)
from tests.unit.javascript_rows import NEWER_ROWS, ROWS

_ASK_NODE = """
const rows = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(rows.map(([pattern, flags, text]) => {
  try {
    const global = new RegExp(pattern, flags).global ? flags : flags + "g";
    return [...text.matchAll(new RegExp(pattern, global))].length;
  } catch { return null; }
})));
"""


def ask_node(rows: Sequence[tuple[str, str, str]]) -> list[int | None]:
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    answer = subprocess.run(
        ["node", "-e", _ASK_NODE], input=json.dumps(rows), capture_output=True, text=True, check=True, timeout=300
    )
    found: list[int | None] = json.loads(answer.stdout)
    return found


def ours(pattern: str, flags: str, text: str) -> int | None:
    counted = count_matches(pattern, flags, text)
    if isinstance(counted, NoAnswer):
        assert counted.why == "bad_pattern", counted
        return None
    return counted


@pytest.mark.parametrize(("pattern", "flags", "text", "matches"), [*ROWS, *NEWER_ROWS])
def test_patterns_mean_what_javascript_means(pattern: str, flags: str, text: str, matches: int | None) -> None:
    assert ours(pattern, flags, text) == matches
    assert (pattern_fault(pattern, flags) is None) == (matches is not None)
    found, first = has_match(pattern, flags, text), first_match(pattern, flags, text)
    if matches is None:
        assert isinstance(found, NoAnswer)
        assert isinstance(first, NoAnswer)
        assert found.why == first.why == "bad_pattern"
    else:
        assert found is (matches > 0)
        assert isinstance(first, slice) is found


def test_the_table_is_what_node_says() -> None:
    assert ask_node([row[:3] for row in ROWS]) == [row[3] for row in ROWS]


_PIECES = [
    *"abAk-/",
    *(
        "é",
        "😀",
        "ß",
        "\\d",
        "\\w",
        "\\b",
        "^",
        "$",
        ".",
        "*",
        "+",
        "?",
        "*?",
        "{2}",
        "{",
        "}",
        "(",
        "(?:",
        "(?=",
        "(?!",
    ),
    *(
        "(?<=",
        "(?<!",
        "(?<n>",
        "\\k<n>",
        ")",
        "|",
        "[",
        "[^",
        "]",
        "\\1",
        "\\x61",
        "\\u{61}",
        "\\uD83D",
        "\\p{L}",
        "\\P{L}",
    ),
    *("\\s", "\\0", "\\", "&&", "--", "::", "\n", "\\cA", "\\-"),
]


def made_of_anything(seed: int) -> list[tuple[str, str, str]]:
    chance = random.Random(seed)  # noqa: S311 - the same patterns each time
    return [
        (
            "".join(chance.choices(_PIECES, k=chance.randint(1, 7))),
            chance.choice(["", "u", "v"]) + "".join(flag for flag in "gimsy" if chance.random() < 0.2),
            "".join(chance.choices("abAé😀 1\nkßs{]-", k=chance.randint(0, 8))),
        )
        for _ in range(2_000)
    ]


def test_patterns_made_of_anything_mean_what_node_says() -> None:
    rows = made_of_anything(seed=5)
    counts = [ours(*row) for row in rows]

    assert counts == ask_node(rows)
    assert sum(count is not None for count in counts) > 500


def test_a_reason_is_given_for_a_pattern_that_does_not_compile() -> None:
    assert pattern_fault("(ok") == "expecting ')'"
    assert pattern_fault("ok", "gg") == "invalid regular expression flags"


def test_each_question_starts_at_the_front() -> None:
    """A pattern with `g` or `y` remembers in JavaScript where it ended."""
    assert [has_match("x", "g", "x") for _ in range(3)] == [True, True, True]
    assert [has_match("x", "y", "x") for _ in range(3)] == [True, True, True]


@pytest.mark.parametrize(
    ("pattern", "text", "covered"),
    [
        ("ok", "x😀ok", "ok"),
        ("(?<=\ude00)o", "😀o", None),
        ("é+", "caféé", "éé"),
        ("^", "ab", ""),
        ("..o", "a😀o", "😀o"),
    ],
)
def test_a_match_is_placed_by_characters(pattern: str, text: str, covered: str | None) -> None:
    found = first_match(pattern, "", text)

    assert (text[found] if isinstance(found, slice) else found) == covered


@pytest.mark.parametrize(
    ("pattern", "text", "covered"),
    [
        ("a.", "a😀b", slice(0, 1)),
        (".a", "😀a b", slice(1, 2)),
        ("\\ude00ab", "x😀ab", slice(2, 4)),
        ("\\ude00", "x😀ab", slice(2, 2)),
        ("\\ude00.\\ud83d", "😀a😀", slice(1, 2)),
        ("(?=\\ude00)", "x😀", slice(2, 2)),
    ],
)
def test_half_a_character_at_the_ends_of_a_match_is_left_out(pattern: str, text: str, covered: slice) -> None:
    assert first_match(pattern, "", text) == covered


def test_lone_surrogates_are_replaced_before_anything_is_asked() -> None:
    assert has_match("\ufffd", "", "a\ud800b") is True
    assert has_match("a\udc00", "", "a\ufffd") is True
    assert count_matches(".", "", "\ud800\ud800") == 2


def test_text_may_hold_anything() -> None:
    everything = "".join(chr(code) for code in range(0x3000))

    assert has_match("\\0", "", everything) is True
    assert count_matches("[^]", "", everything) == 0x3000


@pytest.mark.parametrize("size", [2_000_000, 10_000_000])
def test_long_texts_are_searched_to_their_end(size: int) -> None:
    assert has_match("Skill$", "", "x" * size + "Skill") is True
    assert has_match("[^x]Skill$", "", "x" * size + "éSkill") is True


def test_a_text_beyond_the_limit_has_no_answer_rather_than_a_wrong_one() -> None:
    for answer in (has_match("x", "", "x" * (MAX_TEXT + 1)), count_matches("x", "", "x" * (MAX_TEXT + 1))):
        assert isinstance(answer, NoAnswer)
        assert (answer.why, answer.message) == ("limits", "the text is longer than 16777216 characters")


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("a" * (MAX_PATTERN + 1), "x"),
        ("\\p{L}" * (MAX_PROPERTIES + 1), "x"),
        ("(" * 300 + ")" * 300, "x"),  # QuickJS counts 255 groups at most
        ("(?:" * 9_000 + ")" * 9_000, "x"),
        ("(?:(a)|(b)|(x))*y", "x" * 8_000_000),  # remembers each step: out of memory before out of time
    ],
    ids=["long", "properties", "groups", "deep", "memory"],
)
def test_a_limit_that_javascript_does_not_have_is_no_fault_of_the_pattern(pattern: str, text: str) -> None:
    answer = has_match(pattern, "u", text)

    assert isinstance(answer, NoAnswer)
    assert answer.why == "limits"
    assert pattern_fault(pattern, "u") is None
    assert has_match("x", "", "x") is True  # the next question is answered as if nothing had been


def test_a_pattern_with_many_matches_is_counted_to_the_end() -> None:
    assert count_matches("", "", "x" * 300_000) == 300_001
    assert count_matches("", "u", "😀" * 300_000) == 300_001
    assert count_matches(".", "", "😀" * 300_000) == 600_000
