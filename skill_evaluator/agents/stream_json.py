"""Reads what a session of Claude Code printed with `--output-format stream-json`.

The whole stream is read before anything is decided: a sibling or another tool may come first, lines may be broken,
and an error may follow a skill that had fired.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from skill_evaluator.agents.stream_session import StreamSession
from skill_evaluator.agents.trace import stream_trace
from skill_evaluator.model import Arm, Failure, Run, ToolCall, Usage


@dataclass(frozen=True, kw_only=True, slots=True)
class Transcript:
    """One session, as `Run` counts it.

    Attributes:
        model: The model that the session names, or None.
        triggered: Whether the skill was invoked or its SKILL.md was opened; None after a failure.
        output: The last text block of the main agent, "" without any.
        skills_invoked: By the main agent and its subagents, in order.
        tool_calls: Likewise, the calls of the `Skill` tool included.
        failure: Why the session says nothing about the skill, or None.
        duration_s: As the session reports it, or None.
        usage: As the session reports it, subagents included, or None.
        trace: Its lines, or None where they were not asked for.
    """

    model: str | None
    triggered: bool | None
    output: str
    skills_invoked: tuple[str, ...]
    tool_calls: tuple[ToolCall, ...]
    failure: Failure | None
    duration_s: float | None
    usage: Usage | None
    trace: tuple[str, ...] | None = None

    def as_run(self, *, case_id: str, arm: Arm, index: int) -> Run:
        """Say which case, arm and repetition the session was."""
        return Run(
            case_id=case_id,
            arm=arm,
            index=index,
            triggered=self.triggered,
            output=self.output,
            skills_invoked=self.skills_invoked,
            tool_calls=self.tool_calls,
            failure=self.failure,
            duration_s=self.duration_s,
            usage=self.usage,
            trace=self.trace,
        )


def read_stream(text_lines: Sequence[str], *, skill_name: str, traced: bool = False) -> Transcript:
    """Read a session to its end, then decide.

    Lines that are not JSON are passed over; a session without its closing `result` line is a failure, since nobody
    knows what it would have done next. One that ended at its turn limit is no failure: it did what it did.

    Args:
        text_lines: The lines, in order; with or without line ends.
        skill_name: Name of the skill under test.
        traced: Whether the lines are kept.

    Source:
        Sessions recorded with Claude Code 2.1.332.
    """
    session = StreamSession()
    for line in text_lines:
        session.read(line)
    failure = session.failure(skill_name)
    return Transcript(
        model=session.model,
        triggered=None if failure else session.triggered(skill_name),
        output=session.output,
        skills_invoked=tuple(session.skills_invoked()),
        tool_calls=session.tool_calls(),
        failure=failure,
        duration_s=session.result.duration_s,
        usage=session.result.usage,
        trace=stream_trace(text_lines) if traced else None,
    )
