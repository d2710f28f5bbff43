"""The lines of a kept session as graders read them."""

import json

from skill_evaluator.model import JsonObject, Run

_MOST_DIGITS = 400  # a longer whole number is infinite in JavaScript


def assistant_message(line: str, sort: str) -> JsonObject | None:
    """Read a line that may hold a block of this sort in a message of the model.

    Args:
        line: One line of a trace.
        sort: Type of the block, in letters that JSON need not escape.

    Returns:
        The line, whose message has a list of blocks; None for any other, and for one that is no JSON, as the last may
        be where the program was ended in the middle of it.

    Raises:
        RecursionError: If it is nested too deep to be read.
    """
    if sort not in line and "\\u" not in line:
        return None  # JSON writes a letter as itself or as an escape with \u
    try:
        value = json.loads(line, parse_int=_whole)
    except ValueError:
        return None
    match value:
        case {"type": "assistant", "message": {"content": list()}}:
            return value if isinstance(value, dict) else None
        case _:
            return None


def last_text(run: Run) -> str | None:
    """Give the last text block of the main agent that is not blank; None where no trace was kept, or it has none.

    What the program said by itself, such as that an answer was too long, counts where the run has it as its output.
    """
    for line in reversed(run.trace or ()):
        try:
            message = assistant_message(line, "text")
        except RecursionError:
            continue
        texts = _texts(message)
        if texts and (texts[-1] == run.output or not _is_synthetic(message)):
            return texts[-1]
    return None


def _is_synthetic(line: JsonObject | None) -> bool:
    match line:
        case {"message": {"model": "<synthetic>"}}:
            return True
        case _:
            return False


def _texts(line: JsonObject | None) -> list[str]:
    match line:
        case {"parent_tool_use_id": str()}:
            return []
        case {"message": {"content": list(blocks)}}:
            return [text for block in blocks if (text := _text(block)).strip()]
        case _:
            return []


def _text(block: object) -> str:
    match block:
        case {"type": "text", "text": str(text)}:
            return text
        case _:
            return ""


def _whole(digits: str) -> float:
    return int(digits) if len(digits) < _MOST_DIGITS else float(digits)
