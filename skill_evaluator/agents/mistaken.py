"""Tells what a file is that was given as candidate JSONL and is something else."""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from skill_evaluator.texts import tr

Mistake = Literal["stream-as-candidates", "testset-as-recordings", "not-json-lines"]

MESSAGES: Mapping[Mistake, str] = MappingProxyType(
    {
        "stream-as-candidates": (
            tr(
                "this looks like a session printed as stream-json, which does not say what case it belongs to; "
                "put it into a folder as <case id>.<n>.jsonl and name the folder"
            )
        ),
        "testset-as-recordings": (
            tr(
                "this is a test set; recordings are what an agent answered: one JSON object a line with 'case_id', "
                "sessions of Claude Code, or a run folder"
            )
        ),
        "not-json-lines": (
            tr("this is one JSON document; write one object a line, each with 'case_id', and nothing around them")
        ),
    }
)


def mistaken_row(value: Mapping[str, object]) -> Mistake | None:
    """Tell what else an object may be, or None where it may be an answer."""
    if "case_id" in value:
        return None
    if "input" in value and value.keys() & {"id", "split", "expected_trigger"}:
        return "testset-as-recordings"
    return "stream-as-candidates" if "type" in value else None


def mistaken_document(text: str) -> Mistake | None:
    """Tell what a text is that holds one JSON value over all its lines, or None where it does not."""
    stripped = text.strip()
    if not stripped.startswith("[") and not (stripped.startswith("{") and "\n" in stripped):
        return None
    try:
        value = json.loads(stripped)
    except (ValueError, RecursionError):
        return None
    rows = value if isinstance(value, list) else [value]
    is_testset = any(mistaken_row(row) == "testset-as-recordings" for row in rows if isinstance(row, dict))
    return "testset-as-recordings" if is_testset else "not-json-lines"
