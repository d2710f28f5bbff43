"""The contract EvalCase v1, sections 5 and 6: candidates are no cases, and every result has seven fields."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from skill_evaluator.api.translation.counts import Tally
from skill_evaluator.model import Severity
from skill_evaluator.results.assertion_rows import read_result, result_line, result_row
from skill_evaluator.results.assertions import AssertionResult
from tests.case_rows import EXAMPLE, Row, case_folder
from tests.contract_bench import (
    CANDIDATE_SCHEMA,
    CASE_SCHEMA,
    PAGE,
    RESULT_SCHEMA,
    ROOT,
    Bench,
    asserting,
    example,
)
from tests.contract_sentences import sentence

FIELDS = ["case_id", "assertion", "passed", "severity", "code", "message", "evidence"]
# The result of section 6: its values are the contract.
RESULT: dict[str, Any] = {
    "case_id": "placeholder.printf.001",
    "assertion": "placeholder_integrity",
    "passed": False,
    "severity": "hard",
    "code": "placeholder_missing",
    "message": "Expected placeholder %d is missing.",
    "evidence": {"expected": ["%s", "%d"], "actual": ["%s"]},
}
LINES: Row = {"format": "lines", "expected_items": 2, "terminator": "[[END]]"}
PRINTF: Row = {"syntax": "printf"}
SLOW: Row = {"renderings": [{"pattern": "(a|aa|aaa)+$"}]}
# Code: assertion, params, source, candidate; for protocol_complete the candidate is the raw response.
EXAMPLES: dict[str, tuple[str, Row | None, str, str | None]] = {
    "protocol_no_response": ("protocol_complete", LINES, "x", None),
    "protocol_malformed_item": ("protocol_complete", {"format": "json"}, "x", '["a", "b'),
    "protocol_missing_item": ("protocol_complete", LINES, "x", "a\n[[END]]"),
    "protocol_extra_item": ("protocol_complete", LINES, "x", "a\nb\nc\n[[END]]"),
    "protocol_malformed_terminator": ("protocol_complete", LINES, "x", "a\nb\n[[EN"),
    "protocol_missing_terminator": ("protocol_complete", LINES, "x", "a\nb"),
    "placeholder_missing": ("placeholder_integrity", PRINTF, "%s %d", "%s"),
    "placeholder_extra": ("placeholder_integrity", PRINTF, "%s", "%s %d"),
    "placeholder_mutated": ("placeholder_integrity", PRINTF, "%d", "%5d"),
    "placeholder_count_mismatch": ("placeholder_integrity", PRINTF, "%s %s", "%s"),
    "placeholder_reordered": ("placeholder_integrity", PRINTF, "%s %d", "%d %s"),
    "placeholder_malformed": ("placeholder_integrity", PRINTF, "%d%% off", "%d% weniger!"),
    "placeholder_undecided": ("placeholder_integrity", PRINTF, "20%! %s", "%s: 20%!"),
    "number_missing": ("number_fidelity", None, "1,234 files", "Dateien"),
    "number_extra": ("number_fidelity", None, "Files", "1.234 Dateien"),
    "number_mutated": ("number_fidelity", None, "7 files", "8 Dateien"),
    "number_undecided": ("number_fidelity", None, "1.234 km", "1.234 km"),
    "token_missing": ("required_tokens", None, "x", "y"),
    "token_count_mismatch": ("required_tokens", None, "x", "HP"),
    "forbidden_rendering_found": ("forbidden_renderings", {"renderings": ["Partei"]}, "x", "Partei"),
    "rendering_timeout": ("forbidden_renderings", SLOW, "x", "a" * 5_000 + "!"),
    "too_long": ("max_chars", {"limit": 3}, "x", "zu lang"),
}
UNDECIDED = {"placeholder_undecided", "number_undecided", "rendering_timeout"}
PROPOSED = {
    "protocol_missing_item",
    "protocol_extra_item",
    "protocol_malformed_item",
    "protocol_missing_terminator",
    "placeholder_missing",
    "placeholder_extra",
    "placeholder_mutated",
    "placeholder_count_mismatch",
}
PASSING: dict[str, tuple[Row | None, str]] = {
    "protocol_complete": (LINES, "a\nb\n[[END]]"),
    "placeholder_integrity": (PRINTF, "%s"),
    "number_fidelity": (None, "7 Dateien"),
    "required_tokens": (None, "HP HP"),
    "forbidden_renderings": ({"renderings": ["Partei"]}, "Gruppe"),
    "max_chars": ({"limit": 9}, "kurz"),
}
CREDENTIALS = {
    "key": "sk-ant-api03-" + "Ab1" * 24,
    "token": "xoxb-" + "2048Ab-" * 6 + "x",
    "setting": "api_key=9fj3kd83ka02mm31",
    "url": "postgres://app:9fj3kd83ka@db/prod",
    "private": "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA9fj3kd83ka\n-----END RSA PRIVATE KEY-----",
    "cut private": "-----BEGIN PRIVATE KEY-----\nMIIEowIBAAKCAQEA9fj3kd83ka",
}


@pytest.fixture
def bench(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Bench:
    return Bench(tmp_path, capsys)


def case_for(name: str, params: Row | None, source: str) -> Row:
    return asserting(name, params, source=source, target_locale="de", required_tokens=["HP", "HP"])


def result_of(bench: Bench, code: str) -> dict[str, Any]:
    name, params, source, text = EXAMPLES[code]
    fields = {"raw_response": text} if name == "protocol_complete" else {}
    (result,) = bench.results(case_for(name, params, source), text or "", **fields)
    return result


@sentence("5.1")
def test_a_case_has_no_place_for_an_answer_that_counts(bench: Bench) -> None:
    for field in ("text", "candidate", "expected", "target", "raw_response"):
        assert bench.said(example(**{field: "你好"})) == [f"unknown-field /{field}"]
    assert bench.code(example(references=["你好 %s，%d"]), "%s %d, quite another text") == "ok"


@sentence("5.2")
def test_a_candidate_has_three_fields_and_is_found_by_its_case(bench: Bench) -> None:
    assert set(CANDIDATE_SCHEMA["properties"]) == {"case_id", "text", "raw_response"}
    (result,) = bench.results(example(), EXAMPLE["source"], raw_response=None)
    assert (result["case_id"], result["passed"]) == (EXAMPLE["id"], True)
    Draft202012Validator(CANDIDATE_SCHEMA).validate({"case_id": "a", "text": "", "raw_response": None})
    assert not Draft202012Validator(CANDIDATE_SCHEMA).is_valid({"case_id": "a", "text": "", "assertions": []})


@sentence("5.3", "5.4")
def test_content_is_looked_for_in_the_text_and_structure_in_the_raw_response(bench: Bench) -> None:
    whole, broken = '["%s", "%d"]', '["%s'
    structure = {"name": "protocol_complete", "severity": "hard", "params": {"format": "json"}}
    both = example(assertions=[*EXAMPLE["assertions"], structure])

    assert [one["passed"] for one in bench.results(both, "%s %d", raw_response=broken)] == [True, False]
    assert [one["passed"] for one in bench.results(both, "nothing", raw_response=whole)] == [False, True]


@sentence("5.3")
def test_the_text_is_decoded(bench: Bench) -> None:
    r"""A file may write \u4f60 for 你, and a line end as \n."""
    assert bench.code(asserting("max_chars", {"limit": 2}), "你\n") == "ok"
    assert bench.code(asserting("max_chars", {"limit": 2, "unit": "bytes"}), "你") == "too_long"


@sentence("5.4")
def test_a_raw_response_may_be_left_out(bench: Bench) -> None:
    assert bench.results(example(), "%s %d") == bench.results(example(), "%s %d", raw_response=None)
    assert bench.code(asserting("protocol_complete", {}), "%s") == "protocol_no_response"


@sentence("5.5")
def test_candidates_are_no_cases(bench: Bench) -> None:
    candidate: Row = {"case_id": "a.1", "text": "%s", "raw_response": None}

    assert bench.said(candidate) == ["candidates-file"]
    assert not Draft202012Validator(CASE_SCHEMA).is_valid(candidate)
    folder = ROOT / "testsets" / "translation"
    assert not [file for file in (folder / "cases").rglob("*.jsonl") if '"case_id"' in file.read_text("utf-8")]


@sentence("6.1", "6.3", "6.4")
@pytest.mark.parametrize("name", PASSING)
def test_what_passes_has_seven_fields_and_an_object_as_evidence(bench: Bench, name: str) -> None:
    params, text = PASSING[name]
    source = {"placeholder_integrity": "%s", "number_fidelity": "7 files"}.get(name, "x")
    (result,) = bench.results(case_for(name, params, source), text, raw_response=text)

    assert list(result) == FIELDS
    assert (result["assertion"], result["passed"], result["code"]) == (name, True, "ok")
    assert isinstance(result["evidence"], dict)


@sentence("6.1", "6.3", "6.4", "6.10")
@pytest.mark.parametrize("code", EXAMPLES)
def test_each_code_comes_with_seven_fields_and_its_evidence(bench: Bench, code: str) -> None:
    result = result_of(bench, code)

    assert list(result) == FIELDS
    assert (result["code"], result["assertion"]) == (code, EXAMPLES[code][0])
    assert result["passed"] is (None if code in UNDECIDED else False)
    assert result["evidence"]
    assert result["message"].endswith(".") or result["message"].endswith(")")


@sentence("6.2")
def test_the_result_that_is_shown_is_given_read_and_written(bench: Bench) -> None:
    """The words of the message may be others, though they are not."""
    (result,) = bench.results(example(), "Welcome, %s!")

    assert result == RESULT
    Draft202012Validator(RESULT_SCHEMA).validate(RESULT)
    assert result_row(read_result(RESULT)) == RESULT
    assert json.loads(result_line(read_result(RESULT))) == RESULT
    assert list(result_row(read_result(RESULT))) == FIELDS


@sentence("6.3")
@pytest.mark.parametrize("field", FIELDS)
def test_no_field_may_be_missing(field: str) -> None:
    less = {key: value for key, value in RESULT.items() if key != field}

    assert not Draft202012Validator(RESULT_SCHEMA).is_valid(less)
    with pytest.raises(ValueError, match=f"'{field}' is missing"):
        read_result(less)
    assert RESULT_SCHEMA["required"] == FIELDS == list(RESULT_SCHEMA["properties"])


@sentence("6.4")
def test_evidence_is_an_object_even_if_empty() -> None:
    passed = {**RESULT, "passed": True, "code": "ok", "evidence": {}}

    assert result_row(read_result(passed)) == passed
    others: tuple[object, ...] = (None, [], "text")
    for wrong in others:
        assert not Draft202012Validator(RESULT_SCHEMA).is_valid({**RESULT, "evidence": wrong})
        with pytest.raises(ValueError, match="'evidence' should be an object"):
            read_result({**RESULT, "evidence": wrong})


@sentence("6.5", "6.6")
def test_a_result_is_counted_and_decides_by_its_code_whatever_the_message_says() -> None:
    result = AssertionResult(**{**RESULT, "severity": Severity.HARD})
    first, second = Tally(), Tally()
    first.add((result,))
    second.add((replace(result, message="Something that is said better."),))

    assert first.summary() == second.summary()


@sentence("6.5")
def test_a_code_does_not_depend_on_what_the_texts_are_about(bench: Bench) -> None:
    first = bench.results(example(), "%s")[0]
    second = bench.results(example(source="%u of %c"), "%u")[0]

    assert first["message"] != second["message"]
    assert first["code"] == second["code"] == "placeholder_missing"


@sentence("6.9", "6.10")
def test_codes_are_one_set_in_the_page_the_schema_and_here() -> None:
    table = PAGE.partition("| codes | section |")[2].partition("\n\n")[0]
    documented = {code for line in table.splitlines() for code in re.findall(r"`([a-z]+(?:_[a-z]+)+)`", line)}

    assert set(EXAMPLES) >= PROPOSED
    assert documented == set(EXAMPLES)
    assert set(RESULT_SCHEMA["properties"]["code"]["examples"]) == {"ok", *EXAMPLES}


@sentence("6.7", "6.8")
@pytest.mark.parametrize("code", sorted(set(EXAMPLES) - {"rendering_timeout", "protocol_no_response"}))
def test_evidence_does_not_grow_with_the_texts(bench: Bench, code: str) -> None:
    name, params, source, text = EXAMPLES[code]
    words = "a lighthouse keeper beside sleeping seagulls "
    fields = {"raw_response": f"{text}"} if name == "protocol_complete" else {}
    before = "" if name == "max_chars" else "ein Gebinde voller Heringe "
    long = [
        bench.results(case_for(name, params, words * count + source), before * count + str(text), **fields)[0]
        for count in (40, 400)
    ]

    assert {one["code"] for one in long} == {code}
    for one in long:
        shown = json.dumps([one["message"], one["evidence"]], ensure_ascii=False)
        assert "lighthouse" not in shown
        assert shown.count("Heringe") <= 4
        assert len(shown) < 1_000


@sentence("6.8")
@pytest.mark.parametrize("which", CREDENTIALS)
def test_a_credential_in_a_candidate_is_in_no_result(bench: Bench, which: str) -> None:
    """A provider that refuses a key may quote it."""
    secret = CREDENTIALS[which]
    hidden = re.findall("9fj3kd83ka|(?:Ab1){3}|2048Ab", secret)
    row = example(
        source="Keep %s and 7",
        required_tokens=["HP"],
        assertions=[
            {"name": "protocol_complete", "severity": "hard", "params": {"format": "tagged", "terminator": "END"}},
            {"name": "placeholder_integrity", "severity": "hard", "params": {"syntax": "custom", "pattern": r"\S+"}},
            {"name": "number_fidelity", "severity": "hard"},
            {"name": "required_tokens", "severity": "hard"},
            {"name": "forbidden_renderings", "severity": "hard", "params": {"renderings": ["bad"]}},
            {"name": "max_chars", "severity": "hard", "params": {"limit": 3}},
        ],
    )

    results = bench.results(row, f"bad {secret}", raw_response=f"<item>a</item>\n{secret}")

    assert hidden
    assert all(one["passed"] is False for one in results)
    assert not [part for part in hidden if part in json.dumps(results)]


@sentence("6.8")
def test_a_credential_decides_as_any_other_text_and_is_not_shown(bench: Bench) -> None:
    secret = CREDENTIALS["key"]
    results = bench.results(
        example(
            assertions=[
                {"name": "max_chars", "severity": "hard", "params": {"limit": 40}},
                {"name": "forbidden_renderings", "severity": "hard", "params": {"renderings": ["Ab1A"]}},
            ]
        ),
        f"key {secret}",
    )

    assert [one["code"] for one in results] == ["too_long", "forbidden_rendering_found"]
    assert [one["evidence"] for one in results] == [{"credential": "[redacted]"}] * 2
    assert bench.code(asserting("max_chars", {"limit": 200}), f"key {secret}") == "ok"


def test_a_folder_of_cases_is_not_touched_by_a_check(bench: Bench) -> None:
    folder = case_folder(bench.root / "checked", {"cases/dev/a.jsonl": [example()]})
    before = (folder / "cases/dev/a.jsonl").read_bytes()
    bench.results(example(), "%s")

    assert (folder / "cases/dev/a.jsonl").read_bytes() == before
    assert sorted(file.name for file in folder.rglob("*")) == ["a.jsonl", "cases", "dev"]
