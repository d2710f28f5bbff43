"""What is sent to a model and what comes back, as plain values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from skill_evaluator.model import JsonObject, Usage

Blocks = Sequence[JsonObject]


@dataclass(frozen=True, kw_only=True, slots=True)
class ApiRequest:
    """One request, its parts in the JSON of the Messages API.

    Attributes:
        system: Text blocks of the system prompt.
        messages: The conversation so far, `{"role": ..., "content": ...}`.
        tools: Tools that may be called, in order.
        max_tokens: Longest answer.
        tool_choice: What must be called, or None for the model's own choice.
        may_be_empty: Whether saying nothing at all is an answer.
        stream: Whether the answer is sent piece by piece, which keeps a long one alive.
    """

    system: Blocks
    messages: Blocks
    max_tokens: int
    tools: Blocks = ()
    tool_choice: JsonObject | None = None
    may_be_empty: bool = False
    stream: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolUse:
    """A tool that the model calls."""

    id: str
    name: str
    input: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class ApiReply:
    """One answer.

    Attributes:
        text: All text blocks joined by a line end; empty where there is none.
        tool_uses: Tools called, in order.
        content: All blocks as they came, to be sent back in the next request.
        stop_reason: Why the model stopped, such as `end_turn`, `tool_use`, `max_tokens`, `refusal`.
        usage: What it took; `requests` is 1.
    """

    text: str
    tool_uses: tuple[ToolUse, ...]
    content: Blocks
    stop_reason: str
    usage: Usage
