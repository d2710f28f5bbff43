import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.formats.json_text import MAX_DEPTH, parse_json, pointer_to

Json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=20,
)


def places(value: object, *parts: str | int) -> dict[str, object]:
    """Every JSON pointer of a value, found by walking the value and not the text."""
    found = {pointer_to(*parts): value}
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for part, item in inner:
        found |= places(item, *parts, part)
    return found


@given(Json, st.sampled_from([None, 0, 2]))
def test_every_value_has_a_line(value: object, indent: int | None) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    parsed = parse_json(text)

    assert parsed.value == value
    assert not parsed.faults
    assert parsed.lines.keys() == places(value).keys()
    assert all(1 <= line <= text.count("\n") + 1 for line in parsed.lines.values())


def test_lines_are_those_of_the_keys() -> None:
    text = '[\n  {"a": "x\\"y{",\n   "b/c":\n     [1,\n      {"d": 2}]}\n]\n'

    assert parse_json(text).lines == {
        "": 1,
        "/0": 2,
        "/0/a": 2,
        "/0/b~1c": 3,
        "/0/b~1c/0": 4,
        "/0/b~1c/1": 5,
        "/0/b~1c/1/d": 5,
    }


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 1, "the file is empty"),
        (" \n\t", 2, "the file is empty"),
        ('[\n{"a": 1}', 2, "ends in the middle"),
        ('["abc', 1, "no closing double quote"),
        ('[{"a": 1},\n]', 1, "comma stands before ]"),  # where the comma is, not the bracket
        ('{"a": 1,}', 1, "comma stands before }"),
        ("[1,, 2]", 1, "comma stands before ,"),
        ("['a']", 1, "single quotes"),
        ('{"a": True}', 1, "write true"),
        ('{"a": None}', 1, "write null"),
        ("[1, // one\n2]", 1, "no comments"),
        ("[1 # one\n]", 1, "no comments"),
        ('{"a" 1}', 1, "a colon is missing before '1}'"),
        ('[{"a": 1}\n {"b": 2}]', 2, "a comma is missing before '{\"b\": 2}]'"),
        ("{a: 1}", 1, "key in double quotes"),
        ('{"a": 1}\n{"b": 2}', 2, "a list around both"),
        ("[1] x", 1, "'x' follows after the end"),
        ('["a\nb"]', 1, "a line break or tab"),
        ('["\\q"]', 1, "backslash"),
        ("{“a”: 1}", 1, '“ is no JSON punctuation; write "'),
        ('{"a": 1，"b": 2}', 1, "， is no JSON punctuation; write ,"),
        ("[oops]", 1, "'oops]' is no JSON value"),
    ],
)
def test_broken_text_is_explained(text: str, line: int, words: str) -> None:
    parsed = parse_json(text)

    (fault,) = parsed.faults
    assert parsed.value is None
    assert (fault.code, fault.line) == ("not-json", line)
    assert words in fault.message


@pytest.mark.parametrize(
    ("text", "code", "pointer", "line"),
    [
        ('{"a": 1,\n "b": 2,\n "a": 3}', "duplicate-key", "/a", 3),
        ('[{"x": {"k": 1, "k": 1}}]', "duplicate-key", "/0/x/k", 1),
        ("[1,\nNaN]", "not-a-number", "/1", 2),
        ("[-Infinity]", "not-a-number", "/0", 1),
        ("[1e999]", "not-a-number", "/0", 1),
        ('["\\ud83d"]', "half-character", "/0", 1),
        ('{"\\ude00": 1}', "half-character", "", 1),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "too-deep", "/0" * MAX_DEPTH, 1),
        ("[" * 100_000, "too-deep", "", 1),
        ("1" * 5000, "not-a-number", None, 1),
    ],
)
def test_what_the_parser_lets_pass_is_a_fault(text: str, code: str, pointer: str | None, line: int) -> None:
    (fault,) = parse_json(text).faults

    assert (fault.code, fault.pointer, fault.line) == (code, pointer, line)


def test_pointers_are_escaped() -> None:
    """Source: RFC 6901, chapters 3 and 5."""
    assert list(parse_json('{"a/b": 1, "m~n": 2, "~1": 3, "": 4}').lines) == ["", "/a~1b", "/m~0n", "/~01", "/"]


def test_sound_neighbours_of_these_faults() -> None:
    assert parse_json('["\\ud83d\\ude00", 1e308]').value == ["😀", 1e308]
    assert not parse_json('[{"a": 1}, {"a": 1}]').faults
    assert not parse_json("[" * MAX_DEPTH + "]" * MAX_DEPTH).faults


@given(st.text(alphabet=st.sampled_from(list('[]{},:"\\u0dé1-.eEtruefalsn \n，“')), max_size=40))
def test_any_text_is_read_or_explained(text: str) -> None:
    parsed = parse_json(text)

    assert parsed.faults or json.loads(text) == parsed.value
