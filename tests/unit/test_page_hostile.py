"""Whatever texts of others hold, a page has no element and no attribute but its own, and the texts show."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html as lxml_html

from skill_evaluator.model import Failure, FailureKind, Outcome, ToolCall
from skill_evaluator.report.escape import visible
from skill_evaluator.results import Report, RunState
from tests.hostile import ODD_TEXTS, bounded
from tests.unit.case_pages import document, made_case, page_of, with_cases

ATTACKS = (
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<!-- <script>",
    '" onmouseover="alert(1)',
    "' autofocus onfocus='alert(1)",
    "</pre></details></section><iframe src=//x>",
    "{{ 7 * 7 }} {% raw %} ${7}",
    "\u202eabc\u2066\u200b\u200f\ufeff",
    "\x00\x1b[31mred\x1b[0m\x08",
    "\ud800 lone \udfff",
    "javascript:alert(1)",
    "&lt;b&gt; &amp;amp; &#60;",
    "]]><svg onload=alert(1)>",
)
TEXTS = (
    st.sampled_from((*ATTACKS, *ODD_TEXTS))
    | st.text(max_size=60)
    | st.text(st.characters(categories=["Cc", "Cf", "Cs", "Zl", "Zp", "Lo"]), max_size=20)
)
# All that the templates put out.
ELEMENTS = frozenset(
    (
        *("html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "h3", "h4", "h5", "p", "noscript"),
        *("form", "label", "input", "select", "option", "button", "div", "table", "thead", "tr", "th", "td", "tbody"),
        *("a", "span", "i", "b", "nav", "details", "summary", "pre", "dl", "dt", "dd", "section", "ol", "li", "code"),
        *("script", "strong"),
    )
)
ATTRIBUTES = frozenset(
    (
        *("lang", "charset", "name", "content", "http-equiv", "id", "class", "data-shown", "data-pages", "data-none"),
        *("hidden", "type", "autocomplete", "value", "role", "tabindex", "aria-labelledby", "aria-label", "aria-sort"),
        *("aria-hidden", "scope", "data-column", "href", "open"),
    )
)


def hostile(text: str, other: str) -> Report:
    """A report that has these texts wherever others choose them."""
    case = made_case(1, runs=4)
    outcome = Outcome(passed=False, code=text or "x", message=other, evidence={text: [other, {other: text}]})
    verdict = replace(case.runs[0].verdicts[0], grader=text, outcome=outcome)
    runs = (
        replace(case.runs[0], output=text, skills_invoked=(text, other), verdicts=(verdict,)),
        replace(case.runs[1], tool_calls=(ToolCall(name=text, arguments={other: text, text: [other]}),)),
        replace(
            case.runs[2],
            state=RunState.ERROR,
            failure=Failure(kind=FailureKind.API, message=text),
            output=None,
            verdicts=(),
        ),
        replace(case.runs[3], state=RunState.NOT_TRIGGERED, output=other),
    )
    bent = replace(case, id=text or "x", prompt=f"{other} {text}", tags=(text, other), runs=runs, decision=False)
    plain = tuple(made_case(number, output=text) for number in range(2, 56))
    return with_cases((bent, *(replace(one, prompt=text, tags=(other,)) for one in plain)))


def pieces(tree: Any) -> Iterator[Any]:  # noqa: ANN401 - lxml has no types
    """Every element of a page, those that wait as data among them."""
    yield from tree.iter()
    for block in tree.xpath("//script[@type='application/json']"):
        stored = json.loads(block.text)
        for markup in stored if isinstance(stored, list) else ():
            wrapped = f"<table>{markup}</table>" if markup.startswith("<tr") else f"<div>{markup}</div>"
            yield from lxml_html.fragment_fromstring(wrapped).iter()


def assert_ours(tree: Any) -> None:  # noqa: ANN401 - lxml has no types
    for element in pieces(tree):
        assert isinstance(element.tag, str), f"a comment: {element}"
        assert element.tag in ELEMENTS, element.tag
        assert set(element.attrib) <= ATTRIBUTES, element.attrib
    scripts = tree.xpath("//script[not(@type='application/json')]")
    assert len(scripts) == 1


@given(TEXTS, TEXTS)
@bounded(40)
def test_texts_add_no_element_and_no_attribute(text: str, other: str) -> None:
    assert_ours(document(hostile(text, other)))


@pytest.mark.parametrize("text", ATTACKS)
def test_texts_show_with_signs_for_what_cannot_be_seen(text: str) -> None:
    tree = document(hostile(text, "other"))
    [card] = tree.xpath("//details[starts-with(@id, 'case-:1')]")

    assert visible(text) in [pre.text_content() for pre in card.xpath(".//pre")]
    assert f"other {visible(text)}" in card.xpath("./pre")[0].text_content()
    assert visible(text) in card.xpath("./summary/b")[0].text_content()
    assert visible(text) in [code.text_content() for code in card.xpath(".//ol/li/code")]


@pytest.mark.parametrize("text", ATTACKS)
def test_no_character_that_hides_or_reorders_text_is_left(text: str) -> None:
    page = page_of(hostile(text, text))

    page.encode("utf-8")  # a lone surrogate cannot be written
    assert not set(page) & set("\x00\x1b\x08\u202e\u2066\u200b\u200f\ufeff")


def test_a_line_of_a_million_characters_loses_its_middle() -> None:
    page = page_of(hostile("<" * 1_000_000, "b" * 1_000_000))

    assert_ours(lxml_html.document_fromstring(page))
    assert len(page.encode()) < 15_000_000
    assert "[…980000…]" in page
