"""One run of an eval suite as a conversation, with the lines that Claude Code would print of it."""

import uuid
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from skill_evaluator.agents.messages.request import ApiReply, ApiRequest, ToolUse
from skill_evaluator.agents.messages.tool_result import ToolResult
from skill_evaluator.agents.messages.turns import added_up, marked_end, result_block, text_block
from skill_evaluator.agents.trace import Trace
from skill_evaluator.model import CutBy, Failure, FailureKind, JsonObject, ToolCall, Usage
from skill_evaluator.sendable import all_sendable

_CALLING: Final = frozenset({"tool_use", "end_turn", "stop_sequence", "pause_turn"})
_WENT_WELL: Final = frozenset({"end_turn", "stop_sequence", "tool_use"})


class SuiteTalk:
    """Asks nobody: it says what is sent next, and takes in what comes back.

    Args:
        request: The first request.
        answer: Carries out a call of a tool.
        model: As lines name it.
        max_turns: Most answers of the model.

    Attributes:
        output: Text of the last message that has any.
        calls: Calls of tools in order, with what they gave.
        skills: Skills that were started, as the model named them.
        turns: Answers of the model.
        usage: What they took together, or None before the first.
        ended: Why the talk is over: an error for people, or "" where the model came to its end; None while it goes on.
        cut_by: What cut it off, or None.
    """

    def __init__(
        self, request: ApiRequest, answer: Callable[[ToolUse], ToolResult], *, model: str, max_turns: int
    ) -> None:
        self._request, self._answer, self._model, self._max_turns = request, answer, model, max_turns
        self._messages: list[JsonObject] = list(request.messages)
        self._trace = Trace()
        self.output = ""
        self.calls: list[ToolCall] = []
        self.skills: list[str] = []
        self.turns = 0
        self.usage: Usage | None = None
        self.ended: str | None = None
        self.cut_by: CutBy | None = None
        self._session = {"session_id": str(uuid.uuid4())}
        tools = [tool["name"] for tool in request.tools]
        self._add({"type": "system", "subtype": "init", "model": model, "tools": tools, "mcp_servers": []})

    def take(self, reply: ApiReply) -> None:
        """Take an answer of the model in, and carry out what it asks for."""
        self.turns += 1
        self.usage = reply.usage if self.usage is None else added_up(self.usage, reply.usage)
        if reply.stop_reason == "refusal":
            self.ended = "the model refused to answer"
            return
        self._note_answer(reply)
        blocks = [block for block in reply.content if block.get("type") != "text" or block.get("text")]
        self._messages.append({"role": "assistant", "content": all_sendable(blocks)})
        if reply.tool_uses and reply.stop_reason in _CALLING:
            self._carry_out(reply)
        elif reply.stop_reason != "pause_turn":
            self._end(reply.stop_reason)
        if self.ended is None and self.turns >= self._max_turns:
            self.cut_by = "max_turns"
            self.ended = f"the model was not done after max_turns ({self._max_turns})"

    def next_request(self) -> ApiRequest:
        """Give the request that goes on, the end of what the model has already seen marked for the cache."""
        *before, last = self._messages
        is_user = last["role"] == "user"
        return replace(self._request, messages=(*before, marked_end(last) if is_user else last))

    def close(self, failure: Failure | None) -> tuple[str, ...]:
        """Add the line that ends a session, and give all lines."""
        is_error = failure is not None or bool(self.ended)
        line = {
            "type": "result",
            "subtype": "error_max_turns" if self.cut_by == "max_turns" else "success",
            "is_error": is_error,
            "num_turns": self.turns,
            "result": failure.message if failure else self.output,
            "total_cost_usd": (self.usage.cost_usd if self.usage else None) or 0,
        }
        self._add(line)
        return self._trace.lines or ()

    def _end(self, reason: str) -> None:
        if reason in _WENT_WELL:
            self.ended = ""
            return
        self.cut_by = "max_tokens" if reason == "max_tokens" else None
        self.ended = f"the model stopped before its end ({reason})"

    def _carry_out(self, reply: ApiReply) -> None:
        results = [(use, self._result(use)) for use in reply.tool_uses]
        content = [result_block(use, result) for use, result in results]
        following = [text_block(result.following) for _, result in results if result.following]
        self._messages.append({"role": "user", "content": [*content, *following]})
        for block in (*content, *following):
            self._note("user", block)

    def _result(self, use: ToolUse) -> ToolResult:
        result = self._answer(use)
        self.calls.append(ToolCall(name=use.name, arguments=use.input, result=result.text))
        if result.launched is not None:
            self.skills.append(result.launched)
        return result

    def _note_answer(self, reply: ApiReply) -> None:
        for block in reply.content:
            self._note("assistant", all_sendable(block), id=f"msg_{self.turns}", model=self._model)
        texts = [str(block["text"]) for block in reply.content if block.get("type") == "text"]
        self.output = next((text for text in reversed(texts) if text.strip()), self.output)

    def _note(self, role: str, block: object, **more: object) -> None:
        message = {**more, "role": role, "content": [block]}
        self._add({"type": role, "message": message, "parent_tool_use_id": None})

    def _add(self, event: JsonObject) -> None:
        self._trace.add_event({**event, **self._session})


def is_of_service(failure: Failure) -> bool:
    """Whether a failure is one of the model's service, so that nothing of the run is graded."""
    return failure.kind in {FailureKind.API, FailureKind.AUTH, FailureKind.RATE_LIMIT}
