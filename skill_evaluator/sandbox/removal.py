"""Removes a folder that a stranger has filled: read-only folders, links, and files that still appear."""

import contextlib
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
        with contextlib.suppress(RecursionError):  # nested far deeper than any work needs
            shutil.rmtree(folder, ignore_errors=True)
        if not os.path.lexists(folder):
            return True
        _open_up(folder)
    return False


def _open_up(folder: Path) -> None:
    """Give back the leave to look into folders and to take files out of them."""
    waiting = [str(folder)]
    while waiting:
        current = waiting.pop()
        try:
            if stat.S_ISLNK(os.lstat(current).st_mode):
                continue
            os.chmod(current, 0o700)  # noqa: PTH101 - as strings: there may be very many
            with os.scandir(current) as entries:
                waiting += [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
        except OSError:
            continue
