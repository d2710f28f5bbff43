"""Earlier turns of a conversation as a transcript that the program goes on with."""

import json
import uuid
from collections.abc import Iterator, Sequence
from typing import Final

from skill_evaluator.model import JsonObject, Turn

NAME: Final = "conversation.jsonl"
_SPACE: Final = uuid.UUID("6f0d3a52-8c0b-4a2e-9a57-6c1f2f0f7b11")  # names made of it are the same every time
_WHEN: Final = "2026-01-01T00:00:00.000Z"


def transcript(turns: Sequence[Turn], *, model: str, version: str) -> bytes:
    """Write turns down as the program writes its sessions.

    Args:
        turns: Oldest first.
        model: Who is said to have answered.
        version: Version of the program.
    """
    return "".join(f"{json.dumps(line)}\n" for line in _lines(turns, model, version)).encode(errors="replace")


def _lines(turns: Sequence[Turn], model: str, version: str) -> Iterator[JsonObject]:
    before: str | None = None
    for number, turn in enumerate(turns):
        key = str(uuid.uuid5(_SPACE, f"turn {number}"))
        yield {
            "type": turn.role,
            "message": _message(turn, number, model),
            "uuid": key,
            "parentUuid": before,
            "sessionId": str(_SPACE),
            "timestamp": _WHEN,
            "cwd": "/",
            "version": version,
            "isSidechain": False,
            "userType": "external",
        }
        before = key


def _message(turn: Turn, number: int, model: str) -> JsonObject:
    if turn.role == "user":
        return {"role": "user", "content": turn.text}
    return {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [{"type": "text", "text": turn.text}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 0, "output_tokens": 0},
    }
