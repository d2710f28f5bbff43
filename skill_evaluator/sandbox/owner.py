"""Whose a run folder is: its name says it, so that there is no moment in which it has no owner.

A process number alone is not enough, since it is given out again: the moment of its start stands beside it, and on
Linux the space the number is from, since containers may share a folder for temporary files.
"""

import os
import re
from functools import cache
from pathlib import Path

_HAS_PROC = os.path.exists("/proc/self/stat")  # noqa: PTH110 - a question, asked once
_PREFIX = "skill-evaluator-"
_NAME = re.compile(rf"{_PREFIX}(?P<pid>\d+)-(?P<born>\d+)-(?P<space>\d+)-\w+")


def new_prefix() -> str:
    """Start of the name of a folder that belongs to this process."""
    return f"{_PREFIX}{os.getpid()}-{_own_birth(os.getpid())}-{_space()}-"


def kept_name(name: str) -> str:
    """Name of a folder that outlives its owner.

    >>> kept_name("skill-evaluator-17-4711-40-ab_c9")
    'skill-evaluator-kept-ab_c9'
    """
    return f"{_PREFIX}kept-{name.rpartition('-')[2]}"


def is_orphan(name: str) -> bool:
    """Whether a folder of this name belonged to a process that is gone; a name of another form never did."""
    owner = _NAME.fullmatch(name)
    if owner is None or owner["space"] != str(_space()):
        return False
    return _born(int(owner["pid"])) != int(owner["born"])


@cache
def _own_birth(pid: int) -> int:
    """The own start; by number, since a fork inherits the cache."""
    return _born(pid) or 0


def _born(pid: int) -> int | None:
    """When a process started, in units of the system; None where there is no such process."""
    if _HAS_PROC:
        return _ticks(pid)
    import psutil  # noqa: PLC0415 - loaded only when a program is started

    try:
        return int(psutil.Process(pid).create_time())
    except psutil.NoSuchProcess:
        return None


def _ticks(pid: int) -> int | None:
    """Clock ticks from boot to the start: they stay when the clock is set."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("utf-8", errors="replace")
    except OSError:
        return None
    return int(stat.rpartition(")")[2].split()[19])


def _space() -> int:
    try:
        return Path("/proc/self/ns/pid").stat().st_ino
    except OSError:
        return 0
