"""What a run may leave behind: files, processes, changes of the plugin; for tests that there is nothing of it."""

import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import psutil


def contents(folder: Path, *, but: str = "") -> Mapping[str, str]:
    """What stands below a folder: by path a digest of what it is; `but` names a folder that is left out."""
    found = {str(path.relative_to(folder)): _digest(path) for path in sorted(folder.rglob("*"))}
    return {name: digest for name, digest in found.items() if not but or not (f"{name}/").startswith(f"{but}/")}


def survivors(folder: Path) -> Iterator[str]:
    """Command lines of processes that have to do with a folder: by working directory, arguments or environment."""
    for process in psutil.process_iter():
        if process.pid != os.getpid() and str(folder) in _told_by(process):
            yield " ".join(process.cmdline())


def _told_by(process: psutil.Process) -> str:
    try:
        if process.status() == psutil.STATUS_ZOMBIE:
            return ""
        return " ".join([process.cwd(), *process.cmdline(), *process.environ().values()])
    except (psutil.Error, OSError):  # it has ended meanwhile, or belongs to somebody else
        return ""


def _digest(path: Path) -> str:
    kind = oct(path.lstat().st_mode)
    if path.is_symlink():
        return f"{kind} -> {os.readlink(path)}"  # noqa: PTH115 - as it is written
    return f"{kind} {hashlib.sha256(path.read_bytes()).hexdigest()}" if path.is_file() else kind
