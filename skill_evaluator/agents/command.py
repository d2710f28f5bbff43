"""Any agent that is a command line program: called by a template, its output read by a small mapping."""

import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from skill_evaluator.agents.command_checks import context_faults, prompt_faults
from skill_evaluator.agents.command_config import CommandConfig
from skill_evaluator.agents.command_failure import failure_of, not_listed
from skill_evaluator.agents.command_opened import SkillFiles
from skill_evaluator.agents.command_output import Output, output_reader
from skill_evaluator.agents.command_template import filled
from skill_evaluator.file_names import shown
from skill_evaluator.model import AgentInfo, Arm, Case, Failure, FailureKind, Needs, Run, Skill
from skill_evaluator.sandbox import Call, Ended, Sandbox, child_environment, open_sandbox, run_child, sweep
from skill_evaluator.sandbox.environment import names_passed
from skill_evaluator.sandbox.installed import SKILL_FILE, changed_files, folder_name, hash_copy
from skill_evaluator.sandbox.workspace import FolderId, created_files, files_in, identity_of, look_at
from skill_evaluator.skill_names import is_target

_PROMPT_FILE = "prompt.txt"


class CommandAgent:
    """Starts the program anew for each run, in a folder of its own that is gone afterwards.

    Args:
        config: How it is called and read.
        skill: The skill under test.
        cases: What it will be asked.
        neighbours: Skills installed beside it.
        probe: The skill that the canary asks for, or None without a canary.
        model: The model to ask, or None for what the configuration says.
        timeout_s: Longest time of a session, or None for what the configuration says.

    Attributes:
        findings: What is wrong or doubtful about handing the cases over.
    """

    def __init__(  # noqa: PLR0913 - what one setup has, by name
        self,
        config: CommandConfig,
        skill: Skill,
        *,
        cases: Sequence[Case] = (),
        neighbours: Sequence[Skill] = (),
        probe: Skill | None = None,
        model: str | None = None,
        timeout_s: float | None = None,
    ) -> None:
        self._config = config
        self._skill = skill
        self._neighbours = tuple(neighbours)
        self._others = (*self._neighbours, *([probe] if probe else []))
        self._model = model or config.model
        self._timeout_s = timeout_s or config.timeout_s
        self._has_swept = False
        self.findings = (*prompt_faults(config, cases), *context_faults(cases))

    @property
    def info(self) -> AgentInfo:
        """How reports name this agent; of variables the names alone."""
        config = self._config
        settings: dict[str, object] = {
            "config": shown(config.path),
            "config_sha256": config.sha256,
            "argv": list(config.argv),
            "format": config.format,
            "timeout_s": self._timeout_s,
            "listing": "not checked" if config.reading.listed is None else "checked",
            "cost": "not reported" if config.reading.cost_usd is None else "reported",
            "environment": names_passed(config.env_from),
            "environment_added": sorted(config.env),
            "neighbours": [f"{skill.name}@{skill.sha256[:12]}" for skill in self._neighbours],
        }
        return AgentInfo(name="command", model=self._model, settings=settings)

    async def run(self, case: Case, arm: Arm, index: int) -> Run:
        """Call the program once; whatever it started is dead and its folder gone when this returns or is cancelled."""
        if not self._has_swept:
            self._has_swept = True
            sweep()
        skills = self._others if arm is Arm.WITHOUT else (self._skill, *self._others)
        try:
            with open_sandbox(skills=skills, skills_place=self._config.skills_dir, files=case.files) as folder:
                return await self._run_in(folder, skills, case, arm, index)
        except OSError as error:
            message = f"the folder of the run cannot be made: {_why(error)}"
            return _failed(case, arm, index, Failure(kind=FailureKind.CRASH, message=message))

    async def _run_in(self, folder: Sandbox, skills: Sequence[Skill], case: Case, arm: Arm, index: int) -> Run:
        values = self._values(folder, case.prompt)
        environment = self._environment(folder, values)
        program = self._program(environment["PATH"])
        if program is None:
            message = f"the program {self._config.argv[0]!r} was not found, or may not be executed"
            return _failed(case, arm, index, Failure(kind=FailureKind.AGENT_MISSING, message=message))
        call = Call(
            argv=[program, *(filled(part, values) for part in self._config.argv[1:])],
            environment=environment,
            folder=folder,
            timeout_s=self._timeout_s,
            stdin=case.prompt.encode(errors="replace") if self._config.stdin == "prompt" else None,
        )
        files = _skill_files(folder, skills)
        output = output_reader(self._config, files, str(folder.root), traced=case.needs.trace)
        before = hash_copy(self._skill, folder.skills)
        laid_out = files_in(folder.workspace) if case.needs.created_files else None
        made = identity_of(folder.workspace)
        try:
            ended = await run_child(call, feed=output.feed, has_started=lambda: output.has_started)
        except (OSError, ValueError) as error:
            message = f"the program cannot be started: {_why(error)}"
            return _failed(case, arm, index, Failure(kind=FailureKind.CRASH, message=message))
        output.close()
        changes = changed_files(before, hash_copy(self._skill, folder.skills))
        name = self._skill.name
        failure = failure_of(self._config, ended, output, timeout_s=self._timeout_s, root=str(folder.root))
        if failure is None and arm is Arm.WITH:
            failure = not_listed(self._config, output, name)
        run = _run(case, arm, index, output=output, ended=ended, failure=failure, name=name, changes=changes)
        if failure is not None:
            return run  # nobody grades it
        return _with_workspace(replace(run, trace=output.trace), case.needs, folder.workspace, laid_out, made)

    def _values(self, folder: Sandbox, prompt: str) -> dict[str, str]:
        prompt_file = folder.root / _PROMPT_FILE
        prompt_file.write_bytes(prompt.encode(errors="replace"))
        return {
            "prompt": prompt,
            "prompt_file": str(prompt_file),
            "skill_dir": str(folder.skills / folder_name(self._skill)),
            "skills_dir": str(folder.skills),
            "workspace": str(folder.workspace),
            "home": str(folder.home),
            "model": self._model or "",
            "config_dir": os.path.abspath(self._config.path.parent),  # noqa: PTH100 - no link is followed
        }

    def _environment(self, folder: Sandbox, values: dict[str, str]) -> dict[str, str]:
        added = {name: filled(value, values) for name, value in self._config.env.items()}
        return child_environment(folder, passed=self._config.env_from, added=added)

    def _program(self, path: str) -> str | None:
        """Find the program as a shell would; a path is relative to the configuration, since runs have other folders."""
        name = filled(self._config.argv[0], {"config_dir": str(self._config.path.parent)})
        if os.path.dirname(name):  # noqa: PTH120 - a name without a folder is looked for elsewhere
            name = os.path.abspath(self._config.path.parent / name)  # noqa: PTH100 - no link is followed
        return shutil.which(name, path=path)


def _skill_files(folder: Sandbox, skills: Sequence[Skill]) -> SkillFiles:
    names = {os.path.realpath(folder.skills / folder_name(skill) / SKILL_FILE): skill.name for skill in skills}
    return SkillFiles(names, workspace=folder.workspace, home=folder.home)


def _run(  # noqa: PLR0913 - everything a run is made of, by name
    case: Case,
    arm: Arm,
    index: int,
    *,
    output: Output,
    ended: Ended,
    failure: Failure | None,
    name: str,
    changes: tuple[str, ...],
) -> Run:
    return Run(
        case_id=case.id,
        arm=arm,
        index=index,
        triggered=None if failure else any(is_target(skill, name) for skill in output.skills_invoked),
        output=output.text,
        skills_invoked=output.skills_invoked,
        tool_calls=output.tool_calls,
        failure=failure,
        duration_s=ended.duration_s,
        usage=output.usage,
        skill_changes=changes,
        output_cut=output.is_cut,
    )


def _with_workspace(
    run: Run, needs: Needs, workspace: Path, laid_out: frozenset[str] | None, made: FolderId | None
) -> Run:
    """Add what graders look at in the workspace."""
    after = files_in(workspace, made=made) if needs.created_files else None
    return replace(
        run,
        created_files=created_files(laid_out, after),
        seen_files=look_at(workspace, needs.files, made=made),
    )


def _failed(case: Case, arm: Arm, index: int, failure: Failure) -> Run:
    return Run(case_id=case.id, arm=arm, index=index, failure=failure)


def _why(error: OSError | ValueError) -> str:
    """Give the system's words without the path, which differs from run to run."""
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
