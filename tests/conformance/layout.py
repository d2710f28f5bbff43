"""The files of a recorded suite -> a folder on disk."""

import base64
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.conformance.masking import Json


def lay(plugin: Path, suite: Mapping[str, Json]) -> None:
    """Write the files of a suite into a new folder."""
    plugin.mkdir(parents=True)
    for name, entry in items(suite["files"]):
        path = plugin / name
        path.parent.mkdir(parents=True, exist_ok=True)
        match entry:
            case {"dir": _}:
                path.mkdir(exist_ok=True)
            case {"symlink": str(goal)}:
                path.symlink_to(goal)
            case {"text": str(text)}:
                path.write_bytes(text.encode())
            case {"base64": str(text)}:
                path.write_bytes(base64.b64decode(text))
            case _:
                raise ValueError(f"{name}: an entry has text, base64, symlink or dir, not {entry!r}")
    for name in strings(suite.get("mkdirs", [])):
        (plugin / name).mkdir(parents=True, exist_ok=True)


def read_lines(path: Path) -> list[dict[str, Json]]:
    """The objects of a file with one JSON object a line; other separators of Unicode may stand inside a text."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def strings(value: Json) -> list[str]:
    """The texts of a list."""
    return [str(item) for item in value] if isinstance(value, list) else []


def items(value: Json) -> Iterator[tuple[str, Json]]:
    """The keys and values of a mapping."""
    yield from value.items() if isinstance(value, Mapping) else ()
