"""Tells whether a turn in a session file came to its end, and if not, why."""

from collections.abc import Mapping, Sequence

from skill_evaluator.agents.session_lines import SAID, blocks_of, is_answer, is_interruption, text_of
from skill_evaluator.agents.stream_result import failure_kind
from skill_evaluator.model import Failure, FailureKind, JsonObject

_CUT = ("tool_use", "max_tokens", "pause_turn")  # reasons to stop after which the program goes on
_CLOSING = ("turn_duration", "stop_hook_summary")  # notes that the program makes when a turn is over


def ending_failure(lines: Sequence[JsonObject]) -> Failure | None:
    """Say why a turn does not count, or None where the agent finished it.

    One that stopped at its turn limit did what it did, and counts. A last message without a reason to stop, as older
    versions write it, counts only where the program noted after it that the turn was over.

    Args:
        lines: All lines from the words of the user to the end of the turn.
    """
    said = [place for place, line in enumerate(lines) if _says_something(line)]
    place = said[-1] if said else 0
    last, after = lines[place], lines[place + 1 :]
    if is_interruption(last):
        return _broken_off("the user interrupted the session")
    if any(_is_turn_limit(line) for line in after):
        return None
    if not is_answer(last):
        return _broken_off("the session ends before the agent answered")
    if last.get("isApiErrorMessage"):
        return _api_failure(last)
    if not _is_whole(last, lines, after):
        return _broken_off("the session ends in the middle of what the agent did")
    return None


def _says_something(line: JsonObject) -> bool:
    """Whether a line moves the turn on; remarks of the program between them do not."""
    return line.get("type") in SAID and not line.get("isSidechain") and not line.get("isMeta")


def _is_whole(last: JsonObject, lines: Sequence[JsonObject], after: Sequence[JsonObject]) -> bool:
    message = _message(last)
    parts = [line for line in lines if is_answer(line) and _message(line).get("id") == message.get("id")]
    if any(block.get("type") == "tool_use" for line in (*parts, last) for block in blocks_of(line)):
        return False
    reason = message.get("stop_reason")
    return any(_closes(line) for line in after) if reason is None else reason not in _CUT


def _closes(line: JsonObject) -> bool:
    return line.get("type") == "cost-state" or (line.get("type") == "system" and line.get("subtype") in _CLOSING)


def _is_turn_limit(line: JsonObject) -> bool:
    attachment = line.get("attachment")
    return isinstance(attachment, Mapping) and attachment.get("type") == "max_turns_reached"


def _api_failure(line: JsonObject) -> Failure:
    text = text_of(line) or "the service answered with an error"
    word = line.get("error")
    kind = failure_kind(line.get("apiErrorStatus"), word if isinstance(word, str) else None, text)
    return Failure(kind=kind, message=text)


def _message(line: JsonObject) -> Mapping[str, object]:
    message = line.get("message")
    return message if isinstance(message, Mapping) else {}


def _broken_off(message: str) -> Failure:
    return Failure(kind=FailureKind.CRASH, message=message)
