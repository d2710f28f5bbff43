"""JSON is written as `JSON.stringify` writes it."""

import json
import math
import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_evaluator.graders.javascript_json import stringify

# Answers of Node.js 20.20.2 to JSON.stringify(JSON.parse(text)).
TABLE = (
    ('{"b": 1, "a": 2}', '{"b":1,"a":2}'),
    ("[1.0, -0.0, 0.1, 100, 1e2, 1E-2]", "[1,0,0.1,100,100,0.01]"),
    ("[1e20, 1e21, 123456789012345680000, 1.5e300]", "[100000000000000000000,1e+21,123456789012345680000,1.5e+300]"),
    ("[1e-6, 1e-7, 0.000001234, 1.234e-7]", "[0.000001,1e-7,0.000001234,1.234e-7]"),
    ("[9007199254740993, 12345678901234567890]", "[9007199254740992,12345678901234567000]"),
    ("[5e-324, 1.7976931348623157e308, 1e400, -1e400]", "[5e-324,1.7976931348623157e+308,null,null]"),
    ("[0.1, 0.30000000000000004, 4.35, 1e23]", "[0.1,0.30000000000000004,4.35,1e+23]"),
    ('{"b": 1, "10": 2, "9": 3, "01": 4, "-1": 5}', '{"9":3,"10":2,"b":1,"01":4,"-1":5}'),
    (
        '{"x": 0, "4294967295": 1, "4294967294": 2, "1.5": 3, "0": 4, "": 5}',
        '{"0":4,"4294967294":2,"x":0,"4294967295":1,"1.5":3,"":5}',
    ),
    ('{"a": 1, "b": 2, "a": 3}', '{"a":3,"b":2}'),
    ('["\\u0000\\u0008\\t\\n\\u000b\\f\\r\\u001f\\u007f"]', '["\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f\x7f"]'),
    ('["\\"\\\\\\/", "\\u2028\\u2029", "é测😀"]', '["\\"\\\\/","\u2028\u2029","é测😀"]'),
    ('["\\ud83d\\ude00", "\\ud83d", "\\ude00\\ud83d x"]', '["😀","\\ud83d","\\ude00\\ud83d x"]'),
    ('{"\\ud800": {"__proto__": []}}', '{"\\ud800":{"__proto__":[]}}'),
    ("[true, false, null, [], {}, [[]], [{}]]", "[true,false,null,[],{},[[]],[{}]]"),
    ('"text"', '"text"'),
    ("-7", "-7"),
)


@pytest.mark.parametrize(("text", "written"), TABLE)
def test_values_are_written_as_javascript_writes_them(text: str, written: str) -> None:
    assert stringify(json.loads(text)) == written


def ask_node(texts: list[str]) -> list[str]:
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    code = (
        'const texts = JSON.parse(require("fs").readFileSync(0, "utf8"));'
        "console.log(JSON.stringify(texts.map((text) => JSON.stringify(JSON.parse(text)))))"
    )
    answer = subprocess.run(
        ["node", "-e", code], input=json.dumps(texts), capture_output=True, text=True, check=True, timeout=300
    )
    written: list[str] = json.loads(answer.stdout)
    return written


def test_the_table_is_what_node_says() -> None:
    assert ask_node([text for text, _ in TABLE]) == [written for _, written in TABLE]


_SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(alphabet=st.characters())
_KEYS = st.text(max_size=5) | st.integers(min_value=0, max_value=2**33).map(str)
_VALUES = st.recursive(_SCALARS, lambda inner: st.lists(inner) | st.dictionaries(_KEYS, inner), max_leaves=20)


@settings(max_examples=5)
@given(values=st.lists(_VALUES, min_size=20, max_size=20), numbers=st.lists(st.floats(), min_size=40, max_size=40))
def test_any_value_is_written_as_node_writes_it(values: list[object], numbers: list[float]) -> None:
    texts = [
        json.dumps(value).replace("-Infinity", "-1e999").replace("Infinity", "1e999").replace("NaN", "null")
        for value in [*values, *numbers, *(number * 10.0**20 for number in numbers)]
    ]

    assert [stringify(json.loads(text)) for text in texts] == ask_node(texts)


def test_numbers_that_json_lacks_are_null() -> None:
    assert stringify([math.nan, math.inf, -math.inf, 10**400]) == "[null,null,null,null]"


def test_nesting_has_no_limit() -> None:
    deep: object = 1
    for _ in range(50_000):
        deep = [deep]

    assert stringify(deep) == "[" * 50_000 + "1" + "]" * 50_000
