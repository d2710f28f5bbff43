"""Reports for tests of what continuous integration gets: those of `tests/golden`, and one full of a text of others."""

import json
from pathlib import Path
from typing import Any

from skill_evaluator.report.serialize import parse_report, report_from_json
from skill_evaluator.results import Report

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"
NAMES = ("failing", "estimate", "invalid", "passing")
# Keys whose strings are out of closed sets; all others are somebody's text.
_CLOSED = frozenset(
    {
        *("verdict", "split", "sort", "state", "kind", "level", "aspect", "severity", "mark", "unit", "code", "why"),
        *("name", "metric", "class", "would_be", "cause", "timestamp", "old_timestamp", "signal", "evidence"),
        *("fail_on", "source", "cut_by"),
    }
)


def document(name: str = "failing") -> Any:  # noqa: ANN401 - JSON
    return json.loads((GOLDEN / f"{name}.json").read_text("utf-8"))


def report(name: str = "failing") -> Report:
    return report_from_json((GOLDEN / f"{name}.json").read_text("utf-8"), name=name)


def hostile_report(text: str, name: str = "failing") -> Report:
    """A report with one text wherever somebody else's may stand, but for the ids of cases, which it only begins."""
    content = _with_text(document(name), text)
    content["skill"]["name"] = content["skill_name"] = text
    known = {case["prompt_sha256"]: case["id"] for case in document(name)["cases"]}
    for case, as_it_was in zip(content["cases"], document(name)["cases"], strict=True):
        case["id"] = text + str(known[as_it_was["prompt_sha256"]])
    for failed, as_it_was in zip(content["failed_cases"], document(name)["failed_cases"], strict=True):
        failed["id"] = text + str(as_it_was["id"])
    return parse_report(json.dumps(content), name="hostile")


def _with_text(content: object, text: str, key: str = "") -> Any:  # noqa: ANN401 - JSON
    match content:
        case dict():
            return {one: _with_text(value, text, one) for one, value in content.items()}
        case list():
            return [_with_text(one, text, key) for one in content]
        case str() if key not in _CLOSED:
            return text
        case _:
            return content
