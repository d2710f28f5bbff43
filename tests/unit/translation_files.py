"""Cases and candidates for tests of `translation check`, written to files."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

TOKENS = {"name": "required_tokens", "severity": "hard"}
SHORT = {"name": "max_chars", "severity": "report", "params": {"limit": 10}}


def case_row(case_id: str, **fields: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    return {
        "schema_version": 1,
        "id": case_id,
        "source_locale": "en-US",
        "target_locale": "fr-FR",
        "domain": "game-ui",
        "source": "Keep %s",
        "required_tokens": ["%s"],
        "assertions": [TOKENS, SHORT],
        "provenance": {"kind": "synthetic", "license": "CC0-1.0"},
        **fields,
    }


def candidate_row(case_id: str, text: str = "Gardez %s", **fields: object) -> dict[str, object]:
    return {"case_id": case_id, "text": text, **fields}


def write_rows(file: Path, rows: Iterable[Mapping[str, object]]) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w", encoding="utf-8") as lines:
        lines.writelines(json.dumps(row) + "\n" for row in rows)
    return file


def write_cases(root: Path, dev: Iterable[Mapping[str, object]], locked: Iterable[Mapping[str, object]] = ()) -> Path:
    write_rows(root / "cases" / "dev" / "texts.jsonl", dev)
    write_rows(root / "cases" / "locked" / "held-back.jsonl", locked)
    return root
