"""How far a session of Claude Code came, what it cost, and why it ended."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from skill_evaluator.agents.messages.prices import Prices
from skill_evaluator.agents.stream_result import amount
from skill_evaluator.model import JsonObject

_UNPRICED_AS: Final = "claude-opus-5-5"  # how the program itself prices a model that it does not know
_SYNTHETIC: Final = "<synthetic>"  # the model of messages that the program made up itself


@dataclass(frozen=True, kw_only=True, slots=True)
class Closing:
    """What the last result line of a session says.

    Attributes:
        is_error: Whether it ended on an error.
        subtype: How it ended, such as `success` or `error_max_turns`.
        message: What it says of the error, or its last words; "" for nothing.
        status: Status of the model's service where that ended it, else None.
        turns: Turns of the agent.
        cost_usd: Dollars, or None where it does not say.
    """

    is_error: bool
    subtype: str
    message: str
    status: int | None
    turns: int
    cost_usd: float | None


class Figures:
    """What the lines read so far say of it.

    Attributes:
        closing: The last result line; None for a session that was killed.
        error_word: The last word that a message has for an error, such as `max_output_tokens`, or None.
        skills: Names of the skills that are listed to the model; None before the session began.
        plugins: Names of the plugins that were loaded.
    """

    def __init__(self) -> None:
        self.closing: Closing | None = None
        self.error_word: str | None = None
        self.skills: tuple[str, ...] | None = None
        self.plugins: tuple[str, ...] = ()
        self._usages: dict[str, tuple[str, Mapping[str, object]]] = {}

    def take(self, event: JsonObject) -> None:
        """Take in what one line says."""
        match event:
            case {"type": "system", "subtype": "init"} if self.skills is None:
                self.skills = _names(event.get("skills"))
                self.plugins = _names(event.get("plugins"))
            case {"type": "assistant", "message": dict(message)}:
                self._count(message, event.get("error"))
            case {"type": "result"}:
                self.closing = _closing(event)
            case _:
                pass  # other lines say nothing of it

    @property
    def has_begun(self) -> bool:
        """Whether the program went to work: it lists its skills first, or says in a result why it does not."""
        return self.skills is not None or (self.closing is not None and self.closing.is_error)

    @property
    def turns(self) -> int:
        """Turns as the session tells them; for one that was killed, the answers of the model that came."""
        return len(self._usages) if self.closing is None else self.closing.turns

    def cost_usd(self, prices: Prices) -> float:
        """Cost as the session tells it; for one that was killed, that of the answers that came.

        The lines of an answer hold the counts of its beginning, so the cost of a killed session is the least it was.

        Source:
            Runs of Claude Code 2.1.332 that were killed.
        """
        if self.closing is not None and self.closing.cost_usd is not None:
            return self.closing.cost_usd
        total = 0.0
        for model, usage in self._usages.values():
            total += _cost(prices, model, usage)
        return total

    def _count(self, message: Mapping[str, object], error: object) -> None:
        """Each line of an answer repeats what it used."""
        if isinstance(error, str):
            self.error_word = error
        key, model, usage = (message.get(name) for name in ("id", "model", "usage"))
        if isinstance(key, str) and isinstance(model, str) and model != _SYNTHETIC:
            self._usages[key] = (model, usage if isinstance(usage, Mapping) else {})


def _closing(event: JsonObject) -> Closing:
    status, turns = event.get("api_error_status"), amount(event.get("num_turns"))
    errors = event.get("errors")
    said = [event.get("result"), *(errors if isinstance(errors, list) else [])]
    return Closing(
        is_error=event.get("is_error") is True,
        subtype=str(event.get("subtype") or ""),
        message="\n".join(text for text in said if isinstance(text, str) and text),
        status=status if isinstance(status, int) and not isinstance(status, bool) else None,
        turns=int(turns or 0),
        cost_usd=amount(event.get("total_cost_usd")),
    )


def _cost(prices: Prices, model: str, usage: Mapping[str, object]) -> float:
    def count(name: str) -> int:
        return int(amount(usage.get(name)) or 0)

    for name in (model, _UNPRICED_AS):
        dollars = prices.cost_usd(
            name,
            input=count("input_tokens"),
            cached=count("cache_read_input_tokens"),
            written=count("cache_creation_input_tokens"),
            output=count("output_tokens"),
        )
        if dollars is not None:
            return dollars
    return 0.0


def _names(listed: object) -> tuple[str, ...]:
    """Names in a list of names, or of objects that have one."""
    items = listed if isinstance(listed, list) else []
    named = (item.get("name") if isinstance(item, Mapping) else item for item in items)
    return tuple(name for name in named if isinstance(name, str))
