"""A scripted server of the Messages API on a loopback port: real HTTP/1.1 for tests and benchmarks.

    with ApiServer(lambda asked: text("Hello.")) as server:
        ...  # point ANTHROPIC_BASE_URL at server.url, or take server.environment()

Started as a program it serves one fixed answer until its input ends: `python tests/api_server.py`.
"""

import asyncio
import json
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Self

from tests.api_answers import (
    Answer,
    call,
    cut,
    delayed,
    error_event,
    fault,
    malformed,
    many,
    message,
    message_events,
    slow,
    text,
    wrong,
)
from tests.api_batches import BatchShelf

__all__ = [
    "Answer",
    "ApiServer",
    "call",
    "cut",
    "delayed",
    "error_event",
    "fault",
    "malformed",
    "many",
    "slow",
    "text",
    "wrong",
]

Asked = dict[str, object]
Script = Callable[[Asked], Answer]

REASON = {200: "OK", 429: "Too Many Requests"}


class ApiServer:
    """Serves what a script says, in a thread of its own.

    Attributes:
        url: Base URL.
        requests: Bodies of all messages asked for in order of arrival, those inside batches too.
        calls: Method and path of every request, in order of arrival.
        raw: Heads and bodies of every request as they came.
        at_once: For every request to `/v1/messages`, how many were unanswered when it had come, itself counted.
        batches: Message batches, their delays and fates.
    """

    def __init__(self, answer: Script, *, keep: bool = True) -> None:
        """Take the script; it is called with the body of one message at a time.

        Args:
            answer: Gives the answer to a body of `POST /v1/messages`, or to the `params` of a batch's entry.
            keep: Whether requests are kept; a benchmark does without.
        """
        self.url = ""
        self.requests: list[Asked] = []
        self.calls: list[str] = []
        self.raw: list[bytes] = []
        self.at_once: list[int] = []
        self.batches = BatchShelf(self._entry)
        self.open: set[asyncio.Transport] = set()
        self._answer = answer
        self._keep = keep
        self._unanswered = 0
        self._broken: list[BaseException] = []
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)

    @property
    def most_at_once(self) -> int:
        """The most requests that were unanswered at the same time."""
        return max(self.at_once, default=0)

    @property
    def batch_delay(self) -> int:
        """Polls that a batch answers with `in_progress` before it has ended."""
        return self.batches.delay

    @batch_delay.setter
    def batch_delay(self, polls: int) -> None:
        self.batches.delay = polls

    @property
    def batch_fate(self) -> dict[str, str]:
        """Entries by custom id that end as `expired`, `errored` or `canceled`."""
        return self.batches.fate

    def environment(self) -> dict[str, str]:
        """Give the variables that lead the SDK here."""
        return {"ANTHROPIC_BASE_URL": self.url, "ANTHROPIC_API_KEY": "sk-ant-made-up-for-a-test"}

    def __enter__(self) -> Self:
        self._thread.start()
        if not self._ready.wait(10):
            raise TimeoutError("the scripted server did not start")
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)
        if self._broken:
            raise self._broken[0]

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        server = await self._loop.create_server(lambda: _Connection(self), "127.0.0.1", 0, backlog=1024)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        self._ready.set()
        await self._stop.wait()
        server.close()
        for transport in tuple(self.open):
            transport.abort()
        await asyncio.sleep(0)

    def _entry(self, asked: Asked) -> Answer:
        if self._keep:
            self.requests.append(asked)
        return self._answer(asked)

    def received(self, connection: "_Connection", head: bytes, body: bytes) -> None:
        """Answer one request, at once or after its delay."""
        method, path, _ = head.split(b"\r\n", 1)[0].decode().split(" ")
        path = path.split("?")[0]
        if self._keep:
            self.calls.append(f"{method} {path}")
            self.raw.append(head + b"\r\n\r\n" + body)
        try:
            self._respond(connection, method, path, json.loads(body) if body else {})
        except Exception as error:  # noqa: BLE001 - a fault of the script fails the test at the end of its `with`
            self._broken.append(error)
            self.sent(connection, fault(500, headers={"x-should-retry": "false"}), {})

    def _respond(self, connection: "_Connection", method: str, path: str, asked: Asked) -> None:
        if (method, path) != ("POST", "/v1/messages"):
            self.sent(connection, self.batches.answer(self.url, method, path, asked), {})
            return
        self._unanswered += 1
        if self._keep:
            self.at_once.append(self._unanswered)
        answer = self._entry(asked)
        if answer.delay_s:
            self._loop.call_later(answer.delay_s, self._finish, connection, answer, asked)
        else:
            self._finish(connection, answer, asked)

    def _finish(self, connection: "_Connection", answer: Answer, asked: Asked) -> None:
        self._unanswered -= 1
        self.sent(connection, answer, asked)

    def sent(self, connection: "_Connection", answer: Answer, asked: Asked) -> None:
        """Write the answer."""
        if answer.cut_after == -1:
            connection.transport.abort()
        elif asked.get("stream") and (answer.status == 200 or answer.events is not None):
            self._stream(connection, replace(answer, status=200), asked)
        else:
            body = json.dumps(message(answer, asked)).encode() if answer.body is None else answer.body
            connection.write_body(answer, body)

    def _stream(self, connection: "_Connection", answer: Answer, asked: Asked) -> None:
        broken = answer.events if answer.events is not None else answer.body
        pieces = [broken] if broken is not None else list(message_events(answer, asked))
        connection.write_stream(answer, pieces, self._loop)


class _Connection(asyncio.Protocol):
    """One kept-alive connection; reads whole requests and writes responses."""

    transport: asyncio.Transport

    def __init__(self, server: ApiServer) -> None:
        self._server = server
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._server.open.add(transport)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the name is asyncio's
        self._server.open.discard(self.transport)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head, end, rest = self._buffer.partition(b"\r\n\r\n")
        length = _content_length(head) if end else 0
        if end and len(rest) >= length:
            self._buffer = rest[length:]
            self._server.received(self, head, rest[:length])

    def write_body(self, answer: Answer, body: bytes) -> None:
        """Write a response whose length is known."""
        sent = body if answer.cut_after is None else body[: answer.cut_after]
        told = len(sent) if answer.tidy else len(body)
        self.transport.write(_head(answer, "application/json", f"content-length: {told}") + sent)
        if len(sent) < told:
            self.transport.close()

    def write_stream(self, answer: Answer, pieces: list[bytes], loop: asyncio.AbstractEventLoop) -> None:
        """Write events as chunks, each after the pause."""
        self.transport.write(_head(answer, "text/event-stream; charset=utf-8", "transfer-encoding: chunked"))
        kept = _shortened(pieces, answer.cut_after)
        whole = answer.cut_after is None or answer.tidy
        end = b"0\r\n\r\n" if whole else b""
        if not answer.pause_s:
            self.transport.write(b"".join(map(_chunk, kept)) + end)
            if not whole:
                self.transport.close()
            return
        for place, piece in enumerate(kept):
            loop.call_later(place * answer.pause_s, self.transport.write, _chunk(piece))
        if whole:
            loop.call_later(len(kept) * answer.pause_s, self.transport.write, end)
        else:
            loop.call_later(len(kept) * answer.pause_s, self.transport.close)


def _head(answer: Answer, kind: str, length: str) -> bytes:
    extra = "".join(f"{name}: {value}\r\n" for name, value in answer.headers.items())
    reason = REASON.get(answer.status, "Scripted")
    return f"HTTP/1.1 {answer.status} {reason}\r\ncontent-type: {kind}\r\n{extra}{length}\r\n\r\n".encode()


def _chunk(piece: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(piece), piece)


def _shortened(pieces: list[bytes], length: int | None) -> list[bytes]:
    """Keep the first bytes of a stream, in their pieces."""
    kept = []
    left = sys.maxsize if length is None else length
    for piece in pieces:
        if left > 0:
            kept.append(piece[:left])
        left -= len(piece)
    return kept


def _content_length(head: bytes) -> int:
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    return 0


def main() -> None:
    """Serve one answer, `text("done")`, until the input ends; the first line of the output is the URL."""
    with ApiServer(lambda _: text("done"), keep=False) as server:
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main()
