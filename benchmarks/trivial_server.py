"""A loopback server of the Messages API that costs next to nothing: one fixed answer, and the probe when it is named.

    python benchmarks/trivial_server.py [BODIES.jsonl]

Prints its URL and serves until its standard input ends. With a file it keeps the body of each request there, one a
line. It serves whoever is timed, so it is written for speed and understands only what those send.
"""

import asyncio
import json
import re
import sys
from pathlib import Path
from typing import BinaryIO, Final

from skill_evaluator.api.probe import probe_skill

_LENGTH: Final = re.compile(rb"content-length: (\d+)", re.IGNORECASE)
_USAGE: Final = {"input_tokens": 400, "output_tokens": 20}


def _message(block: dict[str, object], stop_reason: str) -> bytes:
    body = json.dumps(
        {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "trivial",
            "content": [block],
            "stop_reason": stop_reason,
            "stop_sequence": None,
            "usage": _USAGE,
        }
    ).encode()
    head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    return head.encode() + body


_PROBE: Final = probe_skill().name
_PLAIN: Final = _message({"type": "text", "text": "Done."}, "end_turn")
_CALL: Final = _message({"type": "tool_use", "id": "tu_1", "name": "Skill", "input": {"skill": _PROBE}}, "tool_use")
_ASKED: Final = f"use the skill {_PROBE}".encode()


class _Connection(asyncio.Protocol):
    """Answers the requests of one connection, one after the other."""

    def __init__(self, kept: BinaryIO | None) -> None:
        self._kept = kept
        self._received = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - what a TCP server gives
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        while (end := self._received.find(b"\r\n\r\n")) >= 0:
            length = _LENGTH.search(self._received, 0, end)
            whole = end + 4 + (int(length[1]) if length else 0)
            if len(self._received) < whole:
                return
            body = bytes(self._received[end + 4 : whole])
            del self._received[:whole]
            if self._kept:
                self._kept.write(body + b"\n")
            self._transport.write(_CALL if _ASKED in body else _PLAIN)


async def _serve(kept: BinaryIO | None) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Connection(kept), "127.0.0.1", 0)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


def main() -> None:
    """Serve."""
    if len(sys.argv) == 1:
        asyncio.run(_serve(None))
        return
    with Path(sys.argv[1]).open("wb", buffering=0) as kept:
        asyncio.run(_serve(kept))


if __name__ == "__main__":
    main()
