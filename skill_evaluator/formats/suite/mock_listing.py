"""`_tools.json`: the tools of a real MCP server, saved from its answer to `tools/list`.

Source: Suites recorded with Claude Code 2.1.332.
"""

import json
from typing import Final

from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.model import JsonObject

LISTING_FILE: Final = "_tools.json"
_SHAPE: Final = '{"tools": [{"name": ..., "description": ..., "inputSchema": {...}}]}'


def read_listing(text: str, *, has_mark: bool = False) -> tuple[JsonObject, ...] | SuiteFault:
    """Read a `_tools.json`.

    Args:
        text: The whole file.
        has_mark: Whether a byte order mark stood in front of it, which no JSON has.

    Returns:
        Its tools, or what keeps it from loading.
    """
    if has_mark:
        return _fault("not-json", "begins with a byte order mark; save it as UTF-8 without one")
    try:
        answer: object = json.loads(text, parse_constant=_no_constant)
    except RecursionError:
        return _fault("not-json", "is nested too deeply; save the answer of the server to tools/list")
    except ValueError as error:
        return _fault("not-json", f"is no valid JSON ({error}); save the answer of the server to tools/list")
    match answer:
        case {"result": {"tools": list() as tools}}:
            pass
        case {"tools": list() as tools} if "result" not in answer:
            pass
        case _:
            return _fault("mock-listing", f"is no answer to tools/list; expected {_SHAPE}")
    for index, tool in enumerate(tools):
        if (problem := _tool_problem(tool)) is not None:
            return _fault("mock-listing", f"describes tool {index + 1} with {problem}; expected {_SHAPE}")
    return tuple(tools)


def is_offered(tool: JsonObject) -> bool:
    """Say whether the real program offers a tool with this entry: an input schema is that of an object."""
    schema = tool.get("inputSchema")
    return not isinstance(schema, dict) or schema.get("type", "object") == "object"


def _tool_problem(tool: object) -> str | None:
    match tool:
        case {"name": str() as name} if name:
            pass
        case _:
            return "no name"
    if not isinstance(tool.get("description", ""), str):
        return "a description that is no text"
    return None if isinstance(tool.get("inputSchema", {}), dict) else "an inputSchema that is no object"


def _no_constant(word: str) -> object:
    raise ValueError(f"{word} is no JSON")


def _fault(code: str, message: str) -> SuiteFault:
    return SuiteFault(code=code, path=(), message=message, effect="fails")
