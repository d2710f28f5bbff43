"""Tells Claude Code's own session files from other JSON Lines, and finds what was asked first in one.

A session file is a log of everything: besides what was said it holds what the program noted for itself. What answers
a case is the first turn alone: from the first words of the user to the next, however the program went on in between.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from skill_evaluator.agents.json_lines import read_line
from skill_evaluator.model import JsonObject

# Tuples, since a value of any type is looked for in them, and a set takes only what can be hashed.
SAID = ("user", "assistant")
_KEPT = (*SAID, "system", "attachment", "cost-state")
_OF_THE_PROGRAM = ("isMeta", "isSidechain", "isCompactSummary", "isVisibleInTranscriptOnly", "toolUseResult")
_NOT_TYPED = ("<task-notification>", "<local-command-", "<bash-")
_INTERRUPTED = "[Request interrupted by user"
_COMMAND = re.compile(r"<command-name>\s*(/[^<]+?)\s*</command-name>")
_ARGUMENTS = re.compile(r"<command-args>(.*?)</command-args>", re.DOTALL)


@dataclass(frozen=True, kw_only=True, slots=True)
class SessionFile:
    """One file.

    Attributes:
        session_id: The session it belongs to; files of subagents name that of their main agent.
        lines: The lines that matter, in their order.
        agent_id: The subagent that all of it is about, or None for a session.
    """

    session_id: str
    lines: tuple[JsonObject, ...]
    agent_id: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """What was asked first, and all that happened until the user spoke again.

    Attributes:
        prompt: The words of the user; a slash command as it was typed.
        command: Name of the command that the user started by hand, without the slash, or None.
        key: Identifies the turn: a session that was forked from another repeats it.
        started: When it was asked, as written, or "".
        lines: What followed, in its order.
        is_only: Whether nothing else was asked in the session.
    """

    prompt: str
    command: str | None
    key: str
    started: str
    lines: tuple[JsonObject, ...]
    is_only: bool


def parse_session(text: str) -> SessionFile | None:
    """Read a file that Claude Code keeps under `projects/`, or give None where it is none.

    Told by content: its lines name a `sessionId`; those printed as stream-json name a `session_id`.

    Source:
        Files written by Claude Code 2.1.332.
    """
    if '"sessionId"' not in text:
        return None
    lines = tuple(_objects(text))
    known = next((line for line in lines if "sessionId" in line or "session_id" in line), {})
    session_id = known.get("sessionId")
    if not isinstance(session_id, str) or "type" not in known:
        return None
    said = [line for line in lines if line.get("type") in SAID]
    agent_id = str(said[0].get("agentId", "")) if said and all(line.get("isSidechain") for line in said) else None
    kept = tuple(line for line in lines if line.get("type") in _KEPT)
    return SessionFile(session_id=session_id, lines=kept, agent_id=agent_id)


def first_turn(lines: Sequence[JsonObject]) -> Turn | None:
    """Find what was asked first; commands of the program itself, such as `/model`, ask nothing.

    Returns:
        The turn, or None where nothing was asked.
    """
    starts = [(place, words) for place, line in enumerate(lines) if (words := _typed(line)) is not None]
    asked = [
        (place, words, end)
        for (place, words), (end, _) in pairwise([*starts, (len(lines), "")])
        if not _COMMAND.search(words) or any(is_answer(line) for line in lines[place:end])
    ]
    if not asked:
        return None
    place, words, end = asked[0]
    first = lines[place]
    return Turn(
        prompt=_as_typed(words),
        command=command[1].removeprefix("/") if (command := _COMMAND.search(words)) else None,
        key=str(first.get("uuid") or f"{first.get('sessionId')} {place}"),
        started=str(first.get("timestamp") or ""),
        lines=tuple(lines[place:end]),
        is_only=len(asked) == 1,
    )


def is_answer(line: JsonObject) -> bool:
    """Whether a line is said by the main agent."""
    return line.get("type") == "assistant" and not line.get("isSidechain")


def is_interruption(line: JsonObject) -> bool:
    """Whether a line says that the user broke the turn off."""
    return line.get("type") == "user" and (text_of(line) or "").startswith(_INTERRUPTED)


def blocks_of(line: JsonObject) -> list[JsonObject]:
    """The blocks of a message; a plain string is one block of text."""
    message = line.get("message")
    content = message.get("content") if isinstance(message, Mapping) else None
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, Mapping)] if isinstance(content, list) else []


def text_of(line: JsonObject) -> str | None:
    """The text of a message, or None where it brings the result of a tool."""
    blocks = blocks_of(line)
    if any(block.get("type") == "tool_result" for block in blocks):
        return None
    texts = (block.get("text") for block in blocks if block.get("type") == "text")
    return "\n".join(text for text in texts if isinstance(text, str))


def _objects(text: str) -> Iterator[JsonObject]:
    for line in text.split("\n"):
        try:
            value = read_line(line) if line.strip() else None
        except ValueError:
            continue  # cut off when the program was killed
        if isinstance(value, dict):
            yield value


def _typed(line: JsonObject) -> str | None:
    """The words of the user in a line, or None where none of them is in it."""
    if line.get("type") == "attachment":
        return _queued(line.get("attachment"))
    if line.get("type") != "user" or any(line.get(key) for key in _OF_THE_PROGRAM) or _is_of_the_system(line):
        return None
    text = text_of(line)
    return None if text is None or text.startswith((*_NOT_TYPED, _INTERRUPTED)) else text


def _queued(attachment: object) -> str | None:
    """Words that the user typed while the agent was still at work."""
    match attachment:
        case {"type": "queued_command", "prompt": str(text)} if isinstance(attachment, dict):
            of_the_program = attachment.get("isMeta") or _is_of_the_system(attachment) or text.startswith(_NOT_TYPED)
            return None if of_the_program else text
        case _:
            return None


def _is_of_the_system(line: JsonObject) -> bool:
    origin = line.get("origin")
    kind = origin.get("kind") if isinstance(origin, Mapping) else None
    return line.get("promptSource") == "system" or kind == "task-notification"


def _as_typed(words: str) -> str:
    command, arguments = _COMMAND.search(words), _ARGUMENTS.search(words)
    if not command:
        return words
    return f"{command[1]} {arguments[1] if arguments else ''}".strip()
