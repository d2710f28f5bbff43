import sys

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.graders.translation.placeholders.icu_message import POUND, Argument, Choice, Message, skeleton
from skill_evaluator.graders.translation.placeholders.icu_parser import (
    MOST_LEVELS,
    MalformedMessage,
    parse_message,
)


def read(text: str) -> Message | str:
    try:
        return parse_message(text)
    except MalformedMessage as error:
        return str(error)


def nested(levels: int) -> str:
    return "{g, select, other {" * levels + "{n}" + "}}" * levels


@pytest.mark.parametrize(
    ("text", "placeholders"),
    [
        ("plain", ""),
        ("{name}", "{name}"),
        ("{ name }", "{name}"),
        ("{0} and {größe} and {数}", "{0} {größe} {数}"),
        ("{n, number}", "{n, number}"),
        ("{n,number,  ::.00 percent }", "{n, number, ::.00 percent}"),
        ("{d, date, h 'o''clock' '}' a{b}}", "{d, date, h 'o''clock' '}' a{b}}"),
        ("it's {n}", "{n}"),
        ("'{n}' {m}", "{m}"),
        ("l'{n} and {m}", ""),
        ("l''{n}", "{n}"),
        ("'{''}' {n}", "{n}"),
        ("# {n}", "{n}"),
        ("<b>{n}</b>", "{n}"),
        ("a } {n}", "{n}"),
        ("{n, plural, one {# file} other {# files}}", "{n, plural, one {#} other {#}}"),
        ("{n,plural,offset:1 =0{a}other{'#' #}}", "{n, plural, offset:1 =0 {} other {#}}"),
        ("{n, plural, offset:0 other {}}", "{n, plural, other {}}"),
        ("{n, selectordinal, other {{n}th in {place}}}", "{n, selectordinal, other {{n} {place}}}"),
        ("{n, plural, other {{g, select, other {#}}}}", "{n, plural, other {{g, select, other {}}}}"),
        ("{g, select, 1 {a} other {{x}}}", "{g, select, 1 {} other {{x}}}"),
    ],
)
def test_what_a_message_holds(text: str, placeholders: str) -> None:
    assert skeleton(parse_message(text)) == placeholders


def test_a_message_becomes_a_tree() -> None:
    assert parse_message("{a} {n, plural, offset:1 one {# {d, date, short}} other {}}") == (
        Argument("a"),
        Choice("n", "plural", "1", {"one": (POUND, Argument("d", "date", "short")), "other": ()}),
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "at character 2 the text ends where the name of an argument is expected in what begins at character 1"),
        ("{}", "at character 2 stands `}` where the name of an argument is expected in what begins at character 1"),
        ("{a", "at character 3 the text ends where a comma or a closing brace after {a is expected"),
        ("{a-b}", "at character 3 stands `-` where a comma or a closing brace after {a is expected"),
        ("{a,}", "at character 4 stands `}` where the type of {a, ...} is expected"),
        ("{a, number, }", "at character 13 stands `}` where a style is expected"),
        ("{a, number, 'x}", "at character 16 the text ends where a second apostrophe is expected"),
        ("{a, number, x", "at character 14 the text ends where a closing brace is expected"),
        ("{a, plural}", "at character 11 stands `}` where a comma before its branches is expected"),
        ("{a, plural, one {}}", "at character 19 stands `}` where a branch `other` is expected"),
        ("{a, plural, other x}", "at character 19 stands `x` where a text in braces after `other` is expected"),
        ("{a, plural, other {}", "at character 21 the text ends where a closing brace is expected"),
        ("{a, plural, other {'}}", "at character 23 the text ends where a closing brace is expected"),
        ("{a, plural, =x {} other {}}", "at character 14 stands `x` where a number after `=` is expected"),
        ("{a, plural, offset:x other {}}", "at character 20 stands `x` where a number after `offset:` is expected"),
        ("{a, select, b {} b {} other {}}", "before character 19 there is a second branch `b`"),
        ("{a\x1b[2J}", "at character 4 stands `[` where a comma or a closing brace after {a\\x1b is expected"),
    ],
)
def test_a_broken_message_is_told_where_it_breaks(text: str, reason: str) -> None:
    with pytest.raises(MalformedMessage) as caught:
        parse_message(text)

    assert reason in str(caught.value)


def test_nesting_is_bounded() -> None:
    assert skeleton(parse_message(nested(MOST_LEVELS))).count("{n}") == 1
    with pytest.raises(MalformedMessage, match="nested deeper than 100 levels"):
        parse_message(nested(MOST_LEVELS + 1))


def test_names_are_what_unicode_says() -> None:
    """An independent reading of Pattern_Syntax and White_Space, and of Pattern_White_Space around names."""
    no_name = regex.compile(r"[\p{White_Space}\p{Pattern_Syntax}]")
    space = regex.compile(r"\p{Pattern_White_Space}")
    for character in map(chr, (*range(0x10000), *range(0x10000, sys.maxunicode + 1, 509))):
        message = read(f"{{{character}n}}")
        name = None if isinstance(message, str) else message[0].name
        expected = "n" if space.match(character) else None if no_name.match(character) else f"{character}n"
        assert name == expected, hex(ord(character))


HOSTILE = st.text(alphabet="{}',#=<>| \n\x00\x1b\u202e\ud800ab01:+-", max_size=60) | st.lists(
    st.sampled_from(
        ["{", "}", "'", "''", "#", "{n", ", plural, ", "other {", "one {", "=1 {", ", number, ::", "offset:1 "]
    ),
    max_size=40,
).map("".join)


@given(HOSTILE)
def test_any_text_is_a_message_or_told_not_to_be_one(text: str) -> None:
    message = read(text)

    if isinstance(message, str):
        assert message.isprintable()
    else:
        assert parse_message(skeleton(message)) == message


@pytest.mark.parametrize(
    "piece",
    [
        "{",
        "}",
        "'",
        "'{",
        "''",
        "#",
        "{n}",
        "{n",
        "{n,plural,other{",
        "{n,number,",
        "{n,number,'",
        "{n,number,{",
        " ",
        "a",
        "{ ",
        "'{''",
    ],
)
def test_long_texts_take_time_in_proportion(piece: str) -> None:
    """With quadratic time this would not come to an end."""
    for before in ("", "{n,plural,other{"):
        assert len(read(before + piece * (1_000_000 // len(piece)))) <= 1_000_000
