"""The events of a streamed answer put together to the message that an answer in one piece would be."""

import json
from collections.abc import Iterable, Mapping
from typing import cast

from skill_evaluator.agents.messages.errors import MalformedReplyError

_TEXT_DELTAS = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}


def joined(events: Iterable[object]) -> dict[str, object]:
    """Put the events of one stream together.

    Args:
        events: Data of the events in order; those of an unknown type are passed over.

    Returns:
        The JSON of a message.

    Raises:
        MalformedReplyError: If the stream ended before `message_stop` or before the end of a call, or an event does
            not fit those before it.
    """
    builder = _Builder()
    for event in events:
        try:
            builder.take(cast("dict[str, object]", event))
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise MalformedReplyError(f"an event of the stream is malformed: {repr(event)[:120]}") from error
    if not builder.is_whole:
        raise MalformedReplyError("the stream ended before the end of the answer")
    return {**builder.message, "content": builder.blocks}


class _Builder:
    """A message as far as it has come."""

    def __init__(self) -> None:
        self.message: dict[str, object] = {}
        self.blocks: list[dict[str, object]] = []
        self.is_whole = False
        self._inputs: dict[int, str] = {}

    def take(self, event: dict[str, object]) -> None:
        """Add what one event says."""
        match event["type"]:
            case "message_start":
                self.message = {**cast("dict[str, object]", event["message"])}
            case "content_block_start":
                self._start(event)
            case "content_block_delta":
                self._add(cast("int", event["index"]), cast("dict[str, object]", event["delta"]))
            case "content_block_stop":
                self._stop(cast("int", event["index"]))
            case "message_delta":
                self._finish(event)
            case "message_stop":
                self._end()
            case _:
                pass

    def _start(self, event: dict[str, object]) -> None:
        if event["index"] != len(self.blocks):
            raise ValueError("blocks are numbered in order")
        self.blocks.append({**cast("dict[str, object]", event["content_block"])})

    def _add(self, index: int, delta: dict[str, object]) -> None:
        block = self.blocks[index]
        kind = cast("str", delta["type"])
        if kind == "input_json_delta":
            self._inputs[index] = self._inputs.get(index, "") + cast("str", delta["partial_json"])
        elif key := _TEXT_DELTAS.get(kind):
            block[key] = cast("str", block.get(key) or "") + cast("str", delta[key])

    def _stop(self, index: int) -> None:
        if written := self._inputs.pop(index, ""):
            self.blocks[index]["input"] = json.loads(written)

    def _end(self) -> None:
        """The input of a call that was never said to be whole may lack anything."""
        if self._inputs:
            raise ValueError("a block has no end")
        self.is_whole = bool(self.message)

    def _finish(self, event: dict[str, object]) -> None:
        """Take the reason of the end and the final counts; those that are not repeated stay as they were."""
        self.message |= cast("dict[str, object]", event["delta"])
        before, now = self.message.get("usage"), event.get("usage")
        if isinstance(now, Mapping):
            told = {key: value for key, value in now.items() if value is not None}
            self.message["usage"] = {**(before if isinstance(before, Mapping) else {}), **told}
