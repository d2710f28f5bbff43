"""Whoever answers the calls of one MCP server."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from skill_evaluator.model import JsonObject


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolAnswer:
    """What a call of a tool gets: its text, and whether that is a tool error."""

    text: str
    is_error: bool = False


class Tools(Protocol):
    """The tools of one MCP server."""

    @property
    def name(self) -> str:
        """How the server calls itself."""
        ...

    @property
    def listed(self) -> Sequence[JsonObject]:
        """The tools as `tools/list` gives them: name, description, inputSchema."""
        ...

    async def call(self, tool: str, arguments: JsonObject) -> ToolAnswer | None:
        """Answer a call; it is cancelled when the server stops.

        Args:
            tool: Any name; whether there is such a tool is for the callee to say.
            arguments: The input, as JSON.

        Returns:
            The answer, or None for a call that is never answered: its connection stays open until the server stops.
        """
        ...
