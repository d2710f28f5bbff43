"""One writer to a run folder: the lock goes with the process, however it ends."""

from pathlib import Path
from typing import TYPE_CHECKING

from skill_evaluator.errors import InputError
from skill_evaluator.model import Finding, Level
from skill_evaluator.texts import tr

if TYPE_CHECKING:
    from filelock import BaseFileLock

LOCK_FILE = "lock"


def lock_run_folder(folder: Path) -> "BaseFileLock":
    """Take a run folder for this process alone; `release` gives it back.

    Raises:
        InputError: If another process writes to it.
        OSError: If the folder cannot be written.
    """
    from filelock import FileLock, Timeout  # noqa: PLC0415 - only who writes runs needs it

    lock = FileLock(folder / LOCK_FILE, blocking=False)
    try:
        lock.acquire()
    except Timeout as error:
        message = tr("this run is still under way in another process; wait for its end, or end it first")
        finding = Finding(level=Level.FAIL, code="run-under-way", file=str(folder), message=message)
        raise InputError([finding]) from error
    return lock
