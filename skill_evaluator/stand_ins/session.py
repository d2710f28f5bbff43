"""A session held against what the stand-ins answered in it.

Source: Suites recorded with Claude Code 2.1.332: calls of tools that are not there are counted, and an answer of a
model that the agent was not shown as it was given, as a hook of the plugin can bring about, spoils the run. Fixed
answers are not looked at.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from skill_evaluator.model import JsonObject, MockCall
from skill_evaluator.stand_ins.servers import RunServer

_MARKS = ("tool_use", "tool_result")


@dataclass(frozen=True, slots=True)
class SeenCalls:
    """Calls in a session: names of the tools in order, and the texts that each was answered with."""

    names: list[str] = field(default_factory=list)
    shown: list[tuple[str, str]] = field(default_factory=list)


def read_calls(trace: Iterable[str]) -> SeenCalls:
    """Read the calls of MCP tools in a session; lines that cannot be read have none."""
    seen = SeenCalls()
    tools: dict[str, str] = {}
    for block in _blocks(trace):
        match block:
            case {"type": "tool_use", "id": str(number), "name": str(name)} if name.startswith("mcp__"):
                tools[number] = name
                seen.names.append(name)
            case {"type": "tool_result", "tool_use_id": str(number)} if number in tools:
                seen.shown.append((tools[number], _text(block.get("content"))))
            case _:
                pass
    return seen


def unmocked(names: Iterable[str], servers: Sequence[RunServer]) -> Mapping[str, int]:
    """Count the calls of tools that a server of the run does not have, as `server/tool`, in order of the first."""
    counts: Counter[str] = Counter()
    there = {full for server in servers for full in server.full_names}
    for name in names:
        for server in servers:
            prefix = f"mcp__{server.segment}__"
            if name.startswith(prefix) and name not in there:
                counts[f"{server.name}/{name.removeprefix(prefix)}"] += 1
    return counts


def altered(seen: SeenCalls, calls: Iterable[MockCall], servers: Iterable[RunServer]) -> str | None:
    """Say which answer of a model the agent was shown otherwise than it was given, or None."""
    given: dict[str, set[str]] = {}
    for call in calls:
        given.setdefault(call.tool, set()).add(call.output)
    played = {
        f"mcp__{server.segment}__{tool.tool}": f"{server.name}/{tool.tool}"
        for server in servers
        for tool in server.tools
        if tool.responder == "agent"
    }
    for name, text in seen.shown:
        if name in played and text not in given.get(name, ()):
            return (
                f"{played[name]}: the agent was shown another answer than the one that was given, as a PostToolUse "
                "hook of the plugin can bring about, or the program where an answer is empty or an error; such a run "
                "cannot be graded"
            )
    return None


def _blocks(trace: Iterable[str]) -> Iterator[JsonObject]:
    for line in trace:
        if not any(mark in line for mark in _MARKS):
            continue
        try:
            value: object = json.loads(line)
        except (ValueError, RecursionError):
            continue
        match value:
            case {"message": {"content": list(blocks)}}:
                yield from (block for block in blocks if isinstance(block, dict))
            case _:
                pass


def _text(content: object) -> str:
    match content:
        case str():
            return content
        case list():
            return "".join(str(block.get("text", "")) for block in content if isinstance(block, dict))
        case _:
            return ""
