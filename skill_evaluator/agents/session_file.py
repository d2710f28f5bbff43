"""Reads the first turn of a session file of Claude Code, with its subagents, as a run.

Such a file has no closing line. So a turn counts only where its last message says that it is whole; whatever ends
otherwise is an error, never a skill that did not fire.
"""

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate

from skill_evaluator.agents.session_ending import ending_failure
from skill_evaluator.agents.session_figures import duration_of, usage_of
from skill_evaluator.agents.session_lines import SAID, Turn, blocks_of, is_answer, text_of
from skill_evaluator.agents.stream_json import Transcript
from skill_evaluator.agents.stream_session import StreamSession
from skill_evaluator.agents.trace import Trace
from skill_evaluator.model import Failure, FailureKind, JsonObject
from skill_evaluator.skill_names import is_target

_SYNTHETIC = "<synthetic>"
_LAUNCHERS = ("Agent", "Task")
_SUBAGENT = "of a subagent"  # in place of the id of the call that launched it, which the files do not name

Subagents = Mapping[str, Sequence[JsonObject]]


def read_session_turn(turn: Turn, subagents: Subagents, *, skill_name: str, traced: bool = False) -> Transcript:
    """Read a turn to its end, then decide.

    A skill that the user started by hand, as a slash command, did not fire by that: whether it would have, nobody
    knows, so `triggered` is None. The same holds where what a subagent did is not there and nothing else fired.

    Args:
        turn: What was asked first.
        subagents: Lines of the subagents of the session, by their id.
        skill_name: Name of the skill under test.
        traced: Whether what was said is kept, line by line.
    """
    taken = _subagents_of(turn, subagents)
    lines = list(heapq.merge(*map(_timed, (turn.lines, *taken.values())), key=lambda timed: timed[0]))
    session = StreamSession()
    for _, line in lines:
        session.take(_as_event(line))
    failure = _not_listed(turn.lines, skill_name) or ending_failure(turn.lines)
    fired = session.triggered(skill_name)
    unknown = _is_target_by_hand(turn, skill_name) or _has_unseen(turn.lines, taken)
    return Transcript(
        model=_model(turn.lines),
        triggered=None if failure or (unknown and not fired) else fired,
        output=session.output,
        skills_invoked=tuple(session.skills_invoked()),
        tool_calls=session.tool_calls(),
        failure=failure,
        duration_s=duration_of(turn.started, [line for _, line in lines]),
        usage=usage_of(turn.lines, [line for _, line in lines]),
        trace=_trace(turn, [line for _, line in lines]) if traced else None,
    )


def _trace(turn: Turn, lines: Iterable[JsonObject]) -> tuple[str, ...] | None:
    """Give what was said after the prompt; what a subagent said is marked as in stream-json."""
    trace = Trace()
    for line in lines:
        if line.get("type") in SAID and line is not turn.lines[0]:
            trace.add_event({**line, "parent_tool_use_id": _SUBAGENT} if line.get("isSidechain") else line)
    return trace.lines


def _as_event(line: JsonObject) -> JsonObject:
    """Show a line as stream-json would have printed it."""
    if line.get("type") not in SAID:
        return {}
    return {**line, "parent_tool_use_id": _SUBAGENT if line.get("isSidechain") else None}


def _timed(lines: Sequence[JsonObject]) -> list[tuple[str, JsonObject]]:
    """Give each line the latest time so far, so that the order of the file is kept."""
    times = accumulate((str(line.get("timestamp") or "") for line in lines), max)
    return list(zip(times, lines, strict=True))


def _subagents_of(turn: Turn, subagents: Subagents) -> Subagents:
    """Those that the turn launched, and those that they launched; in a session with one turn, all."""
    if turn.is_only:
        return subagents
    taken: dict[str, Sequence[JsonObject]] = {}
    todo = list(_launched(turn.lines))
    while todo:
        name = todo.pop()
        if name in subagents and name not in taken:
            taken[name] = subagents[name]
            todo += _launched(subagents[name])
    return taken


def _launched(lines: Iterable[JsonObject]) -> Iterator[str]:
    """Ids of the subagents that answer to these lines."""
    for line in lines:
        match line.get("toolUseResult"):
            case {"agentId": str(name)}:
                yield name
            case _:
                pass


def _has_unseen(lines: Sequence[JsonObject], taken: Subagents) -> bool:
    """Whether a subagent was at work of which the files do not say all that it did."""
    inline = [line for line in lines if line.get("isSidechain")]
    launched = set(_launched(lines))
    if launched - taken.keys() - {str(line.get("agentId")) for line in inline} or launched & _unreported(lines):
        return True
    calls = {str(block.get("id")) for line in lines for block in blocks_of(line) if block.get("name") in _LAUNCHERS}
    return bool(calls) and not (inline or launched or calls <= _refused(lines))


def _unreported(lines: Sequence[JsonObject]) -> set[str]:
    """Subagents in the background that had not come to their end when the session did."""
    background = {
        str(result["agentId"])
        for line in lines
        if isinstance(result := line.get("toolUseResult"), Mapping) and result.get("isAsync") and "agentId" in result
    }
    said = [text_of(line) or "" for line in lines if line.get("type") == "user"]
    return {name for name in background if not any(f"<task-id>{name}</task-id>" in text for text in said)}


def _refused(lines: Sequence[JsonObject]) -> set[str]:
    return {
        str(block.get("tool_use_id")) for line in lines for block in blocks_of(line) if block.get("is_error") is True
    }


def _is_target_by_hand(turn: Turn, skill_name: str) -> bool:
    return turn.command is not None and is_target(turn.command, skill_name)


def _not_listed(lines: Iterable[JsonObject], skill_name: str) -> Failure | None:
    """Look for the skill among those that were named to the model, where the file says which."""
    listed: set[object] = set()
    for line in lines:
        match line.get("attachment"):
            case {"type": "skill_listing", "names": list(names)} if not line.get("isSidechain"):
                listed.update(name for name in names if isinstance(name, str))
            case _:
                pass
    if not listed or any(is_target(str(name), skill_name) for name in listed):
        return None
    message = f"the session lists {len(listed)} skills, and {skill_name!r} is not one of them"
    return Failure(kind=FailureKind.SKILL_NOT_LISTED, message=message)


def _model(lines: Iterable[JsonObject]) -> str | None:
    named = (
        message.get("model")
        for line in lines
        if is_answer(line) and isinstance(message := line.get("message"), Mapping)
    )
    return next((name for name in named if isinstance(name, str) and name != _SYNTHETIC), None)
