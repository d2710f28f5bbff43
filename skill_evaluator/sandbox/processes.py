"""Ends whatever a run started, also what left its session, its group or its parent.

A process belongs to a run if it descends from the run's child, carries the run's marker in its environment, works in
the run's folder, or has inherited the run's mark. One look is not enough: whoever forks and exits while the looking
goes on is seen in neither shape.
"""

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from skill_evaluator.sandbox.inherited import is_marked

_LIMIT_S = 5.0  # what SIGKILL does not end by then waits in the kernel, and only the kernel can end it
_CLEAN_LOOKS = 4
_PAUSE_S = 0.004
_ENVIRON_READ = 65_536
_PROC = Path("/proc")
_HAS_PROC = (_PROC / "self" / "environ").exists()

Kill = Callable[[], object]


def end_processes(*, marker: str, root: Path, child: int | None = None, looks: int = _CLEAN_LOOKS) -> None:
    """Kill all processes of a run until none is found any more.

    Args:
        marker: The run's value of the marker variable.
        root: The run's folder.
        child: Process number of the run's child, as long as it has not been reaped.
        looks: How many looks in a row have to find nothing.
    """
    if child is not None:
        _kill_tree(child)
    deadline = time.monotonic() + _LIMIT_S
    clean = 0
    while clean < looks and time.monotonic() < deadline:
        if clean:
            time.sleep(_PAUSE_S)
        clean += 1
        for kill in _processes_of(marker, str(root)):
            _attempt(kill)  # at once: some live for a moment only, and leave a child
            clean = 0


def _kill_tree(child: int) -> None:
    """Kill the child, its group and its descendants; they are gathered while they still have it as an ancestor."""
    import psutil  # noqa: PLC0415 - loaded only when a program is started

    with contextlib.suppress(psutil.Error):
        leader = psutil.Process(child)
        descendants = leader.children(recursive=True)
        _kill_group(child)
        for process in (*descendants, leader):
            _attempt(process.kill)


def _kill_group(leader: int) -> None:
    if os.name != "posix":
        return  # Windows: the descendants are killed one by one
    import signal  # noqa: PLC0415 - SIGKILL is there on POSIX alone

    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def _attempt(kill: Kill) -> None:
    import psutil  # noqa: PLC0415 - loaded only when a program is started

    with contextlib.suppress(psutil.Error, OSError):
        kill()


def _processes_of(marker: str, root: str) -> Iterator[Kill]:
    """Find those that are alive; what is dead and not yet reaped has neither environment nor folder."""
    yield from _in_proc(marker, root) if _HAS_PROC else _by_psutil(marker, root)


def _in_proc(marker: str, root: str) -> Iterator[Kill]:
    """Look by hand where /proc is: psutil takes ten times as long, and there are many looks."""
    import signal  # noqa: PLC0415 - SIGKILL is there on POSIX alone

    numbers = (int(name) for name in os.listdir(_PROC) if name.isdigit())  # noqa: PTH208 - names are all that is wanted
    for pid in sorted(numbers, reverse=True):  # the youngest first, since they may be gone the soonest
        if pid != os.getpid() and (_carries(pid, marker) or is_marked(pid, marker)):
            yield lambda pid=pid: _kill_with_group(pid)  # type: ignore[misc]
        elif pid != os.getpid() and _works_in(pid, root):
            yield lambda pid=pid: os.kill(pid, signal.SIGKILL)  # type: ignore[misc]


def _kill_with_group(pid: int) -> None:
    """Kill a process with its group, which may have changed hands already: a chain of forks outruns any looking."""
    import signal  # noqa: PLC0415 - SIGKILL is there on POSIX alone

    group = os.getpgid(pid)
    if group != os.getpgrp():
        _kill_group(group)
    os.kill(pid, signal.SIGKILL)


def _works_in(pid: int, root: str) -> bool:
    try:
        return _is_inside(os.readlink(f"/proc/{pid}/cwd"), root)  # noqa: PTH115 - many looks, each short
    except OSError:
        return False


def _carries(pid: int, marker: str) -> bool:
    try:
        return f"={marker}\0".encode() in _environ_of(pid)
    except OSError:
        return False


def _environ_of(pid: int) -> bytes:
    """Read a file of the kernel's, by hand for the same reason: it is read a hundred times at the end of each run."""
    file = os.open(f"/proc/{pid}/environ", os.O_RDONLY)
    try:
        found = os.read(file, _ENVIRON_READ)
        while part := os.read(file, _ENVIRON_READ):
            found += part
    finally:
        os.close(file)
    return found


def _by_psutil(marker: str, root: str) -> Iterator[Kill]:
    import psutil  # noqa: PLC0415 - loaded only when a program is started

    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.pid == os.getpid():
                continue
            if _is_inside(process.cwd(), root) or marker in process.environ().values():
                yield process.kill


def _is_inside(folder: str, root: str) -> bool:
    """Whether a working folder is the root or below it; the system marks one that was removed."""
    return folder.removesuffix(" (deleted)") == root or folder.startswith(root + os.sep)
