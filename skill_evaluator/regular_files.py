"""Opens regular files alone: a pipe, a socket or a device may never come to an end, and opening one can block."""

import errno
import os
import stat
from pathlib import Path


class NotRegularError(OSError):
    """A pipe, socket or device, which may never come to an end."""


def read_regular(path: Path, *, max_bytes: int = -1) -> bytes:
    """Read a regular file.

    Args:
        path: The file, or a link to it.
        max_bytes: Read no more than so many; below 0 all of them.

    Raises:
        OSError: If it cannot be read; `NotRegularError` for a pipe, socket or device.
        ValueError: If the path cannot be one.
    """
    check_regular(path)
    with path.open("rb") as stream:
        return stream.read(max_bytes)


def check_regular(path: Path) -> None:
    """Make sure that a path is a regular file, or a link to one.

    Raises:
        OSError: If it is none; `NotRegularError` for a pipe, socket or device.
        ValueError: If the path cannot be one.
    """
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise NotRegularError(errno.EINVAL, "it is no regular file", str(path))
