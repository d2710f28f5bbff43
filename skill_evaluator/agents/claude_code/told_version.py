"""Asks a program for its version: for a bounded time, for a few bytes, and with nothing left of it afterwards."""

import contextlib
import os
import re
import subprocess
import threading
from pathlib import Path
from typing import IO, Any, Final

_VERSION: Final = re.compile(r"(?<!\d)\d{1,9}\.\d{1,9}(?:\.\d{1,9})?(?!\d)")
_MOST: Final = 4_096  # bytes; a version is a line
_LIMIT_S: Final = 30.0
_READ_S: Final = 5.0  # whoever still holds the pipe has left the group, and says no version


def told_version(path: Path, *, as_program: str, limit_s: float = _LIMIT_S) -> str | None:
    """Give what `--version` says.

    Args:
        path: The program.
        as_program: What it has to call itself.
        limit_s: How long it may take.

    Returns:
        Two or three numbers with dots; None where it cannot be started, does not end well and in time, says too much,
        no version, or another name.
    """
    try:
        process = subprocess.Popen(  # noqa: S603 - the program that the user has, without a shell
            [path, "--version"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=os.name == "posix",
        )
    except OSError:
        return None
    said = _said_by(process, limit_s)
    found = _VERSION.search(said)
    return found[0] if found and as_program in said else None


def _said_by(process: "subprocess.Popen[bytes]", limit_s: float) -> str:
    """Give what a program says, nothing where it is too much or the program does not end well."""
    said = bytearray()
    reader = threading.Thread(target=_read, args=(process, said), daemon=True)  # a stranger may hold the pipe for ever
    reader.start()
    try:
        status = process.wait(limit_s)
    except subprocess.TimeoutExpired:
        status = None
    finally:
        _end(process)
    reader.join(_READ_S)
    return said.decode(errors="replace") if status == 0 and len(said) <= _MOST else ""


def _read(process: "subprocess.Popen[bytes]", said: bytearray) -> None:
    pipe: IO[Any] | None = process.stdout
    if pipe is None:
        return
    with pipe:
        while len(said) <= _MOST and (chunk := os.read(pipe.fileno(), _MOST)):
            said += chunk
    # Closed, the pipe ends a program that goes on to write.


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Kill the program with all of its group, which may go on without it."""
    if os.name == "posix":
        import signal  # noqa: PLC0415 - SIGKILL is there on POSIX alone

        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()
