"""What tests of the agent `claude-code` share: cases, a scripted program, and stand-ins held by a test."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from skill_evaluator.agents.claude_code.suite_agent import ClaudeCodeSuiteAgent
from skill_evaluator.model import Arm, Case, JsonObject, Limits, MockCall, Needs, Setup, Source, Split
from skill_evaluator.model.stand_ins import Aborted, StandInServer, StandInTool, StandInUse
from skill_evaluator.model.suite_asking import AskedRun
from tests.suite_files import SOUND, lay_out

SCRIPTED = Path(__file__).resolve().parents[1] / "claude_child.py"


def scripted_program(folder: Path) -> Path:
    """A program that does what its prompt says."""
    path = folder / "claude"
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{SCRIPTED}" "$@"\n', "utf-8")
    path.chmod(0o755)
    return path


def harbour(folder: Path) -> Path:
    """A plugin named `harbour` with the skill `tide-table`."""
    return lay_out(folder / "harbour", {**SOUND, "evals/results/": ""})


def case_for(plugin: Path, prompt: str = "well", *, limits: Limits | None = None, **setup: object) -> Case:
    """A case of that plugin; its graders look at everything."""
    folder = plugin / "evals" / "high-water"
    return Case(
        id="high-water",
        prompt=prompt,
        split=Split.ACCEPTANCE,
        expect_trigger=True,
        sha256="",
        prompt_sha256="",
        source=Source(path=str(folder / "prompt.md")),
        limits=limits or Limits(timeout_s=60),
        setup=Setup(**{"folder": folder, "plugins": (plugin,), **setup}),  # type: ignore[arg-type]
        needs=Needs(trace=True, created_files=True, files=("a.txt", "b.txt")),
    )


def ask(agent: ClaudeCodeSuiteAgent, case: Case, arm: Arm = Arm.WITH) -> AskedRun:
    """Run a case once."""
    return asyncio.run(agent.ask(case, arm, 0))


@dataclass(kw_only=True)
class HeldStandIns:
    """Stand-ins of one server `tides`, whose model answers `get`; a test says what they saw."""

    servers: Mapping[str, JsonObject] = field(default_factory=lambda: {"tides": {"type": "http", "url": "http://x/"}})
    is_exclusive: bool = True
    tools: tuple[str, ...] = ("mcp__plugin_harbour_tides__get",)
    calls: tuple[MockCall, ...] | None = ()
    aborted: Aborted | None = None
    aborts_after_s: float | None = None
    is_open: bool = False
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def use(self) -> StandInUse:
        tools = (StandInTool(tool="get", responder="agent"),)
        return StandInUse(servers=(StandInServer(server="tides", kind="shadow", tools=tools),), total=1)

    @contextlib.asynccontextmanager
    async def of_run(self, _case: Case, _arm: Arm, _index: int) -> AsyncIterator["HeldStandIns"]:
        self.is_open, self.ended = True, asyncio.Event()
        waiting = asyncio.ensure_future(self._abort())
        try:
            yield self
        finally:
            waiting.cancel()
            self.is_open = False

    async def _abort(self) -> None:
        if self.aborts_after_s is not None:
            await asyncio.sleep(self.aborts_after_s)
            call = MockCall(tool=self.tools[0], arguments={}, output="stop", verdict="abort")
            self.calls, self.aborted = (call,), Aborted(server="tides", tool="get", reason="stop")
            self.ended.set()
