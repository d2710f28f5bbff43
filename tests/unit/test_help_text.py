"""Help in the width of a terminal, in letters and in Chinese characters, which take two columns each."""

import pytest

from skill_evaluator.cli.help_text import fitted
from skill_evaluator.cli.wrapping import broken


def test_chinese_is_broken_anywhere_but_before_what_closes_and_after_what_opens() -> None:
    assert broken("一二三，四（五六）", 6) == ["一二", "三，四", "（五", "六）"]


def test_words_of_letters_stay_whole_among_chinese() -> None:
    assert broken("用 --output-dir 指定", 10) == ["用", "--output-dir", "指定"]


def test_lines_after_the_first_hang() -> None:
    assert broken("读取  一二三四", 10, 6) == ["读取  一二", "      三四"]


@pytest.mark.parametrize("width", [20, 40])
def test_what_fits_is_left_as_it_is(width: int) -> None:
    text = "读取  一二三\n      四五"
    assert fitted(text, width) == text


def test_a_text_below_its_label_is_put_together_without_blanks_between_chinese() -> None:
    assert fitted("读取  一二三四五\n      六七", 14) == "读取  一二三四\n      五六七"


def test_a_blank_stays_where_letters_meet_chinese() -> None:
    assert fitted("一二三四 abc\n五六", 8) == "一二三四\nabc 五六"
