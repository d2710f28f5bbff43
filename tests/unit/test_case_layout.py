"""What many cases have alike is laid out once, and each has its own words."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.report.escape import Html, Md
from skill_evaluator.report.in_html import html_line
from skill_evaluator.report.page.case_layout import Layout
from skill_evaluator.report.phrases import phrases


@dataclass(frozen=True, kw_only=True, slots=True)
class View:
    SLOTS: ClassVar = ("sort", "expected", "actual")

    sort: Md | None
    expected: Md
    actual: Md


GIVEN = View(sort=None, expected=Html("<b>x</b>"), actual=Html("y"))


@pytest.fixture(scope="module")
def layout() -> Layout:
    return Layout(phrases("en", "html"))


def test_words_stand_where_the_macro_puts_them(layout: Layout) -> None:
    first, second = GIVEN, replace(GIVEN, expected=Html("z"), actual=Html(""))
    third = replace(GIVEN, sort=Html("s"))

    for view in (first, second, third, first):
        assert layout.filled("expected", view) == layout.made("expected", view)


def test_what_is_no_html_is_escaped(layout: Layout) -> None:
    assert "<dd>&lt;0.01</dd>" in layout.filled("expected", replace(GIVEN, actual=Md("<0.01")))


@given(st.text(), st.text())
def test_no_text_of_others_is_taken_for_a_place(one: str, other: str) -> None:
    made: Any = Layout(phrases("en", "html"))
    view = replace(GIVEN, expected=Html(html_line(one)), actual=Html(html_line(f"\0{other}\0")))

    assert made.filled("expected", GIVEN) == made.made("expected", GIVEN)
    assert made.filled("expected", view) == made.made("expected", view)
