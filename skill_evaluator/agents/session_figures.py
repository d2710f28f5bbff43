"""Time, tokens and cost of a turn in a session file."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from skill_evaluator.agents.session_lines import is_answer
from skill_evaluator.agents.stream_result import amount, message_tokens, model_tokens
from skill_evaluator.model import JsonObject, Usage


def duration_of(started: str, lines: Sequence[JsonObject]) -> float | None:
    """Seconds from the words of the user to the agent's last message, or None where the times do not say."""
    said = [str(line.get("timestamp") or "") for line in lines if line.get("type") == "assistant"]
    try:
        times = [datetime.fromisoformat(text) for text in (started, max(said, default=""))]
        seconds = (times[1] - times[0]).total_seconds()
    except (ValueError, TypeError):  # no time, or one with and one without a zone
        return None
    return amount(seconds)


def usage_of(turn: Sequence[JsonObject], lines: Sequence[JsonObject]) -> Usage | None:
    """Tokens and cost.

    The account that the program writes when a turn is over covers everything; without one, the tokens of all messages
    are added up, and the cost is not known.

    Args:
        turn: The lines of the main agent's turn.
        lines: These and those of the subagents.
    """
    account = _account(turn)
    if account is None:
        tokens = message_tokens(_usages(lines))
        return None if tokens == (None, None) else Usage(input_tokens=tokens[0], output_tokens=tokens[1])
    by_model = account.get("modelUsage")
    tokens = model_tokens(by_model if isinstance(by_model, Mapping) else {})
    cost = None if account.get("hasUnknownModelCost") else amount(account.get("totalCostUSD"))
    if cost is None and tokens == (None, None):
        return None
    return Usage(input_tokens=tokens[0], output_tokens=tokens[1], cost_usd=cost)


def _account(turn: Sequence[JsonObject]) -> JsonObject | None:
    """The last account, if nothing was said after it."""
    for line in reversed(turn):
        if line.get("type") == "cost-state":
            return line
        if is_answer(line):
            return None
    return None


def _usages(lines: Sequence[JsonObject]) -> list[object]:
    """What each message used; every line of a message repeats it, and the last one is complete."""
    used: dict[object, object] = {}
    for place, line in enumerate(lines):
        message = line.get("message")
        if line.get("type") == "assistant" and isinstance(message, Mapping) and not line.get("isApiErrorMessage"):
            name = message.get("id")
            used[name if isinstance(name, str) else place] = message.get("usage")
    return list(used.values())
