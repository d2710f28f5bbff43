"""A credential in a translation is checked like any text, and never shown."""

import json
from pathlib import Path

import pytest

from skill_evaluator.cli import main
from skill_evaluator.credentials import MASK
from tests.unit.translation_files import candidate_row, case_row, write_cases, write_rows

KEY = "sk-ant-" + "Qz7" * 12
PASSWORD = "postgres://me:hunter2hunter2@db.example/x"  # noqa: S105 - made up
WHOLE = {"name": "placeholder_integrity", "severity": "hard", "params": {"syntax": "custom", "pattern": "\\S+"}}
FORBIDDEN = {"name": "forbidden_renderings", "severity": "hard", "params": {"renderings": ["bad"]}}
PROTOCOL = {"name": "protocol_complete", "severity": "hard", "params": {"format": "json", "expected_items": 2}}


@pytest.mark.parametrize("text", [f"bad {KEY}", f"bad {'x' * 20} {KEY} {KEY}", f"{KEY} bad", f"bad {PASSWORD}"])
@pytest.mark.parametrize("options", [(), ("--json",)])
def test_neither_messages_nor_evidence_show_it(
    tmp_path: Path, text: str, options: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    cases = write_cases(tmp_path, [case_row("a.001", assertions=[WHOLE, FORBIDDEN, PROTOCOL])])
    row = candidate_row("a.001", text, raw_response=f"{'y' * 30} {text}")
    candidates = write_rows(tmp_path / "candidates.jsonl", [row])

    assert main(["translation", "check", str(cases), str(candidates), *options]) == 1

    said = capsys.readouterr().out
    assert MASK in said
    assert "Qz7Qz7Qz" not in said
    assert "hunter2h" not in said


def test_results_without_a_credential_stay_as_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = write_cases(tmp_path, [case_row("a.001", assertions=[FORBIDDEN])])
    candidates = write_rows(tmp_path / "candidates.jsonl", [candidate_row("a.001", "bad sk-ant-")])
    main(["translation", "check", str(cases), str(candidates), "--json"])

    (result,) = json.loads(capsys.readouterr().out)
    assert result["evidence"]["found"][0]["excerpt"] == "bad sk-ant-"
