"""`_tools.json`: the tools of a real MCP server, saved from its answer to `tools/list`.

Source: Suites recorded with Claude Code 2.1.332.
"""

import json
from typing import Final

from skill_evaluator.formats.reasons import json_reason
from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.model import JsonObject
from skill_evaluator.reasons import foreign
from skill_evaluator.texts import tr

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
        return _fault("not-json", tr("begins with a byte order mark; save it as UTF-8 without one"))
    try:
        answer: object = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        return _fault(
            "not-json", tr("is no valid JSON ({why}); save the answer of the server to tools/list", why=_why(error))
        )
    tools = _tools(answer)
    if tools is None:
        return _fault("mock-listing", tr("is no answer to tools/list; expected {shape}", shape=_SHAPE))
    for index, tool in enumerate(tools):
        if (problem := _tool_problem(tool)) is not None:
            return _fault(
                "mock-listing",
                tr(
                    "describes tool {number} with {problem}; expected {shape}",
                    number=index + 1,
                    problem=problem,
                    shape=_SHAPE,
                ),
            )
    return tuple(tools)


def _tools(answer: object) -> list[JsonObject] | None:
    match answer:
        case {"result": {"tools": list() as tools}}:
            return tools
        case {"result": _}:
            return None
        case {"tools": list() as tools}:
            return tools
        case _:
            return None


def schema_problem(tool: JsonObject) -> str | None:
    """Say why the real program does not offer a tool with this entry: an input schema is that of an object."""
    match tool.get("inputSchema"):
        case dict() as schema:
            pass
        case _:
            return None
    if schema.get("type", "object") != "object":
        return tr('whose type is not "object"; write "type": "object"')
    if not isinstance(schema.get("properties", {}), dict):
        return tr('whose properties are no mapping; write "properties": {{"name": {{...}}}}')
    required = schema.get("required", [])
    if not isinstance(required, list) or not all(isinstance(name, str) for name in required):
        return tr('whose required is no list of texts; write "required": ["name"]')
    return None


def _tool_problem(tool: object) -> str | None:
    if not isinstance(tool, dict) or not isinstance(tool.get("name"), str) or not tool["name"]:
        return tr("no name")
    if not isinstance(tool.get("description", ""), str):
        return tr("a description that is no text")
    return None if isinstance(tool.get("inputSchema", {}), dict) else tr("an inputSchema that is no object")


def _no_constant(word: str) -> object:
    raise ValueError(tr("{word} is no JSON", word=word))


def _why(error: ValueError | RecursionError) -> str:
    return json_reason(error) if isinstance(error, ValueError) else foreign(str(error))


def _fault(code: str, message: str) -> SuiteFault:
    return SuiteFault(code=code, path=(), message=message, effect="fails")
