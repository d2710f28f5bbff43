"""The JSON Schema of a report's file, made from the types themselves.

`report.schema.json` beside this module holds its text:
`python -m skill_evaluator.report.schema > skill_evaluator/report/report.schema.json` writes it again.
"""

import json
import sys
from collections.abc import Mapping

from skill_evaluator.report.wire import ReportFile

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_text() -> str:
    """The schema as it is published: every key is required, since every key is always written."""
    schema = {"$schema": DIALECT, "title": "Report of skill-evaluator", **ReportFile.model_json_schema()}
    tidied = {**_tidied(schema), "title": schema["title"]}
    return json.dumps(tidied, indent=2, ensure_ascii=False) + "\n"


def _tidied(schema: Mapping[str, object]) -> dict[str, object]:
    """Leave out the titles that only repeat a name, and defaults, which no key needs."""
    kept = {key: _tidied_value(key, value) for key, value in schema.items() if key not in {"title", "default"}}
    properties = schema.get("properties")
    if isinstance(properties, dict):
        kept["required"] = list(properties)
    return kept


def _tidied_value(key: str, value: object) -> object:
    if key in {"properties", "$defs"} and isinstance(value, dict):
        return {name: _tidied(one) for name, one in value.items()}  # these keys are names, whatever they spell
    if isinstance(value, dict):
        return _tidied(value)
    if isinstance(value, list):
        return [_tidied(item) if isinstance(item, dict) else item for item in value]
    return value


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]  # stdout is a text file when this is a script
    sys.stdout.write(schema_text())
