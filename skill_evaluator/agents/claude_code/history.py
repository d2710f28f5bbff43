"""Hands a transcript to the program, which goes on with it."""

from pathlib import Path
from typing import Final

from skill_evaluator.agents.claude_code.layout import Layout
from skill_evaluator.model import Case
from skill_evaluator.regular_files import read_regular

MAX_BYTES: Final = 64_000_000
_FOLDER: Final = "history"


def prepare_history(layout: Layout, case: Case, *, max_bytes: int = MAX_BYTES) -> Path | str:
    """Copy the transcript of a case into the run.

    The program writes the new session beside the transcript that it goes on with, which must not be the case's folder.

    Args:
        layout: The folders of the run.
        case: The case.
        max_bytes: A longer transcript is not taken.

    Returns:
        The copy, for `--resume`; or why the run cannot go on.
    """
    setup = case.setup
    if setup is None or setup.history_file is None:
        return "the case has no transcript to go on with"
    original = setup.folder / setup.history_file
    try:
        content = read_regular(original, max_bytes=max_bytes + 1)
    except (OSError, ValueError) as error:
        return f"the transcript {setup.history_file!r} cannot be read: {error}"
    if len(content) > max_bytes:
        return f"the transcript {setup.history_file!r} is larger than {max_bytes:,} bytes; shorten it"
    return keep_transcript(layout, original.name, content)


def keep_transcript(layout: Layout, name: str, content: bytes) -> Path:
    """Write a transcript where only the program reads it.

    Raises:
        OSError: If it cannot be written, as on a full disk.
    """
    copy = layout.out / _FOLDER / name
    copy.parent.mkdir(exist_ok=True)
    copy.write_bytes(content)
    return copy
