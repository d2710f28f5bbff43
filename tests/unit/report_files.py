"""The report that a test has had written, read back."""

import json
from pathlib import Path
from typing import Any


def written(folder: Path | str = "reports") -> dict[str, Any]:
    """The one report in a folder."""
    (path,) = Path(folder).glob("*.json")
    report: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return report


def taken(folder: Path | str = "reports") -> dict[str, Any]:
    """The one report in a folder, which is taken away with all its files."""
    report = written(folder)
    for file in Path(folder).iterdir():
        file.unlink()
    return report
