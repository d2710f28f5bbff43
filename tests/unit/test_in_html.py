"""Texts of others are shown on a page as text, and words of ours keep what they stress."""

from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from skill_evaluator.report.escape import Md, table, visible
from skill_evaluator.report.in_html import html_code, html_text, words_in_html
from skill_evaluator.report.phrases import phrases

HOSTILE = "</script><img src=x onerror=alert(1)> & \"'`**x**` \u202e\x00\x1b[31m"


def shown(markup: str) -> str:
    return "".join(str(text) for text in html.fromstring(f"<div>{markup}</div>").itertext())


@given(st.text(max_size=300))
def test_a_quoted_text_is_text(text: str) -> None:
    assert shown(html_code(text)) == (visible(text) or '""')


def test_a_text_with_lines_keeps_them() -> None:
    assert shown(html_text("a\r\nb\tc\x00<i>")) == "a\nb\tc␀<i>"


def test_a_page_escapes_whatever_is_not_marked_as_html() -> None:
    say = phrases("en", "html")
    template = say.environment.from_string("{{ text }} {{ number }} {{ made }} {{ count }}")

    page = template.render(text=HOSTILE, number=Md("<0.0001"), made=table([Md("a|b")], [[Md("<5.0")]]), count=3)

    assert "<img" not in page
    assert shown(page) == f"{visible(HOSTILE)} <0.0001 a|b<5.0 3"


def test_a_macro_of_a_page_gives_html() -> None:
    template = phrases("en", "html").environment.from_string(
        "{% macro x(a) %}<b>{{ a }}</b>{% endmacro %}{{ x(text) }}"
    )

    assert template.render(text="<i>") == "<b><code>&lt;i&gt;</code></b>"


def test_what_words_stress_is_marked_up_around_their_values() -> None:
    assert words_in_html("en")["page.estimate"].startswith("⚠️ <strong>")
    assert not any("**" in text for lang in ("en", "zh") for text in words_in_html(lang).values())


def test_a_value_is_never_taken_for_markup_of_ours() -> None:
    said = phrases("en", "html").quote("**a** `b` {{ c }}")

    assert said == "<code>**a** `b` {{ c }}</code>"
