"""Results of assertions as JSON: seven fields, in order, there and back."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import skill_evaluator.results
from skill_evaluator.model import Severity
from skill_evaluator.results.assertion_rows import FIELDS, read_result, result_line, result_row
from skill_evaluator.results.assertions import AssertionResult

SCHEMA = json.loads(Path(skill_evaluator.results.__file__).with_name("assertion-result.schema.json").read_text("utf-8"))
# The result object that the contract shows.
EXAMPLE = """{
  "case_id": "placeholder.printf.001",
  "assertion": "placeholder_integrity",
  "passed": false,
  "severity": "hard",
  "code": "placeholder_missing",
  "message": "Expected placeholder %d is missing.",
  "evidence": {
    "expected": ["%s", "%d"],
    "actual": ["%s"]
  }
}"""
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
RESULTS = st.builds(
    AssertionResult,
    case_id=st.from_regex(r"[a-z]{1,9}\.[0-9]{3}", fullmatch=True),
    assertion=st.from_regex(r"[a-z]{1,9}", fullmatch=True),
    passed=st.sampled_from([True, False, None]),
    severity=st.sampled_from(Severity),
    code=st.from_regex(r"[a-z]{1,9}", fullmatch=True),
    message=st.text(),
    evidence=st.dictionaries(st.text(), _JSON),
)


def test_the_result_of_the_contract_comes_back_as_it_was() -> None:
    row = json.loads(EXAMPLE)

    result = read_result(row)

    assert result_row(result) == row
    assert list(result_row(result)) == list(row) == list(FIELDS)
    assert result.severity is Severity.HARD
    assert result.passed is False


@given(RESULTS, st.booleans())
def test_every_result_comes_back_from_its_line_and_fits_the_schema(result: AssertionResult, ascii_only: bool) -> None:
    line = result_line(result, ascii_only=ascii_only)

    assert read_result(json.loads(line)) == result
    assert list(json.loads(line)) == list(FIELDS)
    assert "\n" not in line
    Draft202012Validator(SCHEMA).validate(json.loads(line))


@pytest.mark.parametrize("letter", ["\x1b", "\x9b", "\x7f", "\u202e", "\u2066", "\u2028", "\ufeff", "\ud800", "\0"])
def test_letters_that_steer_a_terminal_or_fit_no_file_are_escaped(letter: str) -> None:
    result = read_result({**json.loads(EXAMPLE), "message": f"é{letter}画", "evidence": {"found": letter}})

    line = result_line(result)

    assert letter not in line
    assert "é" in line
    line.encode()
    assert json.loads(line)["message"] == f"é{letter}画"


def test_only_ascii_is_written_where_a_stream_takes_nothing_else() -> None:
    result = read_result({**json.loads(EXAMPLE), "message": "画 🎉"})

    assert result_line(result, ascii_only=True).isascii()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"passed": 1}, "'passed' should be true, false or null"),
        ({"passed": "true"}, "'passed'"),
        ({"severity": "warn"}, "'severity' should be one of hard, report"),
        ({"severity": []}, "'severity'"),
        ({"evidence": []}, "'evidence' should be an object"),
        ({"evidence": None}, "'evidence'"),
        ({"code": None}, "'code' should be text"),
        ({"case_id": 1}, "'case_id'"),
        ({"more": 1}, "'more' is no field of a result"),
    ],
)
def test_what_is_no_result_is_refused_by_reader_and_schema_alike(change: dict[str, object], words: str) -> None:
    row = {**json.loads(EXAMPLE), **change}

    with pytest.raises(ValueError, match=words):
        read_result(row)
    assert not Draft202012Validator(SCHEMA).is_valid(row)


@pytest.mark.parametrize("name", FIELDS)
def test_no_field_may_be_left_out(name: str) -> None:
    row = {key: value for key, value in json.loads(EXAMPLE).items() if key != name}

    with pytest.raises(ValueError, match=f"'{name}' is missing"):
        read_result(row)
    assert not Draft202012Validator(SCHEMA).is_valid(row)


def test_all_faults_of_a_result_are_told_at_once() -> None:
    with pytest.raises(ValueError, match="case_id") as caught:
        read_result({"passed": 0, "severity": "x"})

    assert all(f"'{name}'" in str(caught.value) for name in FIELDS)


def test_the_schema_is_one_itself() -> None:
    Draft202012Validator.check_schema(SCHEMA)
