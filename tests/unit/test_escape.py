import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from skill_evaluator.report.escape import (
    SHOWN_CHARACTERS,
    Md,
    code,
    cut_middle,
    display_width,
    markdown_table,
    table,
    visible,
)
from skill_evaluator.report.phrases import phrases

HOSTILE = (
    "a | b",
    "`",
    "``x` `",
    "ends with `",
    " leading and trailing ",
    "   ",
    "\\",
    "\\|",
    "x\\",
    "<script>alert(1)</script>",
    "</details>",
    "<!-- hidden -->",
    "# heading",
    "- item\n- item",
    "1. item",
    "> quote",
    "```\nfence",
    "    indented",
    "[text](https://example.org)",
    "![image](x.png)",
    "https://example.org",
    "[x]: https://example.org",
    "---",
    "| a | b |\n|---|---|",
    "*a* **b** _c_ ~~d~~",
    "&lt;b&gt; &amp;",
    "a  \nb\\\nc",
    "\r\n\t",
    "\x00\x1b[31mred\x1b[0m\x07",
    "\u202eevil\u202c",
    "\u2028\u2029\ufeff\u200b",
    "\ud800",
    "{{ 7 * 7 }} {% raw %}",
    "$`x`$ @somebody #12",
)
PIECES = st.sampled_from((*HOSTILE, "|", "\\", "`", "<", ">", "\n", " ", "x", "中", "👩‍💻"))
texts = st.lists(PIECES, min_size=1, max_size=8).map("".join) | st.text(min_size=1)

PARSER = MarkdownIt("js-default", {"html": True})


def inline_tokens(markdown: str) -> list[Token]:
    return [child for token in PARSER.parse(markdown) for child in token.children or ()]


@pytest.mark.parametrize("text", HOSTILE)
def test_text_of_others_is_one_code_span_that_shows_it(text: str) -> None:
    tokens = inline_tokens(f"before {code(text)} after")

    assert [token.type for token in tokens] == ["text", "code_inline", "text"]
    assert tokens[1].content == visible(text)


@given(texts)
@example("`" * 40)
def test_any_text_is_one_code_span_that_shows_it(text: str) -> None:
    tokens = inline_tokens(f"before {code(text, limit=10**6)} after")

    assert [token.type for token in tokens] == ["text", "code_inline", "text"]
    assert tokens[1].content == visible(text)


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=3))
def test_any_text_stays_in_its_cell(rows: list[tuple[str, str]]) -> None:
    shown = markdown_table(table([Md("one"), Md("two")], [[code(one), code(two)] for one, two in rows]))

    tokens = PARSER.parse(f"{shown}\n\nafter\n")
    cells = [token.children or [] for token in tokens if token.type == "inline"][2:-1]
    assert [[child.type for child in cell] for cell in cells] == [["code_inline"]] * (2 * len(rows))
    assert [cell[0].content for cell in cells] == [
        visible(cut_middle(text, 400, "[…{cut}…]")) for row in rows for text in row
    ]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in shown.splitlines()} == {3}


def test_what_could_hide_or_reorder_text_is_made_visible() -> None:
    assert visible("a\nb\tc\x1b[1m\x00\x7f\u202e\u2066\u00ad\u2028\ufeff\x9b") == (
        "a↵b␉c␛[1m␀␡⟨U+202E⟩⟨U+2066⟩⟨U+00AD⟩⟨U+2028⟩⟨U+FEFF⟩⟨U+009B⟩"
    )


def test_ordinary_text_of_any_script_stays_as_it_is() -> None:
    text = "Grüße 做个最终关 กำลัง עברית 👩\u200d💻 e\u0301"

    assert visible(text) == text


def test_an_empty_text_leaves_no_open_code_span() -> None:
    assert [token.type for token in inline_tokens(f"{code('')} and {code('x')}")] == ["text", "code_inline"]


def test_a_long_text_loses_its_middle_and_says_how_much() -> None:
    text = "a" * 600_000 + "b" * 600_000

    shown = code(text, mark="[{cut} left out]")

    assert shown == f"`{'a' * 200}[{1_200_000 - SHOWN_CHARACTERS} left out]{'b' * 200}`"


@given(st.text(), st.integers(1, 20))
def test_a_cut_text_keeps_its_ends(text: str, limit: int) -> None:
    shown = cut_middle(text, limit, "<{cut}>")

    head, mark, tail = shown.partition(f"<{len(text) - limit}>")
    assert shown == text if len(text) <= limit else (mark and text.startswith(head) and text.endswith(tail))
    assert len(text) <= limit or len(head) + len(tail) == limit


def test_a_row_of_another_width_is_refused() -> None:
    with pytest.raises(ValueError, match="another number of cells"):
        table([Md("a"), Md("b")], [[Md("1")]])


def test_wide_characters_take_two_columns() -> None:
    assert (display_width("准确率"), display_width("F1"), display_width("e\u0301")) == (6, 2, 1)
    lines = markdown_table(table([Md("指标"), Md("值")], [[Md("F1"), Md("1")]])).splitlines()
    assert len({display_width(line) for line in lines}) == 1


@given(texts)
def test_a_template_that_forgets_to_escape_still_quotes(text: str) -> None:
    template = phrases("en").environment.from_string("{{ text }}{% for one in [text] %} {{ one }}{% endfor %}")

    assert [token.type for token in inline_tokens(template.render(text=text))] == ["code_inline", "text", "code_inline"]


@pytest.mark.parametrize(
    "source", ["{{ safe ~ text }}", "{{ safe + text }}", "{{ [safe, text]|join }}", "{{ safe|upper }}"]
)
def test_markdown_that_touched_other_text_is_no_longer_trusted(source: str) -> None:
    shown = phrases("en").environment.from_string(source).render(safe=Md("**safe**"), text="<b>")

    assert [token.type for token in inline_tokens(shown)] == ["code_inline"]


@pytest.mark.parametrize("value", [0.5, True, None, {}, [], object()])
def test_a_value_without_an_agreed_look_is_a_bug(value: object) -> None:
    template = phrases("en").environment.from_string("{{ value }}")

    with pytest.raises(TypeError, match="no agreed look"):
        template.render(value=value)
