"""Ends whatever a run started, also what left its session, its group or its parent.

A process belongs to a run if it descends from the run's child, carries the run's marker in its environment, or works in
the run's folder.
"""

import contextlib
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    import psutil

_LIMIT_S = 5.0  # what SIGKILL does not end by then waits in the kernel, and only the kernel can end it
_PAUSE_S = 0.005


def end_processes(*, marker: str, root: Path, child: int | None = None) -> None:
    """Kill all processes of a run until none is found any more.

    Args:
        marker: The run's value of the marker variable.
        root: The run's folder.
        child: Process number of the run's child, as long as it has not been reaped.
    """
    deadline = time.monotonic() + _LIMIT_S
    if child is not None:
        _kill_tree(child)
    while found := list(_processes_of(marker, str(root))):
        for process in found:
            _kill(process)
        if time.monotonic() > deadline:
            return
        time.sleep(_PAUSE_S)


def _kill_tree(child: int) -> None:
    """Kill the child, its group and its descendants; they are gathered while they still have it as an ancestor."""
    import psutil  # noqa: PLC0415 - loaded only when a program is started

    with contextlib.suppress(psutil.Error):
        descendants = psutil.Process(child).children(recursive=True)
        _kill_group(child)
        for process in (*descendants, psutil.Process(child)):
            _kill(process)


def _kill_group(leader: int) -> None:
    if os.name != "posix":
        return  # Windows: the descendants are killed one by one
    import signal  # noqa: PLC0415 - SIGKILL is there on POSIX alone

    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def _kill(process: "psutil.Process") -> None:
    import psutil  # noqa: PLC0415 - loaded only when a program is started

    with contextlib.suppress(psutil.Error):
        process.kill()


def _processes_of(marker: str, root: str) -> "Iterator[psutil.Process]":
    """Find those that are alive; what is dead and not yet reaped needs no more killing."""
    import psutil  # noqa: PLC0415 - loaded only when a program is started

    for process in psutil.process_iter():
        if process.pid != os.getpid() and (_works_in(process, root) or _carries(process, marker)):
            yield process


def _works_in(process: "psutil.Process", root: str) -> bool:
    import psutil  # noqa: PLC0415 - loaded only when a program is started

    with contextlib.suppress(psutil.Error, OSError):
        folder = process.cwd()
        return folder == root or folder.startswith(root + os.sep)
    return False


def _carries(process: "psutil.Process", marker: str) -> bool:
    import psutil  # noqa: PLC0415 - loaded only when a program is started

    with contextlib.suppress(psutil.Error, OSError):
        return marker in process.environ().values()
    return False
