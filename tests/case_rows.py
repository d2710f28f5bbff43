"""Rows of translation cases for tests, and files of them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

Row = dict[str, object]
# The example of section 7: its values are the contract.
EXAMPLE: Final[Mapping[str, Any]] = {
    "schema_version": 1,
    "id": "placeholder.printf.001",
    "source_locale": "en-US",
    "target_locale": "zh-Hans",
    "domain": "game-ui",
    "source": "Welcome, %s! You have %d coins.",
    "required_tokens": ["%s", "%d"],
    "references": [],
    "assertions": [
        {"name": "placeholder_integrity", "severity": "hard", "params": {"syntax": "printf", "allow_reorder": True}}
    ],
    "provenance": {"kind": "synthetic", "license": "GPL-3.0-or-later"},
    "difficulty": "basic",
    "tags": ["printf", "placeholder"],
}


def row(number: int = 1, /, **changes: object) -> Row:
    """A sound case; `...` as a value leaves a field out."""
    sound: Row = {
        "schema_version": 1,
        "id": f"placeholder.printf.{number:03}",
        "source_locale": "en-US",
        "target_locale": "zh-Hans",
        "domain": "ferry-app",
        "source": f"Pier %d of {number}",
        "assertions": [{"name": "placeholder_integrity", "severity": "hard", "params": {"syntax": "printf"}}],
        "provenance": {"kind": "synthetic", "license": "CC0-1.0"},
    }
    return {key: value for key, value in (sound | changes).items() if value is not ...}


def asserting(name: str, /, **params: object) -> Row:
    """A sound case with one assertion."""
    return row(assertions=[{"name": name, "severity": "hard", "params": params}])


def written(*rows: Mapping[str, object]) -> bytes:
    """Rows as JSON Lines."""
    return b"".join(json.dumps(one, ensure_ascii=False).encode() + b"\n" for one in rows)


def case_folder(root: Path, files: Mapping[str, bytes | Sequence[Row]]) -> Path:
    """Lay out a folder of cases; rows are written as JSON Lines, bytes as they are."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else written(*content))
    return root
