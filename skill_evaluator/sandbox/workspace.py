"""What a run left in its workspace: which files are new, and what stands in those that graders look at.

The agent filled the folder, and nothing it started is alive any more. No link is followed out of the folder, only
regular files are opened, and what is listed or read is bounded.
"""

import os
import stat
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Final

from skill_evaluator.model import SeenFile
from skill_evaluator.regular_files import read_regular

MAX_BYTES: Final = 10_000_000  # of one file that a grader looks at
MOST_FILES: Final = 50_000  # in the workspace; beyond, nobody knows what is new
FolderId = tuple[int, int]  # device and inode
_NOT_WALKED: Final = ".git"  # the agent's own book-keeping, as for the real program


def identity_of(workspace: Path) -> FolderId | None:
    """Tell a folder from any other that an agent may put in its place; None where there is no folder."""
    try:
        found = os.lstat(workspace)
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISDIR(found.st_mode) else None


def files_in(workspace: Path, *, made: FolderId | None = None, most: int = MOST_FILES) -> frozenset[str] | None:
    """List the regular files of a folder.

    Args:
        workspace: The folder; links in it are neither listed nor followed, nor is what lies in a `.git`.
        made: Which folder it has to be still, as `identity_of` told before the run; None for any.
        most: No more files, and no more folders, than this.

    Returns:
        Relative POSIX paths, none where the folder is gone; None where nobody can say: another folder or a link stands
        in its place, a folder in it cannot be read, or there are too many.
    """
    if not os.path.lexists(workspace):
        return frozenset()
    if made is not None and identity_of(workspace) != made:
        return None
    found: set[str] = set()
    try:
        for path in _walked(workspace, most):
            if path is None or len(found) >= most:
                return None
            found.add(path)
    except OSError:
        return None
    return frozenset(found)


def _walked(workspace: Path, most: int) -> Iterator[str | None]:
    """Give the path of each file; None, and nothing more, after too many folders.

    Raises:
        OSError: If a folder cannot be read, as with a path longer than the system takes.
    """
    waiting, folders = [(str(workspace), "")], 0
    while waiting:
        folder, above = waiting.pop()
        folders += 1
        if folders > most:
            yield None
            return
        for entry in _entries(folder):
            path = f"{above}{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                if entry.name != _NOT_WALKED:
                    waiting.append((entry.path, f"{path}/"))
            elif entry.is_file(follow_symlinks=False):
                yield _text_of(path)


def _entries(folder: str) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return list(entries)


def created_files(before: frozenset[str] | None, after: frozenset[str] | None) -> tuple[str, ...] | None:
    """Give the files that are new, sorted; None where one of the lists is not known."""
    return None if before is None or after is None else tuple(sorted(after - before))


def look_at(
    workspace: Path, paths: Collection[str], *, made: FolderId | None = None, max_bytes: int = MAX_BYTES
) -> Mapping[str, SeenFile]:
    """Look at single files.

    Args:
        workspace: The folder they are relative to.
        paths: As graders name them.
        made: As for `files_in`.
        max_bytes: Larger files are not kept.

    Returns:
        What stands there, by the path as it was given; all are outside where something else stands in place of the
        folder.
    """
    if made is not None and os.path.lexists(workspace) and identity_of(workspace) != made:
        return {path: SeenFile(state="outside") for path in paths}
    return {path: _seen(workspace, path, max_bytes) for path in paths}


def _seen(workspace: Path, path: str, max_bytes: int) -> SeenFile:
    root = os.path.realpath(workspace)
    try:
        real = os.path.realpath(os.path.join(root, path))  # noqa: PTH118 - as the agent's system takes the path
        if os.path.isabs(path) or os.path.commonpath([root, real]) != root:  # noqa: PTH117 - likewise
            return SeenFile(state="outside")
        if not stat.S_ISREG(os.stat(real).st_mode):  # noqa: PTH116 - likewise
            return SeenFile(state="not_a_file")
        content = read_regular(Path(real), max_bytes=max_bytes + 1)
    except (FileNotFoundError, NotADirectoryError):
        return SeenFile(state="missing")
    except (OSError, ValueError):
        return SeenFile(state="unreadable")
    return SeenFile(state="too_large") if len(content) > max_bytes else SeenFile.of(content)


def _text_of(path: str) -> str:
    """Give a path as text that can be stored: bytes that are no UTF-8 become U+FFFD."""
    return path if path.isascii() else os.fsencode(path).decode(errors="replace")
