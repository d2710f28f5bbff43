"""One message of the server, checked field by field; whatever is missing is a fault, never an empty answer."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from skill_evaluator.agents.json_lines import nests_deeper, read_line
from skill_evaluator.agents.messages.errors import MalformedReplyError, failure
from skill_evaluator.agents.messages.prices import Prices
from skill_evaluator.agents.messages.request import ApiReply, ApiRequest, ToolUse
from skill_evaluator.model import Failure, FailureKind, JsonObject, Usage

_MOST_LEVELS: Final = 200  # of lists and objects; every step that follows goes down into them
_MOST_TOKENS: Final = 10**12  # more than any model reads or writes; no sum of such numbers is too large
_FATES = {"errored": "failed", "canceled": "was cancelled", "expired": "expired before it was answered"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Billing:
    """How tokens become money: the model asked, the table, and whether half the price is due."""

    model: str
    prices: Prices
    batch: bool = False


def read_reply(message: object, request: ApiRequest | None, billing: Billing) -> ApiReply:
    """Take the JSON of a message as an answer.

    Args:
        message: As the server sent it.
        request: What was asked, or None where that is not known; unless it allows that, a model may say
            nothing only after a tool's result.
        billing: How it is paid.

    Raises:
        MalformedReplyError: If a field is missing or is of another type, the answer is empty, or it nests too deep.
    """
    message = _storable(message)
    if not isinstance(message, Mapping) or message.get("type", "message") != "message":
        raise MalformedReplyError(f"no message was sent: {_seen(message)}")
    content = _content(message.get("content"))
    stop_reason = message.get("stop_reason")
    if not isinstance(stop_reason, str) or not stop_reason:
        raise MalformedReplyError(f"the message has no stop_reason: {_seen(stop_reason)}")
    reply = ApiReply(
        text="\n".join(_text(block) for block in content if block["type"] == "text"),
        tool_uses=tuple(_tool_use(block) for block in content if block["type"] == "tool_use"),
        content=content,
        stop_reason=stop_reason,
        usage=read_usage(message.get("usage"), billing),
    )
    _refuse_nothing(reply, request)
    return reply


def read_batch_line(line: object, billing: Billing) -> tuple[str, ApiReply | Failure]:
    """Take one line of a batch's results: the custom id, and the answer or why there is none.

    Raises:
        MalformedReplyError: If the line is none, so that nobody knows whose it is.
    """
    match line:
        case {"custom_id": str(custom_id), "result": {"type": "succeeded", "message": message}}:
            try:
                return custom_id, read_reply(message, None, billing)
            except MalformedReplyError as error:
                return custom_id, failure(FailureKind.API, f"the answer cannot be read: {error}")
        case {"custom_id": str(custom_id), "result": {"type": str(fate), **rest}}:
            return custom_id, failure(FailureKind.API, f"the entry of the batch {_FATES.get(fate, fate)}{_said(rest)}")
        case _:
            raise MalformedReplyError(f"a line of the batch's results is malformed: {_seen(line)}")


def read_usage(usage: object, billing: Billing) -> Usage:
    """Take `usage` of a message; a number that is missing, or cannot be one of tokens, leaves None, never 0.

    Fields about the prompt cache count as nothing where they are absent or null: such a server has none.
    """
    fields = usage if isinstance(usage, Mapping) else {}
    fresh, output = (_count(fields.get(name)) for name in ("input_tokens", "output_tokens"))
    written, cached = (
        0 if fields.get(name) is None else _count(fields[name])
        for name in ("cache_creation_input_tokens", "cache_read_input_tokens")
    )
    if fresh is None or written is None or cached is None:
        return Usage(output_tokens=output, requests=1)
    cost = None
    if output is not None:
        cost = billing.prices.cost_usd(
            billing.model, input=fresh, cached=cached, written=written, output=output, batch=billing.batch
        )
    return Usage(input_tokens=fresh + written + cached, output_tokens=output, cost_usd=cost, requests=1)


def _storable(message: object) -> object:
    """Take a message as a file can hold it: no half of a surrogate pair, no number beyond bounds."""
    if nests_deeper(message, _MOST_LEVELS):
        raise MalformedReplyError(f"the message nests deeper than {_MOST_LEVELS} levels")
    return read_line(json.dumps(message))


def _content(content: object) -> tuple[JsonObject, ...]:
    if not isinstance(content, Sequence) or isinstance(content, str):
        raise MalformedReplyError(f"content is no list of blocks: {_seen(content)}")
    for block in content:
        if not isinstance(block, Mapping) or not isinstance(block.get("type"), str):
            raise MalformedReplyError(f"a block of content has no type: {_seen(block)}")
    return tuple(content)


def _text(block: JsonObject) -> str:
    text = block.get("text")
    if not isinstance(text, str):
        raise MalformedReplyError(f"a text block has no text: {_seen(block)}")
    return text


def _tool_use(block: JsonObject) -> ToolUse:
    match block:
        case {"id": str(id_), "name": str(name), "input": dict(arguments)} if id_ and name:
            return ToolUse(id=id_, name=name, input=arguments)
        case _:
            raise MalformedReplyError(f"a tool call lacks its id, name or input: {_seen(block)}")


def _refuse_nothing(reply: ApiReply, request: ApiRequest | None) -> None:
    """An answer that says nothing at all tells nothing, unless the model ended after a tool, or may say nothing."""
    if reply.stop_reason == "tool_use" and not reply.tool_uses:
        raise MalformedReplyError("stop_reason is 'tool_use', but no tool is called")
    says_something = reply.text.strip() or any(block["type"] != "text" for block in reply.content)
    if says_something or reply.stop_reason == "refusal":
        return
    if request is not None and (request.may_be_empty or _follows_a_tool(request)):
        return
    raise MalformedReplyError(f"the answer is empty (stop_reason {reply.stop_reason!r})")


def _follows_a_tool(request: ApiRequest) -> bool:
    content = request.messages[-1].get("content") if request.messages else None
    blocks = content if isinstance(content, Sequence) else ()
    return any(isinstance(block, Mapping) and block.get("type") == "tool_result" for block in blocks)


def _said(result: Mapping[object, object]) -> str:
    """Give the words of an entry's error, which stand in an envelope or bare."""
    error = result.get("error")
    while isinstance(error, Mapping) and isinstance(error.get("error"), Mapping):
        error = error["error"]
    words = [str(error[key]) for key in ("type", "message") if key in error] if isinstance(error, Mapping) else []
    return "".join(f": {word}" for word in words)


def _count(value: object) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST_TOKENS:
        return value
    return None


def _seen(value: object) -> str:
    return repr(value)[:120]
