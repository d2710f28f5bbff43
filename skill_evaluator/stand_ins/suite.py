"""Makes the stand-ins of the runs of an eval suite."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from skill_evaluator.mcp_server import McpServer
from skill_evaluator.model import Arm, Case, Completer, JsonObject, Limits, MockTool
from skill_evaluator.stand_ins.log import RunLog
from skill_evaluator.stand_ins.player import Player
from skill_evaluator.stand_ins.recordings import replay_folder
from skill_evaluator.stand_ins.replay import Shelf, read_shelf
from skill_evaluator.stand_ins.run import OpenStandIns
from skill_evaluator.stand_ins.servers import RunServer, servers_of
from skill_evaluator.stand_ins.serving import ServedTools
from skill_evaluator.stand_ins.warnings import warnings_about

CALLS_A_TURN: Final = 4  # that a model may answer; source: manual of Claude Code 2.1.332


@dataclass(frozen=True, kw_only=True, slots=True)
class SuiteStandIns:
    """The stand-ins of a suite's runs.

    Attributes:
        served: Id of a case -> servers of its plugins: folder in `mocks/` -> name in the names of tools.
        root: The outermost folder that may be read.
        completer: The model that plays servers, or None; entered and left by the caller.
        mode: `record` for stand-ins, `off` for the plugin's real servers.
        allow_real_servers: Whether servers without a stand-in are really started.
        names: Name in the names of tools -> what the program calls the server; see `program_names`.
    """

    served: Mapping[str, Mapping[str, str]]
    root: Path
    completer: Completer | None = None
    mode: Literal["record", "off"] = "record"
    allow_real_servers: bool = False
    names: Mapping[str, str] = field(default_factory=dict)
    _shelves: dict[Path, Shelf] = field(default_factory=dict)

    def of_run(self, case: Case, arm: Arm, index: int) -> AbstractAsyncContextManager[OpenStandIns]:
        """Give those of one run; leaving the context stops them and whatever they wait for."""
        if self.mode == "off":
            return _none(self._budget(case))
        return self._opened(case, arm, index)

    @asynccontextmanager
    async def _opened(self, case: Case, arm: Arm, index: int) -> AsyncIterator[OpenStandIns]:
        seen = self._servers(case, arm)
        log = RunLog(budget=self._budget(case))
        if not seen:
            yield self._open(case, seen, log, {})
            return
        async with McpServer() as server:
            entries = {one.program_name: _entry(server.add(self._tools(one, log, index))) for one in seen}
            yield self._open(case, seen, log, entries)

    def _open(
        self, case: Case, seen: tuple[RunServer, ...], log: RunLog, entries: Mapping[str, JsonObject]
    ) -> OpenStandIns:
        of_case = self._servers(case, Arm.WITH)
        served = self.served.get(case.id, {})
        return OpenStandIns(
            servers=entries,
            is_exclusive=not self.allow_real_servers,
            seen=seen,
            log=log,
            pinned={server.name: self._pinned(server) for server in seen},
            warnings=(*warnings_about(of_case, served), *self._faults(of_case)),
            is_reported=bool(seen),
        )

    def _servers(self, case: Case, arm: Arm) -> tuple[RunServer, ...]:
        served = self.served.get(case.id, {})
        return servers_of(case, arm, served, self.names, withholds=not self.allow_real_servers)

    def _tools(self, server: RunServer, log: RunLog, index: int) -> ServedTools:
        def shelf(tool: MockTool) -> Shelf:
            return self._shelf(replay_folder(server.name, tool))

        player = Player(server=server.name, run=index, completer=self.completer, shelf=shelf, log=log)
        return ServedTools(server=server, player=player, log=log)

    def _shelf(self, folder: Path) -> Shelf:
        if folder not in self._shelves:
            self._shelves[folder] = read_shelf(folder, root=self.root)
        return self._shelves[folder]

    def _shelves_of(self, server: RunServer) -> tuple[Shelf, ...]:
        tools = server.mock.tools if server.mock else ()
        folders = dict.fromkeys(replay_folder(server.name, tool) for tool in tools if tool.kind == "agent")
        return tuple(map(self._shelf, folders))

    def _pinned(self, server: RunServer) -> int:
        return sum(shelf.pinned for shelf in self._shelves_of(server))

    def _faults(self, servers: tuple[RunServer, ...]) -> tuple[str, ...]:
        return tuple(fault for server in servers for shelf in self._shelves_of(server) for fault in shelf.faults)

    def _budget(self, case: Case) -> int:
        return CALLS_A_TURN * (case.limits or Limits()).max_turns


@asynccontextmanager
async def _none(budget: int) -> AsyncIterator[OpenStandIns]:
    yield OpenStandIns(servers={}, is_exclusive=False, seen=(), log=RunLog(budget=budget), is_reported=False)


def _entry(url: str) -> JsonObject:
    return {"type": "http", "url": url}
