"""Tools that a test set expects to be called and that the program lacks: an MCP server in this process has them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from skill_evaluator.agents.claude_code.tool_names import ON_REQUEST, WRITERS
from skill_evaluator.agents.messages.tools import STAND_IN_ANSWER, writes
from skill_evaluator.mcp_server import ToolAnswer
from skill_evaluator.model import Case, JsonObject, ToolCall

SERVER: Final = "tools"
_PREFIX: Final = f"mcp__{SERVER}__"
_MANY: Final[JsonObject] = {"type": "object", "additionalProperties": True}


@dataclass(frozen=True, kw_only=True, slots=True)
class ExpectedTools:
    """Tools that take anything and always give the same answer.

    Attributes:
        names: What they are called in the test set.
    """

    names: Sequence[str]

    @property
    def name(self) -> str:
        """How the server calls itself."""
        return SERVER

    @property
    def listed(self) -> Sequence[JsonObject]:
        """The tools, as `tools/list` gives them."""
        return [
            {"name": name, "description": f"The tool {name}. Takes any named values.", "inputSchema": _MANY}
            for name in self.names
        ]

    async def call(self, tool: str, arguments: JsonObject) -> ToolAnswer:
        """Answer a call."""
        del arguments
        if tool not in self.names:
            return ToolAnswer(text="this server has no such tool", is_error=True)
        return ToolAnswer(text=STAND_IN_ANSWER)


def lacking(case: Case) -> tuple[str, ...]:
    """Name the tools that a case expects and that its runs do not have, each once."""
    own = ON_REQUEST | frozenset(WRITERS) if writes(case) else ON_REQUEST
    return tuple(name for name in dict.fromkeys(case.stand_ins) if name not in own)


def full_name(tool: str) -> str:
    """Give the name that the program has for one of them."""
    return _PREFIX + tool


def as_expected(calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    """Give calls the names that a test set has for their tools."""
    return tuple(replace(call, name=call.name.removeprefix(_PREFIX)) for call in calls)
