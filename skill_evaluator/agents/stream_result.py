"""Reads the `result` lines that close a Claude Code session: usage, time, and why it failed."""

import re
from collections.abc import Iterable, Mapping, Sequence

from skill_evaluator.model import Failure, FailureKind, JsonObject, Usage

_KIND_BY_STATUS = {401: FailureKind.AUTH, 403: FailureKind.AUTH, 429: FailureKind.RATE_LIMIT}
_KIND_BY_WORD = {"authentication_failed": FailureKind.AUTH, "rate_limit": FailureKind.RATE_LIMIT}
_STATUS = re.compile(r"API Error\b\D{0,40}([45]\d\d)\b")
_NO_LOGIN = re.compile(r"invalid api key|not logged in|/login\b", re.IGNORECASE)
_ABSURD = 1e15  # no session takes so many tokens, milliseconds or dollars
_TURN_LIMIT = "error_max_turns"
# Names in a `usage` of one result line, and in `modelUsage`, which covers the whole session and its subagents.
_INPUT = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
_MODEL_INPUT = ("inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens")


class StreamResult:
    """What the result lines read so far say; a session prints one a time a background task reports back."""

    def __init__(self) -> None:
        self._lines: list[JsonObject] = []
        self._error_word: str | None = None

    def add(self, line: JsonObject) -> None:
        """Take a result line in."""
        self._lines.append(line)

    def note_error(self, word: object) -> None:
        """Remember the error word of a message, which says what a result line may leave open."""
        if isinstance(word, str):
            self._error_word = word

    @property
    def is_there(self) -> bool:
        """Whether the session came to an end."""
        return bool(self._lines)

    @property
    def failure(self) -> Failure | None:
        """Why the last result line counts as an error, or None."""
        last = self._lines[-1] if self._lines else {}
        if not last.get("is_error") or last.get("subtype") == _TURN_LIMIT:
            return None
        message = _message(last)
        return Failure(kind=failure_kind(last.get("api_error_status"), self._error_word, message), message=message)

    @property
    def duration_s(self) -> float | None:
        """Seconds over all turns of the session."""
        time_ms = _total(line.get("duration_ms") for line in self._lines)
        return None if time_ms is None else time_ms / 1000

    @property
    def usage(self) -> Usage | None:
        """Tokens, those read from and written to the cache included, and money over the whole session."""
        if not self._lines:
            return None
        cost = amount(self._lines[-1].get("total_cost_usd"))
        by_model = self._lines[-1].get("modelUsage")
        if isinstance(by_model, Mapping) and by_model:
            tokens = model_tokens(by_model)
        else:
            tokens = message_tokens([line.get("usage") for line in self._lines])
        if cost is None and tokens == (None, None):
            return None
        return Usage(input_tokens=tokens[0], output_tokens=tokens[1], cost_usd=cost)


def model_tokens(by_model: Mapping[str, object]) -> tuple[int | None, int | None]:
    """Add up input (cache included) and output tokens of an account by model; None where one is not known."""
    return _sum(by_model.values(), _MODEL_INPUT), _sum(by_model.values(), ("outputTokens",))


def message_tokens(usages: Sequence[object]) -> tuple[int | None, int | None]:
    """Add up input (cache included) and output tokens of `usage` objects; None where one is not known."""
    return _sum(usages, _INPUT), _sum(usages, ("output_tokens",))


def failure_kind(status: object, word: str | None, message: str) -> FailureKind:
    """Tell the kinds apart by status, else by the error word, else by the text that older versions print."""
    if status is None and (found := _STATUS.search(message)):
        status = int(found[1])
    if isinstance(status, int):
        return _KIND_BY_STATUS.get(status, FailureKind.API)
    if word is not None:
        return _KIND_BY_WORD.get(word, FailureKind.API)
    if _NO_LOGIN.search(message):
        return FailureKind.AUTH
    return FailureKind.API if "API Error" in message else FailureKind.CRASH


def _message(line: JsonObject) -> str:
    errors = line.get("errors")
    said = [line.get("result"), *(errors if isinstance(errors, list) else [])]
    return "\n".join(text for text in said if isinstance(text, str) and text) or f"ended as {line.get('subtype')!r}"


def _sum(counts: Iterable[object], names: Sequence[str]) -> int | None:
    total = _total(count.get(name) for count in counts if isinstance(count, Mapping) for name in names)
    return None if total is None else int(total)


def _total(values: Iterable[object]) -> float | None:
    """Add up what is reported; with one figure that cannot be, the sum is not known either."""
    numbers = [amount(value) for value in values if value is not None]
    known = [number for number in numbers if number is not None]
    return amount(sum(known)) if known and len(known) == len(numbers) else None


def amount(value: object) -> float | None:
    """Give a number that can be a time, a count or a cost; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if 0 <= value < _ABSURD else None
