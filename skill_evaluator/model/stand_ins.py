"""Stand-ins for MCP servers while a run goes on, and what they tell of it."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from skill_evaluator.model.cases import Case
from skill_evaluator.model.runs import MockCall
from skill_evaluator.model.words import Arm, JsonObject

if TYPE_CHECKING:
    import asyncio


@dataclass(frozen=True, kw_only=True, slots=True)
class Aborted:
    """Which stand-in ended a run, and why."""

    server: str
    tool: str
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class StandInTool:
    """One tool of a stand-in, and who answers it."""

    tool: str
    responder: Literal["fixed", "agent"]


@dataclass(frozen=True, kw_only=True, slots=True)
class StandInServer:
    """One server as a run saw it.

    Attributes:
        server: Its name as tools have it, such as `plugin_demo_tracker`.
        kind: `shadow` in place of a server that the plugin declares, `standalone` otherwise.
        is_withheld: Whether it was not started since nothing stands in for it.
        tools: What is answered; empty where it is withheld.
        replay_pinned: Recordings that lie in wait for its calls.
    """

    server: str
    kind: Literal["shadow", "standalone"]
    is_withheld: bool = False
    tools: tuple[StandInTool, ...] = ()
    replay_pinned: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class StandInUse:
    """What became of the stand-ins of one run.

    Attributes:
        servers: All of them, those that were withheld too.
        warnings: What is doubtful about them, for people.
        total: Calls that were answered.
        errors: Those of them that were answered with a tool error.
        unmocked: Tools that were called though nothing stands in for them, as `server/tool`, and how often.
        cost_usd: What the model that plays servers cost.
        replay_hits: Calls answered from a recording.
        replay_misses: Calls of an `agent` stand-in that no recording answers, also where there are none.
    """

    servers: tuple[StandInServer, ...]
    warnings: tuple[str, ...] = ()
    total: int = 0
    errors: int = 0
    unmocked: tuple[tuple[str, int], ...] = ()
    cost_usd: float = 0.0
    replay_hits: int = 0
    replay_misses: int = 0


class RunStandIns(Protocol):
    """The stand-ins of one run, up as long as they are entered."""

    @property
    def servers(self) -> Mapping[str, JsonObject]:
        """Entries for the program's `--mcp-config`: name of a server -> how it is reached."""
        ...

    @property
    def is_exclusive(self) -> bool:
        """Whether no other server may be started, not even the plugin's own."""
        ...

    @property
    def tools(self) -> tuple[str, ...]:
        """Full names of the tools that may be called without a grant."""
        ...

    @property
    def calls(self) -> tuple[MockCall, ...] | None:
        """What was answered so far, in order; None where no stand-in is active."""
        ...

    @property
    def ended(self) -> "asyncio.Event":
        """Set once a call ended the run: its processes are to be killed at once, before the call is answered."""
        ...

    @property
    def aborted(self) -> Aborted | None:
        """Which call ended the run, or None."""
        ...

    def settle(self, trace: Sequence[str]) -> str | None:
        """Hold the session against what was answered, once the run ended; to be called before `use` is looked at.

        Counts the calls of tools that nothing stands in for, which the program refuses by itself.

        Args:
            trace: Lines of the session.

        Returns:
            Why the run cannot be graded: the agent was shown another answer than the one that a model gave; else None.
        """
        ...

    @property
    def use(self) -> StandInUse | None:
        """What became of them; None where neither the plugin nor the case has a server."""
        ...


class StandIns(Protocol):
    """Makes the stand-ins of runs."""

    def of_run(self, case: Case, arm: Arm, index: int) -> AbstractAsyncContextManager[RunStandIns]:
        """Give those of one run; leaving the context stops them and whatever they wait for."""
        ...
