"""Types at a program in a pseudo terminal, and reads what it shows."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

HERE = str(Path(__file__).parents[2])
_PATIENCE_S = 60.0
# The terminal becomes the one that sends the program its Ctrl-C; then the program takes the place of this.
_ENTER = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


class Terminal:
    """The program as installed, in a terminal of its own.

    Attributes:
        shown: All that it has shown so far.
    """

    def __init__(
        self,
        folder: Path,
        words: Sequence[str],
        environment: Mapping[str, str] | None = None,
        *,
        module: str | None = "skill_evaluator",
        columns: int = 0,
        lines: int = 24,
    ) -> None:
        self.shown = ""
        self._read_to = 0
        self._terminal, inner = pty.openpty()
        if columns:
            self.resize(columns, lines)
        self._program = subprocess.Popen(
            [sys.executable, "-c", _ENTER, *(() if module is None else ("-m", module)), *words],
            stdin=inner, stdout=inner, stderr=inner, start_new_session=True,
            cwd=folder, env={**os.environ, "PYTHONPATH": HERE, **(environment or {})},
        )  # fmt: skip
        os.close(inner)

    def resize(self, columns: int, lines: int = 24) -> None:
        """Make the window so large."""
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def wait_for(self, text: str) -> None:
        """Wait until the program shows a text that it has not shown before the last wait."""
        ends_s = time.monotonic() + _PATIENCE_S
        while (found := self.shown.find(text, self._read_to)) < 0:
            if time.monotonic() > ends_s or not self._take():
                raise AssertionError(f"{text!r} was not shown: {self.shown[self._read_to :]!r}")
        self._read_to = found + len(text)

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._terminal, keys.encode())

    def end(self) -> int:
        """Wait for the end of the program and give its exit status, negative for a signal."""
        while self._take():
            pass
        try:
            return self._program.wait(_PATIENCE_S)
        finally:
            self._program.kill()  # one that did not end says so here, and not in another test
            self._program.wait()
            os.close(self._terminal)  # not before, since that hangs up on a program that is still ending

    def _take(self) -> bool:
        ready, _, _ = select.select([self._terminal], [], [], _PATIENCE_S)
        try:
            taken = os.read(self._terminal, 4096) if ready else b""
        except OSError:  # how Linux tells of the end
            taken = b""
        self.shown += taken.decode(errors="replace")
        return bool(taken)
