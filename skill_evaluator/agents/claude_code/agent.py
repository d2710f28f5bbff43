"""Claude Code as agent of test sets: the real program, asked once for each run, with nothing of the user's own."""

import contextlib
import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from skill_evaluator.agents.claude_code.argv import Asking, arguments
from skill_evaluator.agents.claude_code.ending import ending_of
from skill_evaluator.agents.claude_code.environment import run_environment
from skill_evaluator.agents.claude_code.expected_tools import SERVER, ExpectedTools, as_expected, full_name, lacking
from skill_evaluator.agents.claude_code.history import keep_transcript
from skill_evaluator.agents.claude_code.kept import Workspace
from skill_evaluator.agents.claude_code.layout import WORKSPACE, Layout, furnish
from skill_evaluator.agents.claude_code.login import Login, find_login, hand_over
from skill_evaluator.agents.claude_code.offer import SKILLS, offer_rules
from skill_evaluator.agents.claude_code.output import MAX_BYTES, SessionOutput, TooLongError
from skill_evaluator.agents.claude_code.program import Program
from skill_evaluator.agents.claude_code.transcript import NAME, transcript
from skill_evaluator.agents.messages.tools import stand_in_faults, writes
from skill_evaluator.mcp_server import McpServer
from skill_evaluator.model import AgentInfo, Arm, Case, Failure, FailureKind, Run, Skill
from skill_evaluator.redaction import blacken_run, longest_first
from skill_evaluator.sandbox import Call, Ended, Sandbox, open_sandbox, run_child, sweep
from skill_evaluator.sandbox.environment import names_passed
from skill_evaluator.sandbox.installed import changed_files, hash_copy
from skill_evaluator.skill_names import is_target

TIMEOUT_S: Final = 300.0
MAX_TURNS: Final = 10
_NAMED: Final = 5  # skills that are named of those listed
_MCP_CONFIG: Final = "tools.json"


@dataclass(frozen=True, kw_only=True, slots=True)
class Offer:
    """What all runs have in common.

    Attributes:
        skill: The skill under test.
        neighbours: Skills installed beside it.
        probe: The skill that the canary asks for, or None without a canary.
        model: Which model is asked.
        timeout_s: Longest time of a session.
        max_turns: Turns of the agent in one run.
    """

    skill: Skill
    model: str
    neighbours: Sequence[Skill] = ()
    probe: Skill | None = None
    timeout_s: float = TIMEOUT_S
    max_turns: int = MAX_TURNS

    def skills(self, arm: Arm) -> tuple[Skill, ...]:
        """The skills of a run."""
        others = (*self.neighbours, *([self.probe] if self.probe else []))
        return others if arm is Arm.WITHOUT else (self.skill, *others)


class ClaudeCodeAgent:
    """Starts the program anew for each run, in folders of its own that are gone afterwards.

    Args:
        program: The program.
        offer: What all runs have in common.
        cases: What it will be asked.

    Attributes:
        findings: What is wrong with the cases for this agent.
    """

    def __init__(self, program: Program, offer: Offer, *, cases: Sequence[Case] = ()) -> None:
        self._program = program
        self._offer = offer
        self._stand_ins = tuple(dict.fromkeys(name for case in cases for name in lacking(case)))
        self._has_swept = False
        self._secrets: tuple[str, ...] = ()
        self.findings = stand_in_faults(cases)

    @property
    def info(self) -> AgentInfo:
        """How reports name this agent; of variables the names alone."""
        offer = self._offer
        settings: dict[str, object] = {
            "version": self._program.version,
            "max_turns": offer.max_turns,
            "timeout_s": offer.timeout_s,
            "listing": "checked",
            "cost": "reported",
            "environment": names_passed(),
            "neighbours": [f"{skill.name}@{skill.sha256[:12]}" for skill in offer.neighbours],
            "stand_ins": list(self._stand_ins),
        }
        return AgentInfo(name="claude-code", model=offer.model, settings=settings)

    async def run(self, case: Case, arm: Arm, index: int) -> Run:
        """Ask the program once; whatever it started is dead and its folder gone when this returns or is cancelled."""
        if not self._has_swept:
            self._has_swept = True
            sweep()
        blank = Run(case_id=case.id, arm=arm, index=index)
        skills = self._offer.skills(arm)
        try:
            with open_sandbox(
                skills=skills, skills_place=SKILLS, files=case.files, workspace_place=WORKSPACE
            ) as folder:
                run = await self._run_in(folder, case, blank)
                return blacken_run(run, self._secrets)
        except OSError as error:
            return _crashed(blank, f"the run cannot be started: {error.strerror or error}")
        except TooLongError:
            return _crashed(blank, f"the session printed more than {MAX_BYTES:,} bytes, which no run may")

    async def _run_in(self, folder: Sandbox, case: Case, blank: Run) -> Run:
        layout = Layout.below(folder.root)
        furnish(layout)
        before = hash_copy(self._offer.skill, folder.skills)
        workspace, output = Workspace(layout.cwd, case), SessionOutput()
        async with _tools_of(case, layout) as mcp_config:
            call = self._call(folder, layout, case, mcp_config)
            ended = await run_child(call, feed=output.feed, has_started=lambda: output.figures.skills is not None)
        output.close()
        changes = changed_files(before, hash_copy(self._offer.skill, folder.skills))
        run = self._read(replace(blank, skill_changes=changes), output, ended)
        if run.failure is not None:
            return run  # nobody grades it
        return workspace.seen_in(replace(run, trace=output.trace if case.needs.trace else None))

    def _call(self, folder: Sandbox, layout: Layout, case: Case, mcp_config: Path | None) -> Call:
        offer = self._offer
        environment, handed = hand_over(self._login(), run_environment(folder, layout, case_env={}))
        asking = Asking(
            max_turns=offer.max_turns,
            rules=offer_rules(layout, [full_name(name) for name in lacking(case)], writes=writes(case)),
            model=offer.model,
            resume=self._earlier(layout, case) if case.context else None,
            mcp_config=mcp_config,
        )
        return Call(
            argv=[str(self._program.path), *arguments(asking)],
            environment=environment,
            handed=handed,
            folder=folder,
            timeout_s=offer.timeout_s,
            stdin=case.prompt.encode(errors="replace"),
        )

    def _login(self) -> Login | None:
        """Look it up anew for each run, since the program may have renewed it meanwhile, and remember to hide it.

        Whoever keeps the runs hides what stands in variables; this stands in a file.
        """
        login = find_login()
        self._secrets = longest_first((*self._secrets, *(login.secrets if login else ())))
        return login

    def _earlier(self, layout: Layout, case: Case) -> Path:
        content = transcript(case.context, model=self._offer.model, version=self._program.version)
        return keep_transcript(layout, NAME, content)

    def _read(self, run: Run, output: SessionOutput, ended: Ended) -> Run:
        """Say what the session tells of the skill."""
        name, session = self._offer.skill.name, output.session
        ending = ending_of(ended, output.figures, timeout_s=self._offer.timeout_s)
        failure = ending.failure or (_not_listed(output, name) if run.arm is Arm.WITH else None)
        return replace(
            run,
            triggered=None if failure else session.triggered(name),
            output=session.output,
            skills_invoked=tuple(session.skills_invoked()),
            tool_calls=as_expected(session.tool_calls()),
            failure=failure,
            cut_by=ending.cut_by,
            duration_s=ended.duration_s,
            usage=session.result.usage,
        )


@contextlib.asynccontextmanager
async def _tools_of(case: Case, layout: Layout) -> AsyncIterator[Path | None]:
    """Serve the tools that the case expects and the program lacks; gives the file that says where."""
    names = lacking(case)
    if not names:
        yield None
        return
    async with McpServer() as server:
        address = server.add(ExpectedTools(names=names))
        path = layout.out / _MCP_CONFIG
        path.touch(mode=0o600)
        path.write_text(json.dumps({"mcpServers": {SERVER: {"type": "http", "url": address}}}), encoding="utf-8")
        yield path


def _not_listed(output: SessionOutput, name: str) -> Failure | None:
    """Say that the skill was not offered to the model."""
    listed = sorted(output.figures.skills or ())
    if any(is_target(one, name) for one in listed):
        return None
    more = f" and {len(listed) - _NAMED} more" if len(listed) > _NAMED else ""
    shown = f"lists {', '.join(listed[:_NAMED])}{more}" if listed else "lists no skill"
    message = f"the program {shown}, and {name!r} is not among them"
    return Failure(kind=FailureKind.SKILL_NOT_LISTED, message=message)


def _crashed(run: Run, message: str) -> Run:
    return replace(run, failure=Failure(kind=FailureKind.CRASH, message=message))
