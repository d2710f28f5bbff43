"""Removes a folder that a stranger has filled: read-only folders, links, and files that still appear."""

import itertools
import os
import shutil
import stat
import time
from pathlib import Path

_TRIES = 20
_PAUSE_S = 0.05


def remove_tree(folder: Path) -> bool:
    """Remove a folder and all in it; nothing outside of it is touched, whatever its links lead to.

    Returns:
        Whether it is gone. What cannot be removed is left to the next sweep.
    """
    for attempt in range(_TRIES):
        if attempt:
            time.sleep(_PAUSE_S)
        try:
            shutil.rmtree(folder, ignore_errors=True)
        except RecursionError:
            _flatten(folder)
            continue
        if not os.path.lexists(folder):
            return True
        _open_up(folder)
    return False


def _flatten(folder: Path) -> None:
    """Lift every folder to the top, so that neither recursion nor the longest path sets a limit to removing them."""
    numbers = itertools.count()
    waiting = _folders_in(str(folder))
    while waiting:
        for inner in _folders_in(waiting.pop()):
            lifted = f"{folder}{os.sep}lifted-{next(numbers)}"
            try:
                os.chmod(inner, 0o700)  # noqa: PTH101 - as strings: there may be very many
                os.rename(inner, lifted)  # noqa: PTH104 - likewise
            except OSError:
                continue
            waiting.append(lifted)


def _folders_in(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []


def _open_up(folder: Path) -> None:
    """Give back the leave to look into folders and to take files out of them."""
    waiting = [str(folder)]
    while waiting:
        current = waiting.pop()
        try:
            if stat.S_ISLNK(os.lstat(current).st_mode):
                continue
            os.chmod(current, 0o700)  # noqa: PTH101 - as strings: there may be very many
        except OSError:
            continue
        waiting += _folders_in(current)
