"""Whether something can be written, without writing anything that stays."""

import os
import tempfile
from pathlib import Path


def problem_of_folder(folder: Path) -> str | None:
    """Say why files cannot be made in a folder that may not exist yet, or None where they can.

    A file is made and removed in the nearest folder that exists, since rights alone do not tell, as for root or in a
    file system that is mounted read-only.
    """
    existing = next((one for one in (folder, *folder.absolute().parents) if os.path.lexists(one)), folder)
    try:
        if not existing.is_dir():
            return f"{existing} is no folder"
        with tempfile.TemporaryFile(dir=existing):
            return None
    except OSError as error:
        return error.strerror or str(error)


def problem_of_file(file: Path) -> str | None:
    """Say why a file cannot be written, or None where it can."""
    return f"{file} is a folder" if file.is_dir() else problem_of_folder(file.parent)
