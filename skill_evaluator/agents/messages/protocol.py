"""Who is asked, what may answer in its place, and what holds for all runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from skill_evaluator.agents.messages.request import ApiReply, ApiRequest
from skill_evaluator.model import Case, Failure, Skill

if TYPE_CHECKING:
    from skill_evaluator.agents.messages.prices import Prices

MAX_TURNS: Final = 10
TIMEOUT_S: Final = 300.0  # longest time of one attempt
TRIGGER_TOKENS: Final = 2_048  # longest answer where only the trigger counts
OUTPUT_TOKENS: Final = 8_192  # and where the output does


class Api(Protocol):
    """One model on one server, such as `MessagesApi`."""

    @property
    def model(self) -> str:
        """The model asked."""
        ...

    @property
    def base_url(self) -> str:
        """The server, without anything secret."""
        ...

    async def __aenter__(self) -> object:
        """Open what the calls need."""
        ...

    async def __aexit__(self, *_: object) -> None:
        """Close it."""
        ...

    async def ask(self, request: ApiRequest) -> ApiReply | Failure:
        """Ask once; whatever the server does is returned, never raised."""
        ...


class FirstReplies(Protocol):
    """First answers that were asked for before, in a batch."""

    def taken(self, custom_id: str) -> ApiReply | Failure | None:
        """Give the answer, which is not given again; None where there is none, so that it is asked now."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Setup:
    """What holds for all runs.

    Attributes:
        skill: The skill under test.
        neighbours: Skills that stand beside it in the list.
        probe: The skill that the canary asks for, or None without a canary.
        cases: What will be asked.
        seed: For the order of the list.
        max_turns: Most requests of one run, >= 1.
        timeout_s: Longest time of one request, in seconds.
        batch: Whether first requests are sent as message batches.
        prices: What models cost, or None where nothing is known.
    """

    skill: Skill
    neighbours: Sequence[Skill] = ()
    probe: Skill | None = None
    cases: Sequence[Case] = ()
    seed: int = 0
    max_turns: int = MAX_TURNS
    timeout_s: float = TIMEOUT_S
    batch: bool = False
    prices: "Prices | None" = None
