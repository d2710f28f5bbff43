"""The MCP server on the loopback, asked by the HTTP client of the standard library and by bare sockets."""

import asyncio
import http.client
import json
import socket
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

import pytest

from skill_evaluator.mcp_server import McpServer, ToolAnswer, Tools
from skill_evaluator.mcp_server.exchange import MAX_BODY
from skill_evaluator.mcp_server.server import MAX_CONNECTIONS
from skill_evaluator.model import JsonObject

Answer = tuple[int, dict[str, str], bytes]


class Echo:
    """Answers with what it was given; `hangs` never, `bad` with an error."""

    def __init__(self, name: str = "echo") -> None:
        self.name = name
        self.hung = asyncio.Event()

    @property
    def listed(self) -> Sequence[JsonObject]:
        return ({"name": "say", "inputSchema": {"type": "object"}},)

    async def call(self, tool: str, arguments: JsonObject) -> ToolAnswer | None:
        if tool == "hangs":
            self.hung.set()
            return None
        return ToolAnswer(text=str(arguments.get("words", self.name)), is_error=tool == "bad")


def request(method: str, url: str, body: bytes | str | None = None, headers: dict[str, str] | None = None) -> Answer:
    parts = urlsplit(url)
    client = http.client.HTTPConnection(parts.netloc, timeout=20)
    try:
        client.request(method, parts.path, body, headers or {})
        answer = client.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        client.close()


async def asked(url: str, body: bytes | str | None, method: str = "POST", **headers: str) -> Answer:
    return await asyncio.to_thread(request, method, url, body, headers)


async def rpc(url: str, method: str, params: object = None, number: object = 7) -> Any:  # noqa: ANN401 - any JSON
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    status, _, body = await asked(url, json.dumps(message))
    assert status == 200
    answer = json.loads(body)
    assert answer["jsonrpc"] == "2.0"
    assert answer["id"] == number
    return answer.get("result", answer.get("error"))


def served(job: Callable[[str], Awaitable[None]], tools: Tools | None = None) -> None:
    async def run() -> None:
        async with McpServer() as server:
            await job(server.add(tools or Echo()))

    asyncio.run(run())


def bare(url: str, sent: bytes) -> bytes:
    """Send bytes and take whatever comes until the server closes."""
    parts = urlsplit(url)
    with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=20) as client:
        client.sendall(sent)
        client.shutdown(socket.SHUT_WR)
        received = b""
        while chunk := client.recv(65536):
            received += chunk
        return received


def test_a_client_that_greets_learns_the_tools() -> None:
    async def job(url: str) -> None:
        welcome = await rpc(url, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}})
        assert welcome["protocolVersion"] == "2025-06-18"
        assert welcome["capabilities"] == {"tools": {}}
        assert welcome["serverInfo"]["name"] == "echo"
        assert await rpc(url, "tools/list") == {"tools": [{"name": "say", "inputSchema": {"type": "object"}}]}
        assert await rpc(url, "ping", number="a") == {}

    served(job)


def test_a_revision_that_is_not_known_gets_one_that_is() -> None:
    async def job(url: str) -> None:
        assert (await rpc(url, "initialize", {"protocolVersion": "1999-01-01"}))["protocolVersion"] == "2025-11-25"

    served(job)


@pytest.mark.parametrize(
    "words", ["plain", "</script>", "a\0b\x1b[31m\x7f\u2028", "高潮", "\ud800 half", "😀" * 50_000]
)
def test_an_answer_goes_through_unchanged(words: str) -> None:
    async def job(url: str) -> None:
        result = await rpc(url, "tools/call", {"name": "say", "arguments": {"words": words}})
        assert result == {"content": [{"type": "text", "text": words}], "isError": False}

    served(job)


def test_a_tool_error_is_marked_as_one() -> None:
    async def job(url: str) -> None:
        assert (await rpc(url, "tools/call", {"name": "bad"}))["isError"] is True

    served(job)


def test_a_notification_is_taken_without_an_answer() -> None:
    async def job(url: str) -> None:
        sent = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"})
        status, headers, body = await asked(url, sent)
        assert (status, body) == (202, b"")
        assert headers["Connection"] == "close"

    served(job)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("{", -32700),
        ("[" * 100_000, -32700),
        ('{"jsonrpc": "2.0", "id": NaN, "method": "ping"}', -32700),
        ("[]", -32600),
        ('{"id": 1}', -32600),
        ('{"id": 1, "method": "server/discover"}', -32601),
        ('{"id": 1, "method": "tools/call", "params": {"name": 5}}', -32602),
        ('{"id": 1, "method": "tools/call", "params": {"name": "say", "arguments": []}}', -32602),
        ('{"id": 1, "method": "tools/call", "params": []}', -32602),
    ],
)
def test_what_is_no_request_gets_an_error(body: str, code: int) -> None:
    async def job(url: str) -> None:
        status, _, answer = await asked(url, body)
        assert status == 200
        assert json.loads(answer)["error"]["code"] == code

    served(job)


def test_a_stream_is_not_offered() -> None:
    async def job(url: str) -> None:
        for method in ("GET", "DELETE", "PUT"):
            status, headers, _ = await asked(url, None, method)
            assert (status, headers["Allow"]) == (405, "POST")

    served(job)


def test_another_path_gets_not_a_byte() -> None:
    async def job(url: str) -> None:
        known = urlsplit(url).path
        for path in ("/", known[:-1], f"{known}/", f"{known}?", "/x/0", known.upper(), f"//h{known}"):
            sent = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{{}}".encode()
            assert await asyncio.to_thread(bare, url, sent) == b""

    served(job)


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\0\0\0",
        b"POST\r\n\r\n",
        b"POST %PATH HTTP/1.1\r\n\r\n",  # no Host
        b"POST %PATH HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n{}",
        b"POST %PATH HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n{}",
        b"POST %PATH HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 100_000,
    ],
)
def test_what_is_no_http_gets_not_a_byte(sent: bytes) -> None:
    async def job(url: str) -> None:
        assert await asyncio.to_thread(bare, url, sent.replace(b"%PATH", urlsplit(url).path.encode())) == b""

    served(job)


def test_a_body_in_chunks_is_read_and_waiting_for_leave_is_answered() -> None:
    async def job(url: str) -> None:
        head = f"POST {urlsplit(url).path} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n".encode()
        body = b'{"id": 1, "method": "ping"}'
        sent = (
            head + b"Transfer-Encoding: chunked\r\n\r\n5\r\n" + body[:5] + b"\r\n16\r\n" + body[5:] + b"\r\n0\r\n\r\n"
        )
        received = await asyncio.to_thread(bare, url, sent)
        assert received.startswith(b"HTTP/1.1 100 ")
        assert b"HTTP/1.1 200 " in received
        assert received.endswith(b'"result": {}}')

    served(job)


def test_a_second_request_on_the_connection_is_not_answered() -> None:
    async def job(url: str) -> None:
        one = f"POST {urlsplit(url).path} HTTP/1.1\r\nHost: x\r\nContent-Length: 27\r\n\r\n".encode()
        received = await asyncio.to_thread(bare, url, (one + b'{"id": 1, "method": "ping"}') * 2)
        assert received.count(b"HTTP/1.1 200 ") == 1

    served(job)


def test_a_body_beyond_the_bound_is_refused_and_one_at_the_bound_taken() -> None:
    frame = '{"id": 1, "method": "ping", "params": ""}'

    async def job(url: str) -> None:
        for size, status in ((MAX_BODY, 200), (MAX_BODY + 1, 413)):
            body = frame.replace('""', f'"{"x" * (size - len(frame))}"')
            assert (await asked(url, body))[0] == status

    served(job)


def test_several_servers_are_told_apart_and_none_is_guessed_from_another_run() -> None:
    async def job() -> None:
        async with McpServer() as one, McpServer() as other:
            urls = [one.add(Echo("a")), one.add(Echo("b")), other.add(Echo("c"))]
            tokens = {urlsplit(url).path.split("/")[1] for url in urls}
            assert len(tokens) == 2
            assert all(len(token) >= 32 for token in tokens)
            said = [await rpc(url, "tools/call", {"name": "say"}) for url in urls]
            assert [one["content"][0]["text"] for one in said] == ["a", "b", "c"]

    asyncio.run(job())


def test_a_server_that_is_not_up_has_no_address() -> None:
    with pytest.raises(RuntimeError, match="async with"):
        McpServer().add(Echo())


def test_a_call_is_left_hanging_until_the_server_stops_and_nothing_is_left_then() -> None:
    async def job() -> None:
        tools = Echo()
        threads = threading.active_count()
        async with McpServer() as server:
            url = server.add(tools)
            parts = urlsplit(url)
            reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
            body = b'{"id": 1, "method": "tools/call", "params": {"name": "hangs"}}'
            writer.write(
                f"POST {parts.path} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
            )
            idle = [await asyncio.open_connection(parts.hostname, parts.port) for _ in range(3)]
            await tools.hung.wait()
        assert await reader.read() == b""
        for _, one in (*idle, (reader, writer)):
            one.close()
        assert asyncio.all_tasks() == {asyncio.current_task()}
        assert threading.active_count() == threads
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection(parts.hostname, parts.port)

    asyncio.run(job())


def test_clients_beyond_the_bound_wait_and_are_served_once_others_are_gone() -> None:
    async def job(url: str) -> None:
        parts = urlsplit(url)
        head = f"POST {parts.path} HTTP/1.1\r\nHost: x\r\nContent-Length: 27\r\n\r\n".encode()
        idle = [await asyncio.open_connection(parts.hostname, parts.port) for _ in range(MAX_CONNECTIONS)]
        for _, writer in idle:
            writer.write(head)
            await writer.drain()
        await asyncio.sleep(0.1)  # for the server to read them
        waiting = asyncio.create_task(rpc(url, "ping"))
        done, _ = await asyncio.wait([waiting], timeout=0.3)
        assert not done
        for _, writer in idle:
            writer.close()
        assert await waiting == {}

    served(job)


@pytest.mark.parametrize("said", [b"", b"POST ", b"POST /x HTTP/1.1\r\nHost: x\r\n"])
def test_clients_that_do_not_show_the_token_keep_nobody_waiting(said: bytes) -> None:
    """Any process of the machine may open as many connections as it likes."""

    async def job(url: str) -> None:
        parts = urlsplit(url)
        silent = [await asyncio.open_connection(parts.hostname, parts.port) for _ in range(2 * MAX_CONNECTIONS)]
        for _, writer in silent:
            writer.write(said)
        async with asyncio.timeout(20):  # a silent client alone would hold its place for longer
            assert await rpc(url, "ping") == {}
        for _, writer in silent:
            writer.close()

    served(job)


def test_the_server_goes_on_after_clients_that_break_off() -> None:
    async def job(url: str) -> None:
        parts = urlsplit(url)
        for _ in range(2 * MAX_CONNECTIONS):
            _, writer = await asyncio.open_connection(parts.hostname, parts.port)
            writer.write(f"POST {parts.path} HTTP/1.1\r\nHost: x\r\nContent-Length: 27\r\n\r\n{{".encode())
            writer.transport.abort()
        assert await rpc(url, "ping") == {}

    served(job)


def test_the_server_loads_nothing_heavy() -> None:
    heavy = ("mcp", "anthropic", "httpx", "httpx2", "pydantic", "numpy", "skill_evaluator.agents")
    script = f"import sys, skill_evaluator.mcp_server; print([name for name in {heavy!r} if name in sys.modules])"
    finished = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert finished.stdout == "[]\n"
