"""Serves MCP servers on one port of the loopback; what it was given is gone when it is left."""

import asyncio
import contextlib
import secrets
import socket
import time
from collections.abc import Coroutine
from typing import Final, Self

from skill_evaluator.mcp_server.exchange import exchange
from skill_evaluator.mcp_server.tools import Tools

MAX_CONNECTIONS: Final = 64  # at once; others wait in the queue of the system
_QUEUE: Final = 1024
_RETRY_S: Final = 0.05
_SILENT_S: Final = 1.0  # without the token, once all places are taken
_LINGER_S: Final = 5.0  # for a client to take an answer


class McpServer:
    """MCP servers on a port of 127.0.0.1; usable only inside `async with`.

    Leaving it ends every connection and call at once, answered or not.
    """

    def __init__(self) -> None:
        self._tools: dict[str, Tools] = {}
        self._token = secrets.token_urlsafe(24)  # whoever else is on this machine cannot guess it
        self._tasks: set[asyncio.Task[None]] = set()
        self._clients: set[socket.socket] = set()
        self._places = asyncio.Semaphore(MAX_CONNECTIONS)
        self._silent: dict[asyncio.Task[None] | None, float] = {}  # since when; have not shown the token
        self._socket: socket.socket | None = None

    async def __aenter__(self) -> Self:
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=_QUEUE)
        self._socket.settimeout(0)  # the event loop waits, not the call
        self._start(self._accept(self._socket))
        return self

    async def __aexit__(self, *_: object) -> None:
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for left in (self._socket, *self._clients):  # a task that was ended before its first step closes nothing
            if left is not None:
                left.close()
        self._socket = None
        self._clients.clear()
        await asyncio.sleep(0)  # for the event loop to let go of what was aborted

    def add(self, tools: Tools) -> str:
        """Serve the tools of one more server.

        Returns:
            The address by which a client reaches them; nobody can guess it.
        """
        if self._socket is None:
            raise RuntimeError("the server is not up; use `async with`")
        path = f"/{self._token}/{len(self._tools)}"
        self._tools[path] = tools
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}{path}"

    def _start(self, job: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(job)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _accept(self, listening: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                client, _ = await loop.sock_accept(listening)
            except OSError:  # no file is left to open, or the client is gone already
                await asyncio.sleep(_RETRY_S)
                continue
            self._clients.add(client)
            await self._find_place()
            self._start(self._serve(client))
            await asyncio.sleep(0)  # for it to begin: what never began cannot be closed, nor give its place back

    async def _find_place(self) -> None:
        """Wait for a place; those who hold one and do not show the token lose it, since any process can do that."""
        while True:
            try:
                async with asyncio.timeout(_SILENT_S):
                    await self._places.acquire()
            except TimeoutError:
                self._close_silent()
            else:
                return

    def _close_silent(self) -> None:
        now = time.monotonic()
        for task, since in tuple(self._silent.items()):
            if task is not None and now - since >= _SILENT_S:
                del self._silent[task]
                task.cancel()

    def _tools_at(self, path: str) -> Tools | None:
        """Give who answers at a path; whoever knows one is not silent any more."""
        tools = self._tools.get(path)
        if tools is not None:
            self._silent.pop(asyncio.current_task(), None)
        return tools

    async def _serve(self, client: socket.socket) -> None:
        task = asyncio.current_task()
        self._silent[task] = time.monotonic()
        try:
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection(sock=client)
                await self._exchanged(reader, writer)
        finally:
            self._silent.pop(task, None)
            client.close()
            self._clients.discard(client)
            self._places.release()

    async def _exchanged(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await exchange(reader, writer, self._tools_at)
            writer.close()
            async with asyncio.timeout(_LINGER_S):
                await writer.wait_closed()
        finally:
            writer.transport.abort()
