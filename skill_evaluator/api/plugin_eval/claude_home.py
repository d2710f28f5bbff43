"""Files in which Claude Code keeps what its user has set up; they are read, never written.

Source: Probed with Claude Code 2.1.332.
"""

import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_LARGEST: Final = 64 * 1024 * 1024  # its own file of projects grows with use


def claude_folder() -> Path:
    """Give the folder of Claude Code's settings and plugins."""
    named = os.environ.get("CLAUDE_CONFIG_DIR")
    return Path(named) if named else Path.home() / ".claude"


def claude_file() -> Path:
    """Give the file in which Claude Code keeps its projects."""
    named = os.environ.get("CLAUDE_CONFIG_DIR")
    return Path(named) / ".claude.json" if named else Path.home() / ".claude.json"


def mapping_in(file: Path) -> Mapping[str, object] | None:
    """Read a JSON file that holds a mapping; None where it cannot be read, is none, or holds something else."""
    try:
        if not stat.S_ISREG(file.stat().st_mode) or file.stat().st_size > _LARGEST:
            return None
        values: object = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return values if isinstance(values, dict) else None


def mapping_at(values: Mapping[str, object] | None, *keys: str) -> Mapping[str, object]:
    """Go down some keys; an empty mapping where something else stands there.

    >>> mapping_at({"a": {"b": {"c": 1}}}, "a", "b"), mapping_at({"a": 1}, "a")
    ({'c': 1}, {})
    """
    inner: object = values
    for key in keys:
        inner = inner.get(key) if isinstance(inner, dict) else None
    return inner if isinstance(inner, dict) else {}
