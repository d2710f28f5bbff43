"""What a program's standard output says, whichever of the three formats it has."""

from typing import Protocol

from skill_evaluator.agents.command_config import CommandConfig
from skill_evaluator.agents.command_events import JsonLinesOutput, JsonOutput
from skill_evaluator.agents.command_opened import SkillFiles
from skill_evaluator.agents.command_plain import TextOutput
from skill_evaluator.agents.command_session import CommandSession
from skill_evaluator.agents.trace import Trace
from skill_evaluator.model import ToolCall, Usage


class Output(Protocol):
    """What a program's output says, once all of it was fed."""

    @property
    def has_started(self) -> bool:
        """Whether the session has started, as far as was read."""
        ...

    def feed(self, chunk: bytes) -> None:
        """Take in the next bytes."""
        ...

    def close(self) -> None:
        """Take in what stood after the last line feed."""
        ...

    @property
    def fault(self) -> str | None:
        """Why nothing can be told from it, or None."""
        ...

    @property
    def error(self) -> str | None:
        """What the program itself says ended it, or None."""
        ...

    @property
    def listed(self) -> frozenset[str] | None:
        """Names of the skills offered to the model, or None where it does not say."""
        ...

    @property
    def text(self) -> str | None:
        """The final text."""
        ...

    @property
    def is_cut(self) -> bool:
        """Whether the final text lost its middle."""
        ...

    @property
    def skills_invoked(self) -> tuple[str, ...]:
        """In order, under the names that the program uses."""
        ...

    @property
    def tool_calls(self) -> tuple[ToolCall, ...] | None:
        """In order, or None where they are not told."""
        ...

    @property
    def usage(self) -> Usage | None:
        """As reported, or None."""
        ...

    @property
    def trace(self) -> tuple[str, ...] | None:
        """Its lines as printed where they are Claude Code's stream-json and were asked for, or None."""
        ...


def output_reader(config: CommandConfig, files: SkillFiles, root: str, *, traced: bool = False) -> Output:
    """Make the reader for a program's format.

    Args:
        config: How the output is read.
        files: The SKILL.md files of the run.
        root: The run's folder.
        traced: Whether the lines are kept.
    """
    if config.format == "text":
        return TextOutput(config, root)
    session = CommandSession(config.reading, files, root)
    return JsonOutput(session) if config.format == "json" else JsonLinesOutput(session, Trace(root) if traced else None)
