"""One HTTP request on one connection, and its answer; h11 reads and writes HTTP.

A connection carries one request: whoever keeps connections open without asking keeps nobody out for long.
"""

import asyncio
from collections.abc import Callable
from typing import Final

import h11

from skill_evaluator.mcp_server.messages import NoReply, reply_to
from skill_evaluator.mcp_server.tools import Tools

MAX_BODY: Final = 1_048_576  # bytes; a model writes less in one message
_READ_S: Final = 30.0  # for a whole request; it comes from this machine
_CHUNK: Final = 65_536

Finder = Callable[[str], Tools | None]


class _TooLargeError(Exception):
    """The body of a request is larger than any that is meant."""


async def exchange(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, tools_at: Finder) -> None:
    """Read one request and answer it.

    Args:
        reader: What comes.
        writer: Where the answer goes; closed by the caller.
        tools_at: Who answers at a path, None for nobody: then not a byte is written.

    Raises:
        OSError: If the connection breaks.
    """
    connection = h11.Connection(h11.SERVER)
    try:
        async with asyncio.timeout(_READ_S):
            request = await _event(connection, reader)
            tools = tools_at(request.target.decode("ascii")) if isinstance(request, h11.Request) else None
            if tools is None or not isinstance(request, h11.Request):
                return
            if request.method != b"POST":
                await _write(connection, writer, 405, headers=[("Allow", "POST")])
                return
            if connection.they_are_waiting_for_100_continue:
                writer.write(connection.send(h11.InformationalResponse(status_code=100, headers=[])))
            body = await _body(connection, reader)
    except (TimeoutError, h11.RemoteProtocolError):
        return
    except _TooLargeError:
        await _write(connection, writer, 413)
        return
    reply = await reply_to(body, tools)
    if reply is NoReply.NEVER:
        await asyncio.get_running_loop().create_future()  # until the server stops
    await _write(connection, writer, *((202,) if isinstance(reply, NoReply) else (200, reply)))


async def _event(connection: h11.Connection, reader: asyncio.StreamReader) -> h11.Event:
    while not isinstance(event := connection.next_event(), h11.Event):
        if event is h11.PAUSED:
            raise h11.RemoteProtocolError("more than one request")
        connection.receive_data(await reader.read(_CHUNK))
    return event


async def _body(connection: h11.Connection, reader: asyncio.StreamReader) -> bytes:
    body = bytearray()
    while not isinstance(event := await _event(connection, reader), h11.EndOfMessage):
        if not isinstance(event, h11.Data):
            raise h11.RemoteProtocolError("the request broke off")
        body += event.data
        if len(body) > MAX_BODY:
            raise _TooLargeError
    return bytes(body)


async def _write(
    connection: h11.Connection,
    writer: asyncio.StreamWriter,
    status: int,
    body: bytes = b"",
    headers: list[tuple[str, str]] | None = None,
) -> None:
    head = [
        ("Content-Type", "application/json"),
        ("Content-Length", str(len(body))),
        ("Connection", "close"),
        *(headers or []),
    ]
    for event in (h11.Response(status_code=status, headers=head), h11.Data(data=body), h11.EndOfMessage()):
        writer.write(connection.send(event) or b"")
    await writer.drain()
