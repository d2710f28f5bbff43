"""Claude Code as whoever runs the cases of an eval suite: one isolated child a run."""

import asyncio
import contextlib
import os
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from skill_evaluator.agents.claude_code.argv import Asking, arguments
from skill_evaluator.agents.claude_code.environment import run_environment
from skill_evaluator.agents.claude_code.grants import Grants
from skill_evaluator.agents.claude_code.history import prepare_history
from skill_evaluator.agents.claude_code.kept import RunName, Workspace
from skill_evaluator.agents.claude_code.layout import WORKSPACE, Layout, furnish
from skill_evaluator.agents.claude_code.login import Login, find_login, hand_over
from skill_evaluator.agents.claude_code.one_run import Site, asked_run, refused_run, setup_of
from skill_evaluator.agents.claude_code.output import MAX_BYTES, SessionOutput, TooLongError
from skill_evaluator.agents.claude_code.plugin_watch import PluginWatch
from skill_evaluator.agents.claude_code.rules import Rules, child_rules
from skill_evaluator.agents.claude_code.scaffold import run_scaffold
from skill_evaluator.agents.claude_code.shell import Confined, sandbox_settings, write_settings
from skill_evaluator.agents.messages.price_file import read_prices
from skill_evaluator.model import AgentInfo, Arm, Case
from skill_evaluator.model.stand_ins import RunStandIns, StandIns
from skill_evaluator.model.suite_asking import AskedRun
from skill_evaluator.redaction import blacken, blacken_run, longest_first, secrets_of
from skill_evaluator.sandbox import Call, Sandbox, open_sandbox, run_child, sweep
from skill_evaluator.texts import tr

_TRACE: Final = "trace.jsonl"


class _RefusedError(Exception):
    """Why the program is not asked; the empty run may be graded all the same."""

    def __init__(self, error: str, *, is_graded: bool) -> None:
        super().__init__(error)
        self.is_graded = is_graded


class ClaudeCodeSuiteAgent:
    """Runs cases with the real program.

    Args:
        program: The program.
        version: Its version.
        model: Which model it asks, before the one that a case names; None for those.
        grants: Tools that the user lets the agent use.
        disallow: Tools that the user takes away.
        stand_ins: Makes the stand-ins for MCP servers; None starts no server at all.
        scaffold: Whether scripts of cases may fill the workspace.
        keep_temp: Whether the folders of runs are kept.
        eval_dir: Folder of the suite, which no run may read; None for the topmost folder of the plugin around a case.
        results: Folders and files where results are written: they are no change of a plugin, and no run may read them.
    """

    def __init__(  # noqa: PLR0913 - what one suite is run with, by name
        self,
        *,
        program: Path,
        version: str,
        model: str | None = None,
        grants: Grants | None = None,
        disallow: Sequence[str] = (),
        stand_ins: StandIns | None = None,
        scaffold: bool = False,
        keep_temp: bool = False,
        eval_dir: Path | None = None,
        results: Sequence[Path] = (),
    ) -> None:
        self._program = program
        self._version = version
        self._model = model
        self._grants = grants or Grants()
        self._disallow = tuple(disallow)
        self._stand_ins = stand_ins
        self._scaffold = scaffold
        self._keep_temp = keep_temp
        self._eval_dir = eval_dir
        self._results = tuple(results)
        self._watch = PluginWatch(results)
        self._secrets = secrets_of(os.environ)
        self._has_swept = False

    @property
    def info(self) -> AgentInfo:
        """How results name this agent."""
        return AgentInfo(name="claude-code", model=self._model, settings={"version": self._version})

    async def ask(self, case: Case, arm: Arm, index: int) -> AskedRun:
        """Run one case once; whatever it started is dead and its folder gone when this returns or is cancelled.

        Cancelled while the program runs, it returns what came of the session until then.
        """
        if not self._has_swept:
            self._has_swept = True
            sweep()
        started_at = datetime.now(UTC)
        name = RunName(case=case, arm=arm, index=index)
        folder = None
        try:
            with open_sandbox(workspace_place=WORKSPACE, keep=self._keep_temp) as folder:
                asked = await self._ask_in(folder, name)
        except (OSError, ValueError) as error:
            asked = refused_run(name.blank(), f"the run cannot be started: {error}")
        if asked.duration_s is not None:
            asked = replace(asked, started_at=started_at)
        return self._redacted(replace(asked, kept=_kept(folder) if self._keep_temp else None))

    async def _ask_in(self, folder: Sandbox, name: RunName) -> AskedRun:
        layout = Layout.below(folder.root)
        furnish(layout)
        plugins = setup_of(name.case).plugins
        self._watch.remember(plugins)
        async with self._standing(name) as stand_ins:
            has_use = True
            site = Site(name=name, folder=folder, layout=layout, stand_ins=stand_ins)
            try:
                asked = await self._run(site)
            except _RefusedError as refusal:
                blank = name.blank()
                run = Workspace(layout.cwd, name.case).seen_in(replace(blank, trace=())) if refusal.is_graded else blank
                asked = replace(refused_run(run, str(refusal)), duration_s=0.0)
                has_use = refusal.is_graded  # a script that fails comes before any stand-in
        use = stand_ins.use if stand_ins and has_use else None
        return replace(asked, stand_ins=use, notes=(*asked.notes, *self._watch.changes(plugins)))

    @contextlib.asynccontextmanager
    async def _standing(self, name: RunName) -> AsyncIterator[RunStandIns | None]:
        if self._stand_ins is None:
            yield None
            return
        async with self._stand_ins.of_run(name.case, name.arm, name.index) as stand_ins:
            yield stand_ins

    async def _run(self, site: Site) -> AskedRun:
        asking = await self._prepared(site)
        workspace = Workspace(site.layout.cwd, site.case)
        output = SessionOutput()
        began_s = time.monotonic()
        try:
            ended = await run_child(self._call(site, asking), feed=output.feed, has_started=lambda: True)
        except TooLongError:
            asked = refused_run(
                site.name.blank(), f"the session printed more than {MAX_BYTES:,} bytes, which no run may"
            )
        except asyncio.CancelledError:  # what was done until then is graded, as by the real program
            output.close()
            asked = asked_run(site, output, None, workspace)
        else:
            output.close()
            asked = asked_run(site, output, ended, workspace)
        return replace(
            asked,
            turns=output.figures.turns,
            cost_usd=output.figures.cost_usd(read_prices()),
            duration_s=time.monotonic() - began_s,
            notes=(*asked.notes, *self._keep_trace(site.layout, output)),
        )

    async def _prepared(self, site: Site) -> Asking:
        """Fill the workspace and say how the program is called.

        Raises:
            _RefusedError: If it must not be.
        """
        setup = site.setup
        settings = sandbox_settings(self._grants, (*self._disallow, *setup.disallowed_tools), self._confined(site))
        if isinstance(settings, str):
            raise _RefusedError(settings, is_graded=True)
        write_settings(site.layout, settings)
        if self._scaffold and setup.scaffold_script is not None:
            fault = await run_scaffold(site.layout, setup.folder / setup.scaffold_script)
            if fault is not None:
                raise _RefusedError(fault, is_graded=False)
        history = prepare_history(site.layout, site.case) if setup.history_file is not None else None
        if isinstance(history, str):
            raise _RefusedError(history, is_graded=True)
        stand_ins = site.stand_ins
        tools = stand_ins.tools if stand_ins else ()
        return Asking(
            max_turns=site.limits.max_turns,
            rules=self._rules(site, tools),
            model=self._model or setup.model,
            plugins=setup.plugins if site.name.arm is Arm.WITH else (),
            append_system_prompt=setup.append_system_prompt,
            resume=history,
            mcp_config=site.write_mcp_config(),
            is_exclusive=stand_ins is None or stand_ins.is_exclusive,
        )

    def _confined(self, site: Site) -> Confined:
        environment = run_environment(site.folder, site.layout, case_env=site.setup.env)
        return Confined(
            layout=site.layout,
            case=site.case,
            environment=environment,
            outside=os.environ,
            eval_dir=self._eval_dir,
            arm=site.name.arm,
            results=self._results,
        )

    def _rules(self, site: Site, tools: Sequence[str]) -> Rules:
        return child_rules(
            site.layout,
            site.case,
            self._grants,
            self._disallow,
            tools,
            eval_dir=self._eval_dir,
            arm=site.name.arm,
            results=self._results,
        )

    def _call(self, site: Site, asking: Asking) -> Call:
        environment, handed = hand_over(
            self._login(), run_environment(site.folder, site.layout, case_env=site.setup.env)
        )
        return Call(
            argv=[str(self._program), *arguments(asking)],
            environment=environment,
            handed=handed,
            folder=site.folder,
            timeout_s=site.limits.timeout_s,
            stdin=site.case.prompt.encode(errors="replace"),
            called_off=site.stand_ins.ended if site.stand_ins else None,
        )

    def _login(self) -> Login | None:
        """Look it up anew for each run, since the program may have renewed it meanwhile, and remember to hide it."""
        login = find_login()
        found = login.secrets if login else ()
        self._secrets = longest_first((*self._secrets, *found))
        return login

    def _keep_trace(self, layout: Layout, output: SessionOutput) -> Iterator[str]:
        """Write the session into the folder that is kept; a full disk costs the file, not the run."""
        if not self._keep_temp:
            return
        text = "".join(f"{blacken(line, self._secrets)}\n" for line in output.trace)
        try:
            (layout.out / _TRACE).write_bytes(text.encode(errors="replace"))
        except OSError as error:
            yield tr("the session cannot be written into the folder that is kept: {error}", error=error)

    def _redacted(self, asked: AskedRun) -> AskedRun:
        error = asked.error and blacken(asked.error, self._secrets)
        distrusted = asked.distrusted and tuple(blacken(line, self._secrets) for line in asked.distrusted)
        return replace(asked, run=blacken_run(asked.run, self._secrets), error=error, distrusted=distrusted)


def _kept(folder: Sandbox | None) -> Path | None:
    """Where the folder of a run that is over lies, or None."""
    places = (folder.kept_as, folder.root) if folder else ()
    return next((place for place in places if place.is_dir()), None)
