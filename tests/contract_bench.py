"""Cases of the contract EvalCase v1, validated and checked as somebody types the commands."""

import copy
import json
from pathlib import Path
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator

import skill_evaluator
from skill_evaluator.cli import main
from tests.case_rows import EXAMPLE, Row, case_folder, written

PACKAGE: Final = Path(skill_evaluator.__file__).parent
ROOT: Final = Path(__file__).resolve().parents[1]
CASE_SCHEMA: Final = json.loads((PACKAGE / "formats/evalcase/case.schema.json").read_text("utf-8"))
RESULT_SCHEMA: Final = json.loads((PACKAGE / "results/assertion-result.schema.json").read_text("utf-8"))
CANDIDATE_SCHEMA: Final = json.loads((PACKAGE / "formats/evalcase/candidate.schema.json").read_text("utf-8"))
PAGE: Final = (
    (ROOT / "docs" / "formats.md").read_text("utf-8").partition("\n## Translation cases\n")[2].split("\n## ")[0]
)


def example(**changes: object) -> Row:
    """Give the example with some fields changed; `...` leaves one out."""
    whole: Row = {**copy.deepcopy(dict(EXAMPLE)), **changes}
    return {key: value for key, value in whole.items() if value is not ...}


def asserting(name: str, /, params: Row | None = None, severity: str = "hard", **changes: object) -> Row:
    """Give the example with one assertion."""
    inner = {} if params is None else {"params": params}
    return example(assertions=[{"name": name, "severity": severity, **inner}], **changes)


class Bench:
    """Calls the commands in a folder of its own."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.root = root
        self._capsys = capsys

    def findings(self, place: Path) -> list[dict[str, Any]]:
        """Validate what lies somewhere, and hold the exit status to it."""
        status = main(["validate", str(place), "--json"])
        found: list[dict[str, Any]] = json.loads(self._capsys.readouterr().out)
        assert status == (1 if any(one["level"] == "FAIL" for one in found) else 0)
        return found

    def said(self, *rows: Row, level: str = "FAIL") -> list[str]:
        """Validate rows as one file of cases; give code and place of each fault, or of each doubt."""
        folder = case_folder(self.root / "validated", {"cases/dev/a.jsonl": rows})
        return [
            f"{one['code']} {one['pointer'] or ''}".strip() for one in self.findings(folder) if one["level"] == level
        ]

    def results(self, case: Row, text: str, **fields: object) -> list[dict[str, Any]]:
        """Check a candidate of a case; each result is held to its schema, and the exit status to the results."""
        folder = case_folder(self.root / "checked", {"cases/dev/a.jsonl": [case]})
        candidates = self.root / "candidates.jsonl"
        candidates.write_bytes(written({"case_id": case["id"], "text": text, **fields}))
        status = main(["translation", "check", str(folder), str(candidates), "--json"])
        out, err = self._capsys.readouterr()
        assert out, err
        rows: list[dict[str, Any]] = json.loads(out)
        for one in rows:
            Draft202012Validator(RESULT_SCHEMA).validate(one)
        failed = any(one["passed"] is False and one["severity"] == "hard" for one in rows)
        assert status == (1 if failed else 0)
        return rows

    def code(self, case: Row, text: str, **fields: object) -> str:
        """Check a candidate by a single assertion, and give the code."""
        (result,) = self.results(case, text, **fields)
        assert (result["code"] == "ok") == (result["passed"] is True)
        return str(result["code"])
