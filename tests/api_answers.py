"""What a scripted Messages API answers: replies, faults, broken bodies, and their bytes on the wire."""

import itertools
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

Block = dict[str, object]

USAGE: Mapping[str, object] = {
    "input_tokens": 10,
    "cache_creation_input_tokens": 0,
    "cache_read_input_tokens": 0,
    "output_tokens": 5,
}

KINDS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    529: "overloaded_error",
}

_numbers = itertools.count(1)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One scripted answer; made by the functions below.

    Attributes:
        status: HTTP status.
        content: Blocks of the message.
        stop_reason: `stop_reason` of the message.
        usage: `usage` of the message, whole.
        changed: Fields of the message that are put in place of the right ones; None takes a field away.
        headers: Headers beside the usual ones.
        body: Sent instead of a message, or None.
        events: Sent instead of a message's events where a stream was asked for, or None for `body`.
        delay_s: Seconds before the first byte.
        pause_s: Seconds between two events of a stream.
        cut_after: Bytes of the body that are sent before the end; None for all, -1 for not even the head.
        tidy: Whether a cut looks like a regular end of the response.
    """

    status: int = 200
    content: tuple[Block, ...] = ()
    stop_reason: str = "end_turn"
    usage: Mapping[str, object] = field(default_factory=lambda: dict(USAGE))
    changed: Mapping[str, object] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    events: bytes | None = None
    delay_s: float = 0.0
    pause_s: float = 0.0
    cut_after: int | None = None
    tidy: bool = False


def text(words: str, *, stop_reason: str = "end_turn", usage: Mapping[str, object] = USAGE) -> Answer:
    """Say something and end."""
    return Answer(content=({"type": "text", "text": words},), stop_reason=stop_reason, usage=dict(usage))


def call(
    name: str, arguments: object, text: str = "", *, stop_reason: str = "tool_use", usage: Mapping[str, object] = USAGE
) -> Answer:
    """Call a tool, with some words before it if wanted."""
    said: tuple[Block, ...] = ({"type": "text", "text": text},) if text else ()
    block: Block = {"type": "tool_use", "id": f"toolu_{next(_numbers):06}", "name": name, "input": arguments}
    return Answer(content=(*said, block), stop_reason=stop_reason, usage=dict(usage))


def many(*answers: Answer) -> Answer:
    """Join the blocks of several answers to one message; the rest is the last one's."""
    return replace(answers[-1], content=tuple(block for answer in answers for block in answer.content))


def fault(
    status: int,
    *,
    retry_after: float | str | None = None,
    kind: str | None = None,
    message: str = "scripted fault",
    headers: Mapping[str, str] | None = None,
) -> Answer:
    """Answer with an HTTP error."""
    error = {"type": "error", "error": {"type": kind or KINDS.get(status, "api_error"), "message": message}}
    after = {} if retry_after is None else {"retry-after": str(retry_after)}
    return Answer(status=status, body=json.dumps(error).encode(), headers={**after, **(headers or {})})


def cut(after_bytes: int | None, answer: Answer | None = None, *, tidy: bool = False) -> Answer:
    """End an answer after some bytes of its body; None ends the connection before any byte."""
    whole = answer or text("This sentence is never read to its end.")
    return replace(whole, cut_after=-1 if after_bytes is None else after_bytes, tidy=tidy)


def malformed(body: bytes = b'{"id": "msg_', events: bytes = b"event: message_start\ndata: {\n\n") -> Answer:
    """Answer 200 with something that is no message; `events` where a stream was asked for."""
    return Answer(body=body, events=events)


def wrong(**changed: object) -> Answer:
    """Answer 200 with a message some of whose fields are replaced; None takes the field away."""
    return replace(text("fine but for one field"), changed=changed)


def error_event(kind: str = "overloaded_error", message: str = "scripted fault") -> Answer:
    """Begin a stream and break it by an `error` event; without a stream the same fault comes as HTTP 529."""
    error = {"type": "error", "error": {"type": kind, "message": message}}
    begun = b"".join(itertools.islice(message_events(text("begun"), {"model": "m"}), 3))
    return replace(fault(529, kind=kind, message=message), events=begun + sse("error", error))


def delayed(answer: Answer, seconds: float) -> Answer:
    """Wait before the first byte."""
    return replace(answer, delay_s=seconds)


def slow(answer: Answer, seconds: float) -> Answer:
    """Wait between two events of a stream."""
    return replace(answer, pause_s=seconds)


def message(answer: Answer, asked: Mapping[str, object]) -> dict[str, object]:
    """Give the answer as the JSON of a message."""
    whole: dict[str, object] = {
        "id": f"msg_{next(_numbers):06}",
        "type": "message",
        "role": "assistant",
        "model": asked.get("model", "unknown"),
        "content": list(answer.content),
        "stop_reason": answer.stop_reason,
        "stop_sequence": None,
        "usage": dict(answer.usage),
        **answer.changed,
    }
    return {key: value for key, value in whole.items() if value is not None or key not in answer.changed}


def message_events(answer: Answer, asked: Mapping[str, object]) -> Iterator[bytes]:
    """Give the answer as the events of a stream, texts and inputs in two pieces."""
    whole = message(answer, asked)
    blocks = whole.get("content")
    start = {**whole, "content": [], "stop_reason": None, "usage": whole.get("usage")}
    yield sse("message_start", {"type": "message_start", "message": start})
    for index, block in enumerate(blocks if isinstance(blocks, list) else []):
        yield from _block_events(index, block)
    delta = {"stop_reason": whole.get("stop_reason"), "stop_sequence": None}
    usage = {key: value for key, value in answer.usage.items() if key == "output_tokens"}
    yield sse("message_delta", {"type": "message_delta", "delta": delta, "usage": usage})
    yield sse("message_stop", {"type": "message_stop"})


def sse(event: str, data: Mapping[str, object]) -> bytes:
    """Write one server-sent event."""
    return f"event: {event}\ndata: {json.dumps(data)}\n\n".encode()


_EMPTY: Mapping[str, Block] = {
    "text_delta": {"text": ""},
    "thinking_delta": {"thinking": "", "signature": ""},
    "input_json_delta": {"input": {}},
}


def _block_events(index: int, block: Block) -> Iterator[bytes]:
    """Start a block, fill it in two pieces, stop it; `ping` stands between."""
    inner, key, kind = _pieces(block)
    empty = {**block, **_EMPTY[kind]}
    yield sse("content_block_start", {"type": "content_block_start", "index": index, "content_block": empty})
    yield sse("ping", {"type": "ping"})
    deltas: list[Block] = [{"type": kind, key: inner[: len(inner) // 2]}, {"type": kind, key: inner[len(inner) // 2 :]}]
    if kind == "thinking_delta":
        deltas.append({"type": "signature_delta", "signature": block["signature"]})
    for delta in deltas:
        yield sse("content_block_delta", {"type": "content_block_delta", "index": index, "delta": delta})
    yield sse("content_block_stop", {"type": "content_block_stop", "index": index})


def _pieces(block: Block) -> tuple[str, str, str]:
    """Tell what is sent in pieces: the whole of it, the key of a piece, and the type of the delta."""
    match block["type"]:
        case "text":
            return str(block["text"]), "text", "text_delta"
        case "thinking":
            return str(block["thinking"]), "thinking", "thinking_delta"
        case _:
            return json.dumps(block.get("input", {})), "partial_json", "input_json_delta"
