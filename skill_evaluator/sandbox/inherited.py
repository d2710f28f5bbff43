"""A mark that each process of a run inherits, also one that left its session, its parent, its folder and its variables.

It is a limit that limits nobody: how long a process with real-time priority may compute without a pause. Usually there
is none; in a run it is some ten thousand years, and the exact number says which run. Whoever wants to lose it can, by
lowering it; daemons do not.

A process that adopts orphans (PR_SET_CHILD_SUBREAPER) would be the other way to find them. But nothing tells an orphan
of a run from one that the caller of this package, or another run, has started meanwhile, and each had to be reaped.

Source:
    getrlimit(2), proc_pid_limits(5).
"""

import contextlib
import hashlib
import os
import sys
from functools import lru_cache
from pathlib import Path
from typing import Final

_LEAST_US: Final = 2**61
_HASHED: Final = 7  # bytes, so that the number stays below 2**62
_NAME: Final = b"Max realtime timeout"
_READ: Final = 8_192
_IS_THERE: Final = sys.platform == "linux" and Path("/proc/self/limits").exists()


def mark_child(pid: int, marker: str) -> None:
    """Mark a process that has just been started; what it starts from now on is marked too.

    Nothing is done where the system has no such limit, where somebody else has set one, or where it is over already.

    Args:
        pid: The process.
        marker: The run's value of the marker variable.
    """
    if not _IS_THERE:
        return
    import resource  # noqa: PLC0415 - POSIX

    with contextlib.suppress(OSError, ValueError):
        if resource.prlimit(pid, resource.RLIMIT_RTTIME) == (resource.RLIM_INFINITY, resource.RLIM_INFINITY):
            resource.prlimit(pid, resource.RLIMIT_RTTIME, (_number(marker), _number(marker)))


def is_marked(pid: int, marker: str) -> bool:
    """Whether a process is one of the run; anybody may ask it of any process."""
    if not _IS_THERE:
        return False
    try:
        found = _limits_of(pid).partition(_NAME)[2].split(maxsplit=2)
    except OSError:
        return False
    return found[1:2] == [str(_number(marker)).encode()]


def _limits_of(pid: int) -> bytes:
    """Read a file of the kernel's by hand, since it is read for all processes at the end of each run."""
    file = os.open(f"/proc/{pid}/limits", os.O_RDONLY)
    try:
        return os.read(file, _READ)
    finally:
        os.close(file)


@lru_cache(maxsize=64)
def _number(marker: str) -> int:
    return _LEAST_US + int.from_bytes(hashlib.sha256(marker.encode()).digest()[:_HASHED], "big")
