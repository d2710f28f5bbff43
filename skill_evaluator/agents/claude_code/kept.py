"""What is kept of a run of Claude Code in an eval suite."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from skill_evaluator.agents.claude_code.ending import Ending
from skill_evaluator.agents.claude_code.output import SessionOutput
from skill_evaluator.model import Arm, Case, MockCall, Run, Usage
from skill_evaluator.sandbox.workspace import created_files, files_in, identity_of, look_at
from skill_evaluator.skill_names import plain_name


@dataclass(frozen=True, kw_only=True, slots=True)
class RunName:
    """Which run it is."""

    case: Case
    arm: Arm
    index: int

    def blank(self) -> Run:
        """A run of which nothing is known; it has no output, which is not the same as none being looked for."""
        return Run(case_id=self.case.id, arm=self.arm, index=self.index, output="")


class Workspace:
    """The working folder of a run as graders look at it.

    Args:
        folder: As it is before the agent starts.
        case: Whose graders look at it.
    """

    def __init__(self, folder: Path, case: Case) -> None:
        self._folder = folder
        self._needs = case.needs
        self._before = files_in(folder) if case.needs.created_files else None
        self._made = identity_of(folder)

    def seen_in(self, run: Run) -> Run:
        """Add what stands in it now."""
        after = files_in(self._folder, made=self._made) if self._needs.created_files else None
        return replace(
            run,
            created_files=created_files(self._before, after),
            seen_files=look_at(self._folder, self._needs.files, made=self._made),
        )


def run_of(name: RunName, output: SessionOutput, ending: Ending, calls: Sequence[MockCall] | None) -> Run:
    """Make the run of what its session printed; without what stands in the workspace."""
    session = output.session
    failed = ending.failure is not None
    return replace(
        name.blank(),
        triggered=None if failed else _has_triggered(output),
        output=session.last_words,  # as the real program has it: what it says of an error ends a session too
        skills_invoked=tuple(session.skills_invoked()),
        tool_calls=session.tool_calls(),
        failure=ending.failure,
        cut_by=ending.cut_by,
        duration_s=session.result.duration_s,
        usage=session.result.usage or _no_usage(output),
        trace=output.trace,
        mock_calls=None if calls is None else tuple(calls),
    )


def plugin_skills(output: SessionOutput) -> frozenset[str]:
    """Names of the skills of loaded plugins, as they are listed to the model."""
    figures = output.figures
    return frozenset(name for name in figures.skills or () if name.partition(":")[0] in figures.plugins and ":" in name)


def _has_triggered(output: SessionOutput) -> bool:
    """Whether a skill of a plugin that was loaded was invoked, by its full name or by its own."""
    listed = plugin_skills(output)
    names = listed | {plain_name(one) for one in listed}
    return any(one in names for one in output.session.skills_invoked())


def _no_usage(output: SessionOutput) -> Usage | None:
    """Of a session that was killed, no more is known than how many answers came."""
    return Usage(requests=output.figures.turns) if output.figures.turns else None
