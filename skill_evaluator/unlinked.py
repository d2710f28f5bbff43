"""Writes below a folder, following no link there: whoever made the folder may have put some in the way."""

import errno
import os
import secrets
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from skill_evaluator.texts import tr

_MOST: Final = 10_000  # entries that are looked at


def write_unlinked(top: Path, parts: Iterable[str], content: Iterable[bytes]) -> Path:
    """Write a file anew below a folder; folders that are missing are made.

    What stands at its place is replaced and never written to, be it a link, a pipe or a file with a second name.

    Args:
        top: The folder; links on the way to it are followed.
        parts: Names of folders below it, and last of the file.
        content: What it holds, piece by piece.

    Returns:
        The file.

    Raises:
        OSError: If it cannot be written, as below a link.
    """
    *folders, name = parts
    folder = top
    folder.mkdir(parents=True, exist_ok=True)
    for part in folders:
        folder /= part
        folder.mkdir(exist_ok=True)
        if not stat.S_ISDIR(folder.lstat().st_mode):
            raise NotADirectoryError(errno.ENOTDIR, tr("{folder} is a link, which is not followed here", folder=folder))
    path = folder / name
    beside = folder / f".{secrets.token_hex(8)}.tmp"
    try:
        with beside.open("xb") as file:
            file.writelines(content)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    return path


def in_the_way(places: Iterable[Path]) -> Iterator[str]:
    """Say what is neither a file nor a folder at some places and in the folders there, one sentence each.

    Args:
        places: Files and folders; they need not exist.
    """
    waiting = list(places)
    for count, place in enumerate(waiting, start=1):
        if count > _MOST:
            return
        try:
            mode = place.lstat().st_mode
        except OSError:
            continue  # nothing is there, or nothing can be
        if stat.S_ISLNK(mode):
            yield tr("{place} is a link, which is not followed there; remove it", place=place)
        elif stat.S_ISDIR(mode):
            waiting += _entries(place)
        elif not stat.S_ISREG(mode):
            yield tr("{place} is no regular file; remove it", place=place)


def links_on(path: Path, root: Path) -> Iterator[str]:
    """Say which folder on the way to a path below a root is a link that leads out of it, if any.

    Args:
        path: Where something is going to be written.
        root: A folder that others made.
    """
    path, root = Path(os.path.abspath(path)), Path(os.path.abspath(root))  # noqa: PTH100 - resolve would follow links
    if not path.is_relative_to(root):
        return
    place = root
    for part in path.relative_to(root).parts:
        place /= part
        if place.is_symlink() and not Path(os.path.realpath(place)).is_relative_to(os.path.realpath(root)):
            yield tr(
                "{place} is a link that leads out of the plugin, so nothing is written there; remove it", place=place
            )


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []
