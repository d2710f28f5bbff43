"""The stand-ins of one run, up as long as it goes on."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from skill_evaluator.model import Aborted, JsonObject, MockCall, StandInServer, StandInUse
from skill_evaluator.stand_ins.log import RunLog
from skill_evaluator.stand_ins.recordings import Recording
from skill_evaluator.stand_ins.servers import RunServer
from skill_evaluator.stand_ins.session import altered, read_calls, unmocked


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenStandIns:
    """What a run sees of its stand-ins, and what they tell of it.

    Attributes:
        servers: Entries for the program's `--mcp-config`: name of a server -> how it is reached.
        is_exclusive: Whether no other server may be started.
        seen: The servers of the run.
        pinned: Recordings that lie in wait, by name of a server.
        warnings: What is doubtful about them, whatever happens in the run.
        log: What happened.
        is_reported: Whether the run has servers at all that a report could name.
    """

    servers: Mapping[str, JsonObject]
    is_exclusive: bool
    seen: tuple[RunServer, ...]
    log: RunLog
    pinned: Mapping[str, int] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    is_reported: bool = True

    @property
    def tools(self) -> tuple[str, ...]:
        """Full names of the tools that may be called without a grant."""
        return tuple(name for server in self.seen for name in server.full_names)

    @property
    def calls(self) -> tuple[MockCall, ...] | None:
        """What was answered so far, in order; None where no stand-in is active."""
        return tuple(self.log.calls) if self._is_active else None

    @property
    def ended(self) -> asyncio.Event:
        """Set once a call ended the run."""
        return self.log.ended

    @property
    def aborted(self) -> Aborted | None:
        """Which call ended the run, or None."""
        return self.log.aborted

    @property
    def recordings(self) -> tuple[Recording, ...]:
        """What models answered; to be kept only of a run without error or abort."""
        return tuple(self.log.recordings)

    def settle(self, trace: Sequence[str]) -> str | None:
        """Hold the session against what was answered; see `RunStandIns`."""
        if not self._is_active:
            return None
        seen = read_calls(trace)
        self.log.unmocked.clear()
        self.log.unmocked.update(unmocked(seen.names, self.seen))
        return None if self.log.is_over else altered(seen, self.log.calls, self.seen)

    @property
    def use(self) -> StandInUse | None:
        """What became of them; None where neither the plugin nor the case has a server."""
        if not self.is_reported:
            return None
        log = self.log
        return StandInUse(
            servers=tuple(self._reported(server) for server in self.seen),
            warnings=(*self.warnings, *log.notes),
            total=len(log.calls),
            errors=sum(call.verdict == "tool_error" for call in log.calls),
            unmocked=tuple(log.unmocked.items()),
            cost_usd=log.cost_usd,
            replay_hits=log.hits,
            replay_misses=log.misses,
        )

    @property
    def _is_active(self) -> bool:
        return any(server.mock is not None for server in self.seen)

    def _reported(self, server: RunServer) -> StandInServer:
        return StandInServer(
            server=server.name,
            kind=server.kind,
            is_withheld=server.mock is None,
            tools=server.tools,
            replay_pinned=self.pinned.get(server.name, 0),
        )
