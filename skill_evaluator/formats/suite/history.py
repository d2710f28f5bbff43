"""The transcript that a case goes on with.

Source: Suites recorded with Claude Code 2.1.332.
"""

import json
from pathlib import Path
from typing import Final

from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.reading import read_bytes_inside

_MAX_HISTORY: Final = 16 * 1024 * 1024


def history_problem(path: Path, root: Path) -> str | None:
    """Say why a session cannot go on with a file; its content counts where it is not very large.

    Args:
        path: The file, which exists.
        root: The outermost folder that may be read.
    """
    if path.suffix.lower() != ".jsonl":
        return "does not end in .jsonl; save the transcript as a .jsonl file"
    content = read_bytes_inside(path, root=root, max_bytes=_MAX_HISTORY)
    if isinstance(content, SuiteFault):
        return content.message if content.code != "too-large" else None
    if any(_is_message(line) for line in content.split(b"\n")):
        return None
    return "holds no message to go on with; copy the transcript of a session, one JSON object a line"


def _is_message(line: bytes) -> bool:
    try:
        message: object = json.loads(line)
    except (ValueError, RecursionError):
        return False
    match message:
        case {"type": "user" | "assistant", "message": dict()}:
            return True
        case _:
            return False
