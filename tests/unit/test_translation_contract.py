"""The contract EvalCase v1, sections 5 and 6: candidates are kept apart from cases, results have seven fields."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from skill_evaluator.api.translation.check import check_translations
from skill_evaluator.cli import main
from skill_evaluator.model import Finding
from skill_evaluator.results.assertion_rows import FIELDS, result_row
from tests.case_rows import EXAMPLE
from tests.unit.translation_files import candidate_row, case_row, write_cases, write_rows

PRINTF = {"name": "placeholder_integrity", "severity": "hard", "params": {"syntax": "printf", "allow_reorder": True}}
CANDIDATE = '{"case_id": "placeholder.printf.001", "text": "Welcome, %s! You have %d coins.", "raw_response": null}'


def results(tmp_path: Path, case: dict[str, object], candidate: dict[str, object]) -> list[dict[str, Any]]:
    folder = write_cases(tmp_path, [case])
    checked = check_translations(folder, write_rows(tmp_path / "candidates.jsonl", [candidate]))
    found = [item for item in checked if not isinstance(item, Finding)]
    return [result_row(result) for item in found for result in item]


def protocol(tmp_path: Path, raw_response: str | None, **params: object) -> str:
    assertion = {"name": "protocol_complete", "severity": "hard", "params": {"format": "lines", **params}}
    case = case_row("protocol.item-count.001", source="One\nTwo", assertions=[assertion])
    candidate = candidate_row("protocol.item-count.001", "Un\nDeux", raw_response=raw_response)
    return str(results(tmp_path, case, candidate)[0]["code"])


def placeholder(tmp_path: Path, text: str, source: str = "Welcome, %s! You have %d coins.") -> str:
    case = {**EXAMPLE, "source": source}
    return str(results(tmp_path, case, candidate_row("placeholder.printf.001", text))[0]["code"])


def test_section_5_the_candidate_of_the_contract_is_read_and_passes_its_case(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_cases(tmp_path, [EXAMPLE])
    file = tmp_path / "candidates.jsonl"
    file.write_text(CANDIDATE, "utf-8")

    assert main(["translation", "check", str(folder), str(file), "--json"]) == 0

    (row,) = json.loads(capsys.readouterr().out)
    assert (row["case_id"], row["passed"], row["code"]) == ("placeholder.printf.001", True, "ok")


def test_section_5_a_reference_is_no_canonical_answer(tmp_path: Path) -> None:
    case = {**EXAMPLE, "references": ["Hello %s", "Welcome, %s! You have %d coins."]}

    (row,) = results(tmp_path, case, candidate_row("placeholder.printf.001", "你好 %s，%d 枚硬币。"))

    assert row["passed"] is True


def test_section_5_content_is_looked_for_in_the_text_and_items_in_the_raw_response(tmp_path: Path) -> None:
    tokens = {"name": "required_tokens", "severity": "hard"}
    items = {"name": "protocol_complete", "severity": "hard", "params": {"format": "lines", "expected_items": 2}}
    case = case_row("a.001", assertions=[tokens, items])

    rows = results(tmp_path, case, candidate_row("a.001", "%s", raw_response="one\ntwo"))
    other = results(tmp_path, case, candidate_row("a.001", "one\ntwo", raw_response="%s"))

    assert [row["passed"] for row in rows] == [True, True]
    assert [row["passed"] for row in other] == [False, False]


def test_section_6_the_result_of_the_contract_is_what_its_case_gives(tmp_path: Path) -> None:
    (row,) = results(tmp_path, dict(EXAMPLE), candidate_row("placeholder.printf.001", "Welcome, %s!"))

    assert list(row) == list(FIELDS)
    assert {key: row[key] for key in ("case_id", "assertion", "passed", "severity", "code")} == {
        "case_id": "placeholder.printf.001",
        "assertion": "placeholder_integrity",
        "passed": False,
        "severity": "hard",
        "code": "placeholder_missing",
    }
    assert row["evidence"]["expected"] == ["%s", "%d"]
    assert row["evidence"]["actual"] == ["%s"]
    assert "%d" in row["message"]


@pytest.mark.parametrize(
    ("raw_response", "params", "code"),
    [
        ("one\ntwo", {"expected_items": 2}, "ok"),
        ("one", {"expected_items": 2}, "protocol_missing_item"),
        ("one\ntwo\nthree", {"expected_items": 2}, "protocol_extra_item"),
        ("one\ntwo\nthree", {"expected_items": 2, "allow_extra_items": True}, "ok"),
        ('["one", "two', {"expected_items": 2, "format": "json"}, "protocol_malformed_item"),
        ("one\ntwo", {"expected_items": 2, "terminator": "<END>"}, "protocol_missing_terminator"),
        ("one\ntwo\n<END>", {"expected_items": 2, "terminator": "<END>"}, "ok"),
        (None, {"expected_items": 2}, "protocol_no_response"),
    ],
)
def test_section_6_codes_of_responses(
    tmp_path: Path, raw_response: str | None, params: dict[str, object], code: str
) -> None:
    assert protocol(tmp_path, raw_response, **params) == code


@pytest.mark.parametrize(
    ("source", "text", "code"),
    [
        ("Welcome, %s! You have %d coins.", "Welcome! %s", "placeholder_missing"),
        ("Welcome, %s!", "Welcome, %s! %d", "placeholder_extra"),
        ("You have %d coins.", "You have %5d coins.", "placeholder_mutated"),
        ("From %s to %s", "From %s", "placeholder_count_mismatch"),
    ],
)
def test_section_6_codes_of_placeholders(tmp_path: Path, source: str, text: str, code: str) -> None:
    assert placeholder(tmp_path, text, source) == code


def test_section_6_evidence_holds_neither_the_source_nor_the_translation(tmp_path: Path) -> None:
    words = "The lighthouse keeper counts 7 sleeping seagulls beside %s. " * 40
    case = case_row(
        "a.001",
        source=words,
        required_tokens=["%s"] * 40,
        assertions=[
            {"name": "protocol_complete", "severity": "hard", "params": {"expected_items": 2, "terminator": "<END>"}},
            PRINTF,
            {"name": "number_fidelity", "severity": "hard"},
            {"name": "required_tokens", "severity": "hard"},
            {"name": "forbidden_renderings", "severity": "hard", "params": {"renderings": ["goéland"]}},
            {"name": "max_chars", "severity": "hard", "params": {"limit": 10}},
        ],
    )
    text = "Le gardien du phare compte les goélands. " * 40

    rows = results(tmp_path, case, candidate_row("a.001", text, raw_response=text))

    assert len(rows) == 6
    assert all(row["passed"] is not True for row in rows)
    for row in rows:
        written = json.dumps([row["message"], row["evidence"]], ensure_ascii=False)
        assert "lighthouse keeper" not in written, row
        assert written.count("gardien du phare") <= 4, row
        assert len(written) < 4_000, row


def test_one_check_leaves_the_next_one_alone(tmp_path: Path) -> None:
    """Checks share what they know of a language; looking for its plurals once took away how it writes numbers."""
    number = {"name": "number_fidelity", "severity": "hard"}
    message = {"name": "placeholder_integrity", "severity": "hard", "params": {"syntax": "icu"}}
    code = """
import sys
from pathlib import Path
from skill_evaluator.api.translation.check import check_translations
from skill_evaluator.api.translation.counts import summarise
sys.exit(not summarise(check_translations(Path(sys.argv[1]), Path(sys.argv[2]))).is_right)
"""
    plural = "{n, plural, one {# ship} other {# ships}}"
    texts = {"a.001": "{n, plural, one {# Schiff} other {# Schiffe}}", "a.002": "Die Pier ist 1.234,5 m lang."}
    folder = write_cases(
        tmp_path,
        [
            case_row("a.001", target_locale="de", source=plural, assertions=[message]),
            case_row("a.002", target_locale="de", source="The pier is 1,234.5 m long.", assertions=[number]),
        ],
    )
    file = write_rows(tmp_path / "candidates.jsonl", (candidate_row(*one) for one in texts.items()))

    subprocess.run([sys.executable, "-c", code, str(folder), str(file)], check=True)
