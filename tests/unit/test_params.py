"""The JSON in the output has the fields expected."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.graders.evidence import TEXT_LIMIT
from skill_evaluator.graders.params import Params
from skill_evaluator.model import Outcome, Run


def fields(outcome: Outcome) -> list[dict[str, object]]:
    found = outcome.evidence["fields"]
    assert isinstance(found, list)
    return found


def look(expected: dict[str, object], output: str | None) -> Outcome:
    return Params(expected=expected).check(Run(case_id="c", triggered=True, output=output))


@pytest.mark.parametrize(
    ("expected", "output"),
    [
        ({"id": 7}, '{"id": 7, "more": true}'),
        ({"id": 7}, 'Done: {"id": 7}.'),
        ({"id": 7}, '{"id": 6}\n{"id": 7}'),
        ({"id": 7}, '[{"id": 6}, {"id": 7}]'),
        ({"id": 1}, '{"id": 1.0}'),
        ({"id": 100}, '{"id": 1e2}'),
        ({"a.b.0.c": 5}, '{"a": {"b": [{"c": 5}]}}'),
        ({"a.b": 1}, '{"a.b": 1, "a": {"b": 2}}'),
        ({"a.b.c": 1}, '{"a": {"b.c": 1}}'),
        ({"0.a": 1, "1": [2]}, '[{"a": 1}, [2]]'),
        ({"a": {"b": 1}}, '{"a": {"b": 1, "c": 2}}'),
        ({"a": {"b.c": 1}}, '{"a": {"b": {"c": 1, "d": 2}}}'),
        ({"a": [1, {"b": 2}]}, '{"a": [1, {"b": 2}]}'),
        ({"a": None}, '{"a": null}'),
        ({"a": {}}, '{"a": {"b": 1}}'),
        ({"名称": "最终关"}, '{"名称": "\\u6700终关"}'),
        ({"caf\u00e9": "caf\u00e9"}, '{"cafe\u0301": "cafe\\u0301"}'),
    ],
)
def test_fields_are_found(expected: dict[str, object], output: str) -> None:
    outcome = look(expected, output)

    assert outcome.code == "params_ok", outcome.evidence
    assert outcome.passed


@pytest.mark.parametrize(
    ("expected", "output", "path", "actual", "why"),
    [
        ({"id": 7}, '{"name": "x"}', "id", None, "missing"),
        ({"id": 7}, '{"ID": 7}', "id", None, "missing"),
        ({"id": 7}, '{"id": 8}', "id", 8, "value"),
        ({"id": 1}, '{"id": "1"}', "id", "1", "type"),
        ({"id": "1"}, '{"id": 1}', "id", 1, "type"),
        ({"id": 1}, '{"id": true}', "id", True, "type"),
        ({"id": True}, '{"id": 1}', "id", 1, "type"),
        ({"id": False}, '{"id": 0}', "id", 0, "type"),
        ({"id": False}, '{"id": null}', "id", None, "type"),
        ({"id": [1]}, '{"id": {"0": 1}}', "id", {"0": 1}, "type"),
        ({"a.b": 1}, '{"a.b": 2, "a": {"b": 1}}', "a.b", 2, "value"),
        ({"a.1": 1}, '{"a": [1]}', "a.1", None, "missing"),
        ({"a.-1": 1}, '{"a": [1]}', "a.-1", None, "missing"),
        ({"a.length": 1}, '{"a": [1]}', "a.length", None, "missing"),
        ({"a." + "9" * 5_000: 1}, '{"a": [1]}', "a." + "9" * 5_000, None, "missing"),
        ({"a.b": 1}, '{"a": "b"}', "a.b", None, "missing"),
        ({"a.": 1}, '{"a": {"": 1}}', "a.", None, "missing"),
        ({"a": {"b": {"c": 1}}}, '{"a": {"b": {"c": 2}}}', "a.b.c", 2, "value"),
        ({"a": [1]}, '{"a": [1, 2]}', "a", [1, 2], "value"),
        ({"a": [1, 2]}, '{"a": [2, 1]}', "a", [2, 1], "value"),
        ({"a": [1]}, '{"a": [true]}', "a", [True], "value"),
        ({"a": [{"b": 1}]}, '{"a": [{"b": 1, "c": 2}]}', "a", [{"b": 1, "c": 2}], "value"),
    ],
)
def test_wrong_field_is_shown_with_what_stands_there(
    expected: dict[str, object], output: str, path: str, actual: object, why: str
) -> None:
    outcome = look(expected, output)

    assert outcome.code == "params_mismatch"
    (field,) = fields(outcome)
    assert (field["path"], field["why"]) == (path, why)
    assert json.dumps(field["actual"]) == json.dumps(actual)
    assert outcome.evidence["output"] == output


def test_all_fields_must_stand_in_one_value_and_the_closest_is_shown() -> None:
    output = '{"id": 1} {"id": 7, "name": "x", "size": 3} {"name": "y"}'

    outcome = look({"id": 7, "name": "y", "size": 3}, output)
    assert outcome.evidence["fields"] == [{"path": "name", "expected": "y", "actual": "x", "why": "value"}]


def test_value_that_has_the_field_is_closer_than_one_that_lacks_it() -> None:
    outcome = look({"id": 7}, '{"name": "x"} {"id": 8}')

    assert outcome.evidence["fields"] == [{"path": "id", "expected": 7, "actual": 8, "why": "value"}]


def test_field_with_parts_weighs_as_much_as_its_parts() -> None:
    outcome = look({"a": {"b": 1, "c": 2, "d": 3}}, '{"z": 1} {"a": {"b": 1, "c": 9, "d": 9}}')

    assert [field["path"] for field in fields(outcome)] == ["a.c", "a.d"]


@pytest.mark.parametrize("output", ["", "no JSON", '{"id": 7', "[1]? No: see [2].", "{'id': 7}", '{"id": 7,}'])
def test_output_without_json_says_so(output: str) -> None:
    outcome = look({"id": 7}, output)

    assert outcome.code == "params_no_json"
    assert outcome.evidence == {"expected": {"id": 7}, "output": output}


def test_agent_without_output_is_neither_right_nor_wrong() -> None:
    assert look({"id": 7}, None).passed is None


def test_long_values_are_shortened_in_the_evidence() -> None:
    outcome = look({"a": 1, "b": 1}, json.dumps({"a": ["x" * 100] * 1_000, "b": "y" * 10_000}))

    for field in fields(outcome):
        assert isinstance(field["actual"], str)
        assert len(field["actual"]) <= TEXT_LIMIT


def test_half_a_surrogate_pair_can_be_written_to_a_report() -> None:
    outcome = look({"a": "x"}, '{"a": "\\ud83d", "b": 1}')

    assert outcome.evidence["fields"] == [{"path": "a", "expected": "x", "actual": "\ufffd", "why": "value"}]
    json.dumps(outcome.evidence, ensure_ascii=False).encode()


def test_megabyte_of_objects_is_compared_in_seconds() -> None:
    started = time.process_time()

    look({"a.b.0.c": 5, "d": {"e": 1}}, '{"a": {"b": [{"c": 4}]}} ' * 40_000)
    assert time.process_time() - started < 15


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text(min_size=1), json_values, min_size=1, max_size=4))
def test_output_that_says_what_is_expected_passes(expected: dict[str, object]) -> None:
    assert look(expected, f"It is {json.dumps(expected)}.").passed


@given(st.dictionaries(st.text(), json_values, max_size=4), st.text(st.characters(exclude_categories=())))
def test_any_output_is_judged_and_its_evidence_is_json(expected: dict[str, object], output: str) -> None:
    outcome = look(expected, output)

    assert outcome.passed in (True, False)
    json.dumps(outcome.evidence, ensure_ascii=False, allow_nan=False).encode()
