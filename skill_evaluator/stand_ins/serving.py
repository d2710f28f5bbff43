"""Answers the calls of one stand-in during one run, or ends the run by leaving a call without an answer."""

from collections.abc import Sequence
from dataclasses import dataclass

from skill_evaluator.formats.suite.expect_calls import violation
from skill_evaluator.formats.suite.mock_answers import fixed_answer
from skill_evaluator.mcp_server import ToolAnswer
from skill_evaluator.model import Aborted, JsonObject, MockCall, MockTool, one_line
from skill_evaluator.stand_ins.log import RunLog
from skill_evaluator.stand_ins.player import Player
from skill_evaluator.stand_ins.playing import Played
from skill_evaluator.stand_ins.servers import RunServer


@dataclass(frozen=True, kw_only=True, slots=True)
class ServedTools:
    """One server of a run, as the MCP server serves it.

    Attributes:
        server: What it is.
        player: Who answers for its `agent` tools.
        log: Where calls are noted.
    """

    server: RunServer
    player: Player
    log: RunLog

    @property
    def name(self) -> str:
        """How the server calls itself, as in the real program: traces show it, and graders look at traces."""
        return f"eval-mock/{self.server.name}"

    @property
    def listed(self) -> Sequence[JsonObject]:
        """Its tools, as `tools/list` gives them."""
        return self.server.listed

    async def call(self, tool: str, arguments: JsonObject) -> ToolAnswer | None:
        """Answer a call; None for one that ends the run, and for any after it."""
        if self.log.is_over:
            return None
        mock = next((one for one in self.server.mock.tools if one.name == tool), None) if self.server.mock else None
        if mock is None:
            return ToolAnswer(text="this server has no such tool", is_error=True)
        played = await self._played(mock, arguments)
        if played is None:
            return None
        if played.verdict == "abort":
            why = Aborted(server=self.server.name, tool=tool, reason=one_line_of(played.text))
            self.log.abort(why, self._full_name(tool), arguments)
            return None
        is_error = played.verdict == "tool_error"
        self.log.add(
            MockCall(
                tool=self._full_name(tool),
                arguments=arguments,
                output=played.text,
                is_error=is_error,
                verdict=played.verdict,
            )
        )
        return ToolAnswer(text=played.text, is_error=is_error)

    async def _played(self, mock: MockTool, arguments: JsonObject) -> Played | None:
        values = dict(arguments)
        if (full := self.log.full_for(arguments)) is not None:
            return Played(text=full, verdict="abort")
        if (broken := violation(dict(mock.expect), values)) is not None:
            return Played(text=f"the call is not what `expect` asks for: {broken}", verdict="abort")
        if mock.kind == "agent":
            return await self.player.play(mock, arguments)
        answer = fixed_answer(mock, values)
        return Played(text=answer.text, verdict="tool_error" if answer.is_error else "ok")

    def _full_name(self, tool: str) -> str:
        return f"mcp__{self.server.segment}__{tool}"


def one_line_of(text: str) -> str:
    """Write a reason on one line, as reports show it."""
    return one_line(" ".join(text.splitlines()))
