"""A translation is short enough, whatever a character is."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from skill_evaluator.graders.translation.max_chars import MaxChars, Unit, count_chars
from skill_evaluator.model import OUTPUT_GAP, Outcome, Run

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
FLAG = "\U0001f1e9\U0001f1ea"
HALF_A_FLAG = "\U0001f1e9"
RAINBOW_FLAG = "\U0001f3f3\ufe0f\u200d\U0001f308"
ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"


def look(output: str | None, limit: int, unit: Unit = "graphemes", *, is_cut: bool = False) -> Outcome:
    return MaxChars(limit=limit, unit=unit).check(Run(case_id="c", output=output, output_cut=is_cut))


@pytest.mark.parametrize(
    ("text", "graphemes", "codepoints", "size"),
    [
        ("", 0, 0, 0),
        ("abc", 3, 3, 3),
        ("a\nb", 3, 3, 3),
        ("a\r\nb", 3, 4, 4),
        ("\r\r\n\n", 3, 4, 4),
        ("关卡 7", 4, 4, 8),
        ("e\u0301", 1, 2, 3),  # e with a combining acute
        ("\u00e9", 1, 1, 2),
        ("a\u0308\u0301b", 2, 4, 6),
        ("\u0301", 1, 1, 2),  # a mark with nothing to stand on
        (FLAG, 1, 2, 8),
        (FLAG * 2, 2, 4, 16),
        (FLAG + HALF_A_FLAG, 2, 3, 12),
        (f"a{FLAG}a", 3, 4, 10),
        (FAMILY, 1, 7, 25),
        (RAINBOW_FLAG, 1, 4, 14),
        (ENGLAND, 1, 7, 28),
        ("\U0001f44d\U0001f3fd", 1, 2, 8),  # thumbs up with a skin tone
        ("1\ufe0f\u20e3", 1, 3, 7),  # keycap
        ("a\u200db", 2, 3, 5),  # a joiner joins no letters
        ("\u1112\u1161\u11ab\u1100\u1173\u11af", 2, 6, 18),  # hangul in jamo
        ("\ud55c\uae00", 2, 2, 6),  # the same, composed
        ("\uac00\u11a8", 1, 2, 6),
        ("\u1100\u1100\u1161", 1, 3, 9),
        ("\u0928\u093f", 1, 2, 6),  # devanagari ni
        ("\u0915\u094d\u0937\u093f", 1, 4, 12),  # kshi, a conjunct
        ("\u0915\u094d \u0937", 3, 4, 10),
        ("\u0e01\u0e33", 1, 2, 6),  # thai kam
        ("\u0ba8\u0bbf", 1, 2, 6),  # tamil ni
        ("\u0600\u0661", 1, 2, 4),  # an arabic number sign belongs to its digits
        ("\u200b", 1, 1, 3),  # a zero-width space breaks on both sides
        ("\x00\u202e", 2, 2, 4),
        ("\ud800", 1, 1, 3),
        ("\ud800\udc00", 2, 2, 6),
    ],
)
def test_characters_are_counted(text: str, graphemes: int, codepoints: int, size: int) -> None:
    units: tuple[Unit, ...] = ("graphemes", "codepoints", "bytes")
    assert [count_chars(text, unit) for unit in units] == [graphemes, codepoints, size]


# Each way in which characters join: controls, marks, joiners, flags, jamo, emoji, conjuncts and prepended signs. A
# virama stands after a consonant here: Unicode 18 lets it join without one, and the other program knows Unicode 17.
JOINING = (
    *("a", " ", "\r", "\n", "\x00", "\u00ad", "\u0301", "\u200d", "\u200c", "\ufe0f", "\u20e3", "\u0903", "\u093f"),
    *(
        "\U0001f1e9",
        "\U0001f1ea",
        "\u1100",
        "\u1161",
        "\u11a8",
        "\uac00",
        "\uac01",
        "\U0001f469",
        "\U0001f3fd",
        "\u2764",
    ),
    *(
        "\u0915",
        "\u0937\u094d",
        "\u0937\u0301\u094d",
        "\u093c",
        "\u0995",
        "\u0995\u09cd\u200d",
        "\u0600",
        "\u0e33",
        "\U000e0067",
        "关",
        "©",
    ),
)


@given(st.lists(st.sampled_from(JOINING), max_size=12).map("".join))
@example(HALF_A_FLAG * 63)
@example(HALF_A_FLAG * 64)
@example("\u0600" + HALF_A_FLAG * 65 + "\u0301")
@example("a" + HALF_A_FLAG * 130 + "\u200d" + HALF_A_FLAG * 131 + "a")
def test_graphemes_are_those_of_another_program(text: str) -> None:
    other = pytest.importorskip("unicode_segmentation_rs", reason="install unicode-segmentation-rs to compare with it")

    assert count_chars(text, "graphemes") == len(other.graphemes(text, is_extended=True))


@pytest.mark.parametrize(("limit", "passed"), [(1, False), (2, True), (3, True)])
def test_limit_is_the_most_that_is_allowed(limit: int, *, passed: bool) -> None:
    outcome = look(FLAG + FAMILY, limit)

    assert outcome.passed is passed
    assert outcome.code == ("ok" if passed else "too_long")
    assert outcome.evidence == {"count": 2, "limit": limit, "unit": "graphemes"}


def test_message_says_how_long_it_is() -> None:
    assert look("ab", 1).message == "The translation has 2 graphemes, and no more than 1 are allowed."
    assert look("é", 1, "bytes").message == "The translation has 2 bytes, and no more than 1 are allowed."
    assert look("a", 1, "codepoints").message == "The translation has 1 code point."


def test_no_translation_is_not_looked_at() -> None:
    assert (look(None, 1).passed, look(None, 1).code) == (None, "not_run")


def test_translation_that_is_not_whole_is_too_long_where_what_is_there_is() -> None:
    cut = f"{'a' * 50}{OUTPUT_GAP}{'b' * 50}"
    assert look(cut, 60, is_cut=True).code == "too_long"
    # The last 32 characters before the gap may be joined with what followed, as may the two ends with one another.
    assert look(cut, 67, is_cut=True).code == "output_cut"
    assert look(cut, 1_000, is_cut=True).passed is None


@pytest.mark.parametrize("run", [FLAG * 200_000, "\u0301" * 200_000, FAMILY * 20_000, "\u0915\u094d" * 100_000])
def test_long_runs_are_counted(run: str) -> None:
    expected = {FLAG[0]: 200_000, FAMILY[0]: 20_000}.get(run[0], 1)
    assert count_chars(run, "graphemes") == expected
