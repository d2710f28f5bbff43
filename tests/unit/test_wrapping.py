"""Lines of a terminal break between words, and by columns rather than characters."""

from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.cli.wrapping import columns, cut, longest_piece, wrapped
from skill_evaluator.report.escape import display_width

WORDS = st.lists(st.text("ab一二，。（）", min_size=1, max_size=9), max_size=12).map(" ".join)


@given(WORDS, st.integers(12, 60))
def test_no_line_is_wider_than_the_terminal_but_for_one_long_word(text: str, width: int) -> None:
    for line in wrapped(text, width).split("\n"):
        assert display_width(line) <= width or longest_piece(line) > width - 2


@given(WORDS, st.integers(12, 60))
def test_nothing_is_lost(text: str, width: int) -> None:
    assert "".join(wrapped(text, width).split()) == "".join(text.split())


def test_a_chinese_mark_never_begins_a_line() -> None:
    assert wrapped("一二三四五，六七", 10).split("\n") == ["一二三四", "  五，六七"]


def test_where_nobody_knows_the_width_lines_stay() -> None:
    assert wrapped("a " * 200, None) == "a " * 200


def test_columns_of_wide_characters_stand_below_each_other() -> None:
    assert columns([["召回率", "1"], ["F1", "0.5"]], right=frozenset({1})) == ["召回率    1", "F1      0.5"]


def test_a_cut_text_says_so() -> None:
    assert cut("一二三四", 6) == "一二…"
