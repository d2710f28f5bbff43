"""Runs one program to its end: fed, read chunk by chunk, timed, and killed with all that it started.

Pipes are drained after everything is dead and before anybody decides, so that what was printed last is not lost.
"""

import asyncio
import contextlib
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from skill_evaluator.sandbox.folder import Sandbox
from skill_evaluator.sandbox.inherited import mark_child
from skill_evaluator.sandbox.processes import end_processes

STDERR_KEPT = 8_192
_DRAIN_LIMIT_S = 5.0  # a pipe that is still open after everything of the run is dead is held by a stranger
_NEW_PROCESS_GROUP = 0x200  # CREATE_NEW_PROCESS_GROUP of Windows
_STDERR = 2
_PIPE_HOLDS = 4_096  # bytes, on every system, before anybody reads


@dataclass(frozen=True, kw_only=True, slots=True)
class Call:
    """One call of a program.

    Attributes:
        argv: The program, as a path, and its arguments; UTF-8 whatever the locale.
        timeout_s: For the start-up, and once more from the start of the session.
        stdin: What it is fed, or None for an empty input.
        called_off: Once it is set, the program is killed as it is at the end of its time; None for never.
        handed: Short texts that it reads from pipes, by the variable that names each pipe's number; POSIX only.
    """

    argv: Sequence[str]
    environment: Mapping[str, str]
    folder: Sandbox
    timeout_s: float
    stdin: bytes | None = None
    called_off: asyncio.Event | None = None
    handed: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Ended:
    """How a program ended.

    Attributes:
        status: Exit status, negative for a signal; None when it ran out of time or was called off.
        timed_out: Whether its start-up or its session was not done in time, or None.
        duration_s: From the start of the session to the end.
        stderr: The end of what it wrote to standard error.
    """

    status: int | None
    timed_out: Literal["start", "session"] | None
    duration_s: float
    stderr: str
    was_called_off: bool = False


async def run_child(call: Call, *, feed: Callable[[bytes], None], has_started: Callable[[], bool]) -> Ended:
    """Run a program; whatever happens, nothing that it started is alive afterwards.

    Args:
        call: What to run and where.
        feed: Takes each chunk of the standard output, in order, to its end.
        has_started: Asked after each chunk, and before the first, until it says that the session has started.

    Raises:
        OSError: If the program cannot be started.
        ValueError: Likewise, where an argument holds NUL, or a text to be handed is longer than any pipe holds.
    """
    loop = asyncio.get_running_loop()
    watch = _Watch(feed=feed, has_started=has_started, marker=call.folder.marker)
    with _pipes(call.handed) as pipes:
        transport, _ = await loop.subprocess_exec(
            lambda: watch,
            *_arguments(call.argv),
            stdin=asyncio.subprocess.DEVNULL if call.stdin is None else asyncio.subprocess.PIPE,
            cwd=call.folder.workspace,
            env={**call.environment, **{name: str(number) for name, number in pipes.items()}},
            pass_fds=tuple(pipes.values()),
            **_own_group(),
        )
    try:
        _send(transport, call.stdin)
        async with _heeding(call.called_off, watch):
            timed_out = await watch.until_over(call.timeout_s)
        ended_s = time.monotonic()
    finally:
        _end(transport, call.folder)
        await _drained(transport, watch)
    if watch.broken is not None:
        raise watch.broken
    return Ended(
        status=None if timed_out or watch.was_called_off else transport.get_returncode(),
        timed_out=timed_out,
        duration_s=max(ended_s - watch.began_s, 0.0),
        stderr=bytes(watch.stderr).decode(errors="replace"),
        was_called_off=watch.was_called_off,
    )


@contextlib.contextmanager
def _pipes(handed: Mapping[str, bytes]) -> Iterator[dict[str, int]]:
    """Fill a pipe with each text; gives the ends to read from, which nobody but the child inherits."""
    with contextlib.ExitStack() as opened:
        pipes: dict[str, int] = {}
        for name, text in handed.items():
            if len(text) > _PIPE_HOLDS:
                raise ValueError(f"the text for {name} has more than {_PIPE_HOLDS:,} bytes")
            pipes[name], end = os.pipe()
            opened.callback(os.close, pipes[name])
            os.write(end, text)
            os.close(end)
        yield pipes


@contextlib.asynccontextmanager
async def _heeding(called_off: asyncio.Event | None, watch: "_Watch") -> AsyncIterator[None]:
    """Tell the watch when the run is called off."""
    if called_off is None:
        yield
        return
    waiting = asyncio.ensure_future(called_off.wait())
    waiting.add_done_callback(lambda done: None if done.cancelled() else watch.call_off())
    try:
        yield
    finally:
        waiting.cancel()


async def _drained(transport: asyncio.SubprocessTransport, watch: "_Watch") -> None:
    """Wait until the child is reaped and its pipes are empty, but never for a stranger who holds one of them."""
    try:
        await asyncio.wait({watch.closed}, timeout=_DRAIN_LIMIT_S)
    finally:
        transport.close()
    await asyncio.wait({watch.closed}, timeout=_DRAIN_LIMIT_S)


@dataclass(slots=True, eq=False)
class _Watch(asyncio.SubprocessProtocol):
    """Receives what the event loop tells of a child."""

    feed: Callable[[bytes], None]
    has_started: Callable[[], bool]
    marker: str
    exited: asyncio.Future[None] = field(init=False)
    closed: asyncio.Future[None] = field(init=False)
    began: asyncio.Future[None] = field(init=False)
    began_s: float = field(init=False)
    stderr: bytearray = field(init=False, default_factory=bytearray)
    broken: Exception | None = field(init=False, default=None)
    was_called_off: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.exited, self.closed, self.began = (loop.create_future() for _ in range(3))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the time of the start; without a sign in the output it is the session's start too."""
        if isinstance(transport, asyncio.SubprocessTransport):
            mark_child(transport.get_pid(), self.marker)
        self.began_s = time.monotonic()
        self._look_for_start()

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        """Hand on the output; of the errors, the last words are enough."""
        chunk = data if isinstance(data, bytes) else data.encode()
        if fd == _STDERR:
            self.stderr += chunk
            del self.stderr[:-STDERR_KEPT]
        elif self.broken is None:
            self._feed(chunk)

    def _feed(self, chunk: bytes) -> None:
        """An exception would be lost in the event loop: it is kept for whoever waits."""
        try:
            self.feed(chunk)
            self._look_for_start()
        except Exception as error:  # noqa: BLE001 - raised again by `run_child`
            self.broken = error
            _finish(self.exited)

    def _look_for_start(self) -> None:
        if not self.began.done() and self.has_started():
            self.began_s = time.monotonic()
            self.began.set_result(None)

    def call_off(self) -> None:
        """Wait no longer; a child that has already ended was not called off."""
        self.was_called_off = not self.exited.done()
        _finish(self.exited)

    def process_exited(self) -> None:
        """Note the end of the child itself; others may still hold its pipes."""
        _finish(self.exited)

    def connection_lost(self, _error: Exception | None) -> None:
        """Note that the child is reaped and all its pipes have come to an end."""
        _finish(self.closed)

    async def until_over(self, timeout_s: float) -> Literal["start", "session"] | None:
        """Wait for the child to exit; gives what was not done in time."""
        await asyncio.wait({self.exited, self.began}, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
        if self.exited.done():
            return None
        if not self.began.done():
            return "start"
        await asyncio.wait({self.exited}, timeout=max(self.began_s + timeout_s - time.monotonic(), 0))
        return None if self.exited.done() else "session"


def _finish(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


def _end(transport: asyncio.SubprocessTransport, folder: Sandbox) -> None:
    child = transport.get_pid() if transport.get_returncode() is None else None
    end_processes(marker=folder.marker, root=folder.root, child=child)


def _send(transport: asyncio.SubprocessTransport, text: bytes | None) -> None:
    pipe = transport.get_pipe_transport(0)
    if isinstance(pipe, asyncio.WriteTransport) and text is not None:
        pipe.write(text)
        pipe.close()  # once all is written


def _arguments(argv: Sequence[str]) -> list[str | bytes]:
    if os.name != "posix":
        return list(argv)
    return [os.fsencode(argv[0]), *(text.encode(errors="replace") for text in argv[1:])]


def _own_group() -> dict[str, Any]:  # any: the two systems take arguments of different types
    return {"start_new_session": True} if os.name == "posix" else {"creationflags": _NEW_PROCESS_GROUP}
