"""One run as a conversation: what was said, which tools were called, and what goes out next."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Literal

from skill_evaluator.agents.command_text import CALL_LIMIT, BoundedText, cut, cut_all
from skill_evaluator.agents.json_lines import MAX_DEPTH, nests_deeper
from skill_evaluator.agents.messages.request import ApiReply, ApiRequest, ToolUse
from skill_evaluator.agents.messages.tool_result import ToolResult
from skill_evaluator.agents.messages.tools import CACHED
from skill_evaluator.agents.trace import Trace
from skill_evaluator.model import CutBy, Failure, FailureKind, JsonObject, ToolCall, Turn, Usage
from skill_evaluator.sendable import all_sendable, sendable

_TOO_DEEP = f"[left out: nested deeper than {MAX_DEPTH} levels]"
_WORTHLESS = MappingProxyType(
    {
        ("tool_use", False): "the model stopped to call a tool, and called none",
        ("max_tokens", True): "the answer reached its longest length in the middle of a tool call",
        ("max_tokens", False): "the answer reached its longest length before it said anything",
    }
)
_STOPPED = MappingProxyType(
    {
        "refusal": "the model refused to answer, which says nothing about the skill",
        "model_context_window_exceeded": "the conversation is longer than the model can take in",
    }
)

Step = Literal["answer", "go_on", "end", "max_tokens"]


def next_step(reply: ApiReply) -> Step | Failure:
    """Say what an answer of the model asks for.

    Returns:
        `answer` its tool calls, `go_on` after a pause, the `end`, `max_tokens` where only a text was cut; a failure
        where the answer tells nothing about the skill.

    Source:
        Messages API, `stop_reason`.
    """
    match reply.stop_reason, bool(reply.tool_uses):
        case (("tool_use" | "pause_turn" | "end_turn" | "stop_sequence"), True):  # some servers end a turn with calls
            return "answer"
        case (("end_turn" | "stop_sequence"), False):
            return "end"
        case "pause_turn", False:
            return "go_on"
        case "max_tokens", False if reply.text:
            return "max_tokens"
        case reason, calls:
            return Failure(kind=FailureKind.API, message=_WORTHLESS.get((reason, calls)) or _why_not(reason))


def _why_not(reason: str) -> str:
    return _STOPPED.get(reason) or f"the model stopped for a reason that is not known here: {cut(reason, 200)!r}"


def opening(context: Sequence[Turn], prompt: str) -> tuple[JsonObject, ...]:
    """Give the messages of a first request: earlier turns, then the prompt; turns of one role in a row are merged."""
    merged: list[tuple[str, list[str]]] = []
    for turn in (*context, Turn(role="user", text=prompt)):
        if merged and merged[-1][0] == turn.role:
            merged[-1][1].append(sendable(turn.text))
        else:
            merged.append((turn.role, [sendable(turn.text)]))
    return tuple(
        {"role": role, "content": [{"type": "text", "text": text} for text in texts]} for role, texts in merged
    )


class Conversation:
    """What one run has come to.

    Args:
        request: The first request.
        answer: Carries out a tool call.
        trace: Gets what is said line by line, in the shape of Claude Code's stream-json; None to keep no trace.

    Attributes:
        output: Text of the last turn that has any; the middle of a very long one is left out.
        is_output_cut: Whether it was.
        is_settled: Whether nothing more is asked since the skill has fired; what it would have said is not known then.
        calls: Tool calls in order, with their results.
        requests: Requests that were answered.
    """

    def __init__(
        self, request: ApiRequest, answer: Callable[[ToolUse], ToolResult], *, trace: Trace | None = None
    ) -> None:
        self._request = request
        self._trace = trace
        self._answer = answer
        self._messages: list[JsonObject] = list(request.messages)
        self._invoked: list[tuple[str, bool]] = []
        self.output = ""
        self.is_output_cut = False
        self.is_settled = False
        self.calls: list[ToolCall] = []
        self.usage: Usage | None = None
        self.requests = 0

    def take(self, reply: ApiReply) -> None:
        """Note an answer of the model."""
        self.requests += 1
        self.usage = reply.usage if self.usage is None else added_up(self.usage, reply.usage)
        if reply.text:
            kept = BoundedText()
            kept.add(reply.text)
            self.output, self.is_output_cut = kept.text, kept.is_cut
        for block in reply.content if self._trace else ():
            self._note("assistant", all_sendable(block), id=f"msg_{self.requests}")

    def skills_invoked(self) -> tuple[str, ...]:
        """Skills that were started, and those whose SKILL.md was read without being started; in order."""
        started = {name for name, is_start in self._invoked if is_start}
        order: list[str] = []
        for name, is_start in self._invoked:
            if is_start or (name not in started and name not in order):
                order.append(name)
        return tuple(order)

    def answer(self, reply: ApiReply) -> None:
        """Carry out all tool calls of an answer, and put their results into one message."""
        results = [(use, self._carry_out(use)) for use in reply.tool_uses]
        content = [result_block(use, result) for use, result in results]
        content += [text_block(result.following) for _, result in results if result.following]
        self.go_on(reply)
        self._messages.append({"role": "user", "content": content})
        for block in content if self._trace else ():
            self._note("user", block)

    def go_on(self, reply: ApiReply) -> None:
        """Let the model take up its answer where it left off."""
        blocks = [block for block in reply.content if block.get("type") != "text" or block.get("text")]
        self._messages.append({"role": "assistant", "content": all_sendable(blocks)})

    def next_request(self) -> ApiRequest:
        """Give the request that goes on, the end of what the model has already seen marked for the cache."""
        marked = list(self._messages)
        for place in reversed(range(len(marked))):
            if marked[place]["role"] == "user":
                marked[place] = marked_end(marked[place])
                break
        return replace(self._request, messages=tuple(marked))

    def close_trace(self, *, cut_by: CutBy | None) -> None:
        """Add the line that closes a session."""
        if self._trace:
            subtype = "error_max_turns" if cut_by == "max_turns" else "success"
            line = {"type": "result", "subtype": subtype, "is_error": False, "num_turns": self.requests}
            self._trace.add_event({**line, "result": self.output})

    @property
    def trace(self) -> tuple[str, ...] | None:
        """The lines so far; None where none are kept."""
        return self._trace.lines if self._trace else None

    def _note(self, role: str, block: object, **more: object) -> None:
        """Add one block of a message as a line of its own, as Claude Code prints it."""
        if self._trace:
            message = {**more, "role": role, "content": [block]}
            self._trace.add_event({"type": role, "message": message, "parent_tool_use_id": None})

    def _carry_out(self, use: ToolUse) -> ToolResult:
        result = self._answer(use)
        arguments = cut_all({key: _shallow(value) for key, value in use.input.items()})
        kept = arguments if isinstance(arguments, dict) else {}
        self.calls.append(ToolCall(name=cut(use.name), arguments=kept, result=cut(result.text, CALL_LIMIT)))
        if result.launched is not None:
            self._invoked.append((result.launched, True))
        if result.opened is not None:
            self._invoked.append((result.opened, False))
        return result


def _shallow(value: object) -> object:
    """Take a value as far as the journal can hold it."""
    return _TOO_DEEP if nests_deeper(value, MAX_DEPTH - 1) else value


def result_block(use: ToolUse, result: ToolResult) -> JsonObject:
    """Write the answer to a call as a block of a message."""
    block: JsonObject = {"type": "tool_result", "tool_use_id": use.id, "content": result.text}
    return {**block, "is_error": True} if result.is_error else block


def text_block(text: str) -> JsonObject:
    """Write a text as a block of a message."""
    return {"type": "text", "text": text}


def marked_end(message: JsonObject) -> JsonObject:
    """Mark the last block of a message as the end of what may be cached."""
    content = message["content"]
    if not isinstance(content, list) or not content:
        return message
    return {**message, "content": [*content[:-1], {**content[-1], "cache_control": dict(CACHED)}]}


def added_up(one: Usage, other: Usage) -> Usage:
    """Add up; what one of them does not tell is not known of both."""
    return Usage(
        input_tokens=_plus(one.input_tokens, other.input_tokens),
        output_tokens=_plus(one.output_tokens, other.output_tokens),
        cost_usd=None if one.cost_usd is None or other.cost_usd is None else one.cost_usd + other.cost_usd,
        requests=_plus(one.requests, other.requests),
    )


def _plus(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other
