"""The text of a report is that of the standard library's encoder, built without a copy."""

import json
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.model import Usage
from skill_evaluator.report.json_layout import laid_out

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(st.text(max_size=5), VALUES, max_size=5))
def test_text_is_that_of_the_standard_encoder(content: dict[str, object]) -> None:
    expected = json.dumps(dict(content), indent=2, ensure_ascii=False, allow_nan=False)

    found = laid_out(content.items())
    assert json.loads(found) == json.loads(expected)
    assert sorted(found) == sorted(expected)  # keys below the first level are sorted, and nothing else differs
    flat = {key: value for key, value in content.items() if not isinstance(value, dict | list)}
    assert laid_out(flat.items()) == json.dumps(flat, indent=2, ensure_ascii=False, allow_nan=False)


def test_fields_stand_as_declared_and_keys_as_ranked() -> None:
    value = {"b": 1, "recall": 2, "a": (), "precision": Usage(input_tokens=3)}

    assert laid_out([("x", MappingProxyType(value))]) == (
        '{\n  "x": {\n    "precision": {\n      "input_tokens": 3,\n      "output_tokens": null,\n'
        '      "cost_usd": null,\n      "requests": null\n    },\n    "recall": 2,\n    "a": [],\n    "b": 1\n  }\n}'
    )
    assert laid_out([]) == "{}"


def test_what_json_cannot_hold_is_refused() -> None:
    for value in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="not JSON compliant"):
            laid_out([("x", value)])
    with pytest.raises(TypeError, match="set"):
        laid_out([("x", {1})])
