"""Whoever answers the cases."""

from dataclasses import dataclass, field
from typing import Protocol

from skill_evaluator.model.cases import Case
from skill_evaluator.model.runs import Run
from skill_evaluator.model.words import Arm, JsonObject


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentInfo:
    """Who answers, as reports name it.

    Attributes:
        name: Name of the agent, such as `embedded`.
        model: The model asked, or None where there is none.
        estimate: True when no model runs, so that the verdict can only be ESTIMATE.
        settings: What else could change an answer; JSON values only.
    """

    name: str
    model: str | None = None
    estimate: bool = False
    settings: JsonObject = field(default_factory=dict)


class Agent(Protocol):
    """Whoever is asked."""

    @property
    def info(self) -> AgentInfo:
        """How reports name this agent."""
        ...

    async def run(self, case: Case, arm: Arm, index: int) -> Run:
        """Ask one case once; a broken run is returned with its `failure`, never raised."""
        ...
