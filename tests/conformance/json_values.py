"""JSON as it was read: taking it apart without knowing more of it than a test needs."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

Json = Mapping[str, "Json"] | Sequence["Json"] | str | int | float | bool | None


def read_lines(path: Path) -> list[dict[str, Json]]:
    """The objects of a file with one JSON object a line; other separators of Unicode may stand inside a text."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def strings(value: Json) -> list[str]:
    """The texts of a list."""
    return [str(item) for item in value] if isinstance(value, list) else []


def items(value: Json) -> Iterator[tuple[str, Json]]:
    """The keys and values of a mapping."""
    yield from value.items() if isinstance(value, Mapping) else ()
