"""JSON-RPC messages of MCP: the body of a request -> the body of its answer.

Only what a client needs to list and call tools is known; nothing is remembered between requests.

Source: Model Context Protocol, revision 2025-06-18, and what Claude Code 2.1.332 was seen to send.
"""

import json
from enum import Enum
from importlib.metadata import version
from typing import Final

from skill_evaluator.mcp_server.tools import Tools
from skill_evaluator.model import JsonObject

_KNOWN_REVISIONS: Final = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
_PARSE_ERROR, _INVALID_REQUEST, _UNKNOWN_METHOD, _BAD_PARAMS = -32700, -32600, -32601, -32602


class NoReply(Enum):
    """What becomes of a request that has no answer in its body."""

    ACCEPTED = "accepted"  # a notification: taken, and that is all
    NEVER = "never"  # a call that is left hanging


async def reply_to(body: bytes, tools: Tools) -> bytes | NoReply:
    """Answer one JSON-RPC message.

    Args:
        body: The message as it came; anything may stand there.
        tools: Who answers.

    Returns:
        The answer as JSON in ASCII, or what happens without one.
    """
    try:
        message: object = json.loads(body, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return _error(None, _PARSE_ERROR, "the body is no JSON")
    match message:
        case {"method": str(method), "id": str() | int() | float() as number, **rest}:
            params = rest.get("params")
            return await _answer(method, number, params if isinstance(params, dict) else {}, tools)
        case {"method": str()} | {"id": _, "result": _} | {"id": _, "error": _}:
            return NoReply.ACCEPTED
        case _:
            return _error(None, _INVALID_REQUEST, "expected one JSON-RPC request with a method and an id")


async def _answer(method: str, number: object, params: JsonObject, tools: Tools) -> bytes | NoReply:
    match method:
        case "initialize":
            return _result(number, _welcome(params, tools))
        case "ping":
            return _result(number, {})
        case "tools/list":
            return _result(number, {"tools": list(tools.listed)})
        case "tools/call":
            return await _call(number, params, tools)
        case _:
            return _error(number, _UNKNOWN_METHOD, "this server has tools and nothing else")


def _welcome(params: JsonObject, tools: Tools) -> JsonObject:
    asked = params.get("protocolVersion")
    return {
        "protocolVersion": asked if asked in _KNOWN_REVISIONS else _KNOWN_REVISIONS[0],
        "capabilities": {"tools": {}},
        "serverInfo": {"name": tools.name, "version": version("skill-evaluator")},
    }


async def _call(number: object, params: JsonObject, tools: Tools) -> bytes | NoReply:
    tool, arguments = params.get("name"), params.get("arguments", {})
    if not isinstance(tool, str) or not isinstance(arguments, dict):
        return _error(number, _BAD_PARAMS, "expected the name of a tool and a mapping of arguments")
    answer = await tools.call(tool, arguments)
    if answer is None:
        return NoReply.NEVER
    return _result(number, {"content": [{"type": "text", "text": answer.text}], "isError": answer.is_error})


def _result(number: object, result: JsonObject) -> bytes:
    return _written({"jsonrpc": "2.0", "id": number, "result": result})


def _error(number: object, code: int, message: str) -> bytes:
    return _written({"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}})


def _written(message: JsonObject) -> bytes:
    # ASCII alone: half of a surrogate pair, which a fixture may hold, has no UTF-8.
    return json.dumps(message).encode()


def _no_constant(word: str) -> object:
    raise ValueError(f"{word} is no JSON")
