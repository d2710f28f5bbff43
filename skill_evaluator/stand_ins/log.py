"""What happened at the stand-ins of one run; bounded, however often they are called."""

import asyncio
from dataclasses import dataclass, field
from typing import Final

from skill_evaluator.graders.javascript_json import stringify
from skill_evaluator.model import Aborted, JsonObject, MockCall
from skill_evaluator.stand_ins.recordings import Recording

MAX_CALLS: Final = 10_000
MAX_CHARACTERS: Final = 16_777_216  # of inputs and answers together

ABORT_VERDICT: Final = "abort"


@dataclass(kw_only=True, slots=True)
class RunLog:
    """What happened at the stand-ins of one run.

    Attributes:
        budget: Calls that a model may answer, recordings counted.
        calls: Answered calls in order; the one that ended the run is the last.
        aborted: Which call ended the run, or None.
        ended: Set once one did.
        spent: Calls of tools that a model plays.
        hits: Those of them that a recording answered.
        misses: Those of them that none did.
        cost_usd: What the model cost.
        recordings: What it said.
        unmocked: Names of tools that were called though they are not there, and how often.
        notes: What is doubtful about the answers.
    """

    budget: int
    calls: list[MockCall] = field(default_factory=list)
    aborted: Aborted | None = None
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    spent: int = 0
    hits: int = 0
    misses: int = 0
    cost_usd: float = 0.0
    recordings: list[Recording] = field(default_factory=list)
    unmocked: dict[str, int] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)
    _characters: int = 0

    @property
    def is_over(self) -> bool:
        """Whether a call ended the run, so that none is answered any more."""
        return self.ended.is_set()

    def full_for(self, arguments: JsonObject) -> str | None:
        """Say why no further call is taken, or None; what is kept of a run must fit into memory."""
        self._characters += len(stringify(arguments))
        if len(self.calls) >= MAX_CALLS:
            return f"more than {MAX_CALLS:,} calls of stand-ins in one run"
        if self._characters > MAX_CHARACTERS:
            return f"more than {MAX_CHARACTERS:,} characters went to and from stand-ins in one run"
        return None

    def add(self, call: MockCall) -> None:
        """Note an answered call."""
        self._characters += len(call.output)
        self.calls.append(call)

    def abort(self, why: Aborted, tool: str, arguments: JsonObject) -> None:
        """End the run by a call, which is never answered; the first one stands."""
        if self.is_over:
            return
        self.aborted = why
        self.calls.append(
            MockCall(tool=tool, arguments=arguments, output=why.reason, is_error=True, verdict=ABORT_VERDICT)
        )
        self.ended.set()
