"""JSON is found wherever a model may have put it."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.graders.json_in_text import MAX_DEPTH, find_json

FENCE = "```"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": 1}', [{"a": 1}]),
        ("\ufeff \n[1]\n ", [[1]]),
        ("{}", [{}]),
        ("[1, 2]", [[1, 2]]),
        (f'Here it is:\n\n{FENCE}json\n{{"a": 1}}\n{FENCE}\nEnjoy!', [{"a": 1}]),
        (f'{FENCE}\n{{"a": {{"b": "}}"}}}}\n{FENCE}', [{"a": {"b": "}"}}]),
        ('The level {"a": 1} is ready.', [{"a": 1}]),
        ('{"a": 1}\n{"a": 2}', [{"a": 1}, {"a": 2}]),
        ('{"a": {"b": 1}}', [{"a": {"b": 1}}]),
        ('[{"a": 1}, [{"b": 2}]]', [[{"a": 1}, [{"b": 2}]], {"a": 1}, [{"b": 2}], {"b": 2}]),
        ('Levels: [{"a": 1}] done', [[{"a": 1}], {"a": 1}]),
        ('See [1] and [2, 3]: {"a": 1}', [{"a": 1}]),
        ('for x in [0, 5) we get {"a": 1}', [{"a": 1}]),
        ('Type "{" to open, "[" too. Then {"a": 1}', [{"a": 1}]),
        ('Use {name} or {{name}} as in {"a": "{name}"}', [{"a": "{name}"}]),
        ('{"a": "say \\"{\\" and \\\\"} {"b": 1}', [{"a": 'say "{" and \\'}, {"b": 1}]),
        ('{\n  "a"\n  : 1}', [{"a": 1}]),
        ("nothing here", []),
        ("", []),
        ("5", []),
        ('"text"', []),
        ("null", []),
    ],
)
def test_values_are_found(text: str, found: list[object]) -> None:
    assert list(find_json(text)) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": 1, "b": {"c": 2}', []),  # cut off
        ('{"a": 1, "b": {"c": 2}, "d": "tex', []),  # cut off in a string
        ('{"a": {"c": 2},}', []),  # a comma too many
        ('{"a": {"c": 2}, b: {"d": 3}} {"e": 4}', [{"e": 4}]),  # a bare key
        ('{"a": NaN} {"b": 1}', [{"b": 1}]),
        ('{"a": -Infinity} {"b": 1}', [{"b": 1}]),
        ('{"a": 1e999} {"b": 1}', [{"b": 1}]),
        ('{"a": ' + "9" * 5_000 + '} {"b": 1}', [{"b": 1}]),
        ('{"a": "two\nlines"} {"b": 1}', [{"b": 1}]),  # a raw line end in a string
        (f'{FENCE}json\n{{"a": {{"c": 2}},\n{FENCE}\nAgain:\n{FENCE}json\n{{"a": 3}}\n{FENCE}', [{"a": 3}]),
        ('{"a": {"c": 2},\n\nSorry, again: {"a": 3}', [{"a": 3}]),  # given up after a paragraph
        ('{"a": {"c": 2}, "d": "cut off\n\nSorry, again: {"a": 3}', [{"a": 3}]),  # likewise, in a string
        ('{"a": {"c": 2}, // note }\n "b": 1} {"e": 4}', [{"e": 4}]),
    ],
)
def test_broken_object_and_its_parts_count_for_nothing(text: str, found: list[object]) -> None:
    assert list(find_json(text)) == found


def nested(depth: int) -> str:
    return '{"a": ' * (depth - 1) + "{}" + "}" * (depth - 1)


def test_values_nested_too_deep_for_a_report_are_left_out() -> None:
    assert len(find_json(nested(MAX_DEPTH))) == 1
    assert find_json(nested(MAX_DEPTH + 1)) == ()
    assert find_json("It is " + nested(MAX_DEPTH + 1) + ' or {"b": 1}') == ({"b": 1},)


@pytest.mark.parametrize(
    "piece",
    [
        "{",
        "[",
        '"',
        '{"a":',
        '[{"a":1},',
        "[1,",
        '{"a":1} ',
        '{"a":NaN} ',
        '{"a":\n\n',
        '{"a": 1,\n```\n',
        "[x {y ",
        '["[,",',
        '{"a": "\\"',
        '{"a": x "\\',
        "{ ",
        '{"a"   ',
        '\\"',
    ],
)
def test_time_grows_with_the_length_only(piece: str) -> None:
    """A quadratic search takes minutes for any of these."""
    started = time.process_time()

    find_json(piece * (200_000 // len(piece)))
    find_json('{"a": x ' + piece * (200_000 // len(piece)))
    assert time.process_time() - started < 5


def test_many_brackets_in_a_long_text_are_no_burden() -> None:
    """An error of Python's decoder costs as much time as there is text before it."""
    started = time.process_time()

    find_json("[x " * 300_000)
    assert time.process_time() - started < 9


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
objects = st.dictionaries(st.text(), json_values, max_size=4)
prose = st.text(st.characters(exclude_characters="{}[]`", exclude_categories=["Cs"]))


@given(objects, prose, prose, st.booleans())
def test_object_comes_back_out_of_any_prose(
    value: dict[str, object], before: str, after: str, ascii_only: bool
) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)

    assert value in find_json(f"{before}{text}{after}")
    assert value in find_json(f"{before}\n{FENCE}json\n{text}\n{FENCE}\n{after}")


@given(st.lists(json_values, max_size=4))
def test_array_comes_back_when_it_is_the_whole_text(value: list[object]) -> None:
    assert find_json(json.dumps(value, indent=1))[0] == value


@given(st.text(st.sampled_from('{}[]":,\\ab1\n` ')))
def test_no_text_breaks_the_search_and_all_that_is_found_stands_in_it(text: str) -> None:
    for value in find_json(text):
        assert isinstance(value, dict | list)
        assert json.loads(json.dumps(value)) == value


@given(objects, st.data())
def test_object_cut_off_anywhere_is_not_found_and_neither_are_its_parts(
    value: dict[str, object], data: st.DataObject
) -> None:
    text = json.dumps(value)
    cut = text[: data.draw(st.integers(0, len(text) - 1))]

    assert find_json(cut) == ()
