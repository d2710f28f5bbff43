"""Clears what evaluators that were killed left behind: their folders, and processes that still run for them."""

import os
import stat
import tempfile
from pathlib import Path

from skill_evaluator.sandbox.owner import is_orphan
from skill_evaluator.sandbox.processes import end_processes
from skill_evaluator.sandbox.removal import remove_tree


def sweep(temporary: Path | None = None) -> tuple[str, ...]:
    """End the processes and remove the folders of runs whose evaluator is gone.

    Args:
        temporary: Where run folders lie; None means the system's folder for temporary files.

    Returns:
        Names of the folders found, sorted. Folders of other users, and of evaluators that still run, are left alone.
    """
    place = temporary or Path(tempfile.gettempdir())
    orphans = [folder for folder in _own_folders(place) if is_orphan(folder.name)]
    for folder in orphans:
        end_processes(marker=folder.name, root=folder)
        remove_tree(folder)
    return tuple(sorted(folder.name for folder in orphans))


def _own_folders(place: Path) -> list[Path]:
    try:
        with os.scandir(place) as entries:
            return [Path(os.path.realpath(place)) / entry.name for entry in entries if _is_own_folder(entry)]
    except OSError:
        return []


def _is_own_folder(entry: os.DirEntry[str]) -> bool:
    try:
        found = entry.stat(follow_symlinks=False)
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and (os.name != "posix" or found.st_uid == os.getuid())
