"""The transcript that a case goes on with -> earlier turns of a conversation, as far as they are text."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.reading import read_bytes_inside
from skill_evaluator.model import Turn

_MAX_BYTES = 16 * 1024 * 1024


def history_turns(path: Path, *, root: Path) -> tuple[Turn, ...]:
    """Read the messages of a transcript, a JSON object a line; empty where there are none that can be read.

    Calls of tools are told as text, since the tools of that session are not those of this one; what subagents said is
    left out. The first turn is the user's and the last one the assistant's, as a prompt follows.

    Args:
        path: The transcript.
        root: The outermost folder that may be read.
    """
    content = read_bytes_inside(path, root=root, max_bytes=_MAX_BYTES)
    if isinstance(content, SuiteFault):
        return ()
    lines = content.decode("utf-8-sig", "replace").split("\n")
    turns = [turn for line in lines for turn in _turns(line)]
    first = next((place for place, turn in enumerate(turns) if turn.role == "user"), len(turns))
    return tuple(turns[first:])


def _turns(line: str) -> Iterator[Turn]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return
    match value:
        case {"isSidechain": True} | {"isMeta": True}:
            return
        case {"type": "user", "message": {"content": content}}:
            yield from _turn("user", content)
        case {"type": "assistant", "message": {"content": content}}:
            yield from _turn("assistant", content)
        case _:
            return


def _turn(role: Literal["user", "assistant"], content: object) -> Iterator[Turn]:
    text = content if isinstance(content, str) else "\n".join(_told(content))
    if text.strip():
        yield Turn(role=role, text=text.strip())


def _told(content: object) -> Iterator[str]:
    for block in content if isinstance(content, list) else ():
        match block:
            case {"type": "text", "text": str(text)}:
                yield text
            case {"type": "tool_use", "name": str(name), "input": given}:
                yield f"[called {name} with {json.dumps(given, ensure_ascii=False)}]"
            case {"type": "tool_result", "content": str(text)}:
                yield f"[the tool gave: {text}]"
            case {"type": "tool_result", "content": list(parts)}:
                yield f"[the tool gave: {' '.join(_told(parts))}]"
            case _:
                pass
