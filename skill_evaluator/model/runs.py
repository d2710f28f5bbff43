"""What an agent did with one case once."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from skill_evaluator.model.words import LEFT_OUT, OUTPUT_GAP, Arm, CutBy, FailureKind, JsonObject


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolCall:
    """One tool call of the agent, in the order made.

    Attributes:
        name: Its tool.
        arguments: What the tool was given, long texts without their middle; None where it was not recorded.
        result: What it gave back, likewise; None where it was not recorded.
    """

    name: str
    arguments: JsonObject | None = field(default_factory=dict)
    result: str | None = None

    @property
    def has_whole_input(self) -> bool:
        """Whether `arguments` are all that the tool was given, with nothing left out."""
        return self.arguments is not None and not _lacks_parts(self.arguments)


@dataclass(frozen=True, kw_only=True, slots=True)
class Usage:
    """Tokens and money of one run; None where the agent does not report them, never 0.

    Attributes:
        input_tokens: All that were read, those out of a prompt cache counted.
        output_tokens: All that were written.
        cost_usd: Dollars.
        requests: Requests to the model that were answered; retries are not counted.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    requests: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Failure:
    """Why a run is an error: the kind, and the agent's own words."""

    kind: FailureKind
    message: str


@dataclass(frozen=True, kw_only=True, slots=True)
class MockCall:
    """One call of a tool that a stand-in answered.

    Attributes:
        tool: Its full name, such as `mcp__plugin_demo_tracker__create_issue`.
        arguments: What the model gave it.
        output: What it was answered.
        is_error: Whether the answer was a tool error.
        verdict: `ok`, `tool_error`, or why the stand-in ended the run.
    """

    tool: str
    arguments: JsonObject
    output: str
    is_error: bool = False
    verdict: str = "ok"


SeenState = Literal["file", "missing", "not_a_file", "outside", "unreadable", "too_large"]


@dataclass(frozen=True, kw_only=True, slots=True)
class SeenFile:
    """One file of the workspace after the run, kept since a grader looks at it.

    Attributes:
        state: `file` where it was there and could be kept.
        base64: Its bytes, exactly where `state` is `file`.
    """

    state: SeenState
    base64: str | None = None

    def __post_init__(self) -> None:
        if (self.state == "file") != (self.base64 is not None):
            raise ValueError(f"a file in state {self.state!r} {'has no' if self.base64 is None else 'has'} content")

    @classmethod
    def of(cls, content: bytes) -> "SeenFile":
        """Keep the bytes of a file."""
        return cls(state="file", base64=base64.b64encode(content).decode())

    @property
    def content(self) -> bytes | None:
        """Its bytes, or None where there are none."""
        return None if self.base64 is None else base64.b64decode(self.base64)


def _lacks_parts(value: object) -> bool:
    """Whether a mark stands in a JSON value where something was too long, or too deep, to keep."""
    match value:
        case str():
            return LEFT_OUT.search(value) is not None
        case Mapping():
            return any(map(_lacks_parts, value.values()))
        case list() | tuple():
            return any(map(_lacks_parts, value))
        case _:
            return False


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """What one agent did with one case once.

    Attributes:
        case_id: The case that was asked.
        arm: With or without the skill.
        index: Repetition, 0-based.
        triggered: Whether the target skill fired; None after a failure or where it was not recorded.
        output: The final text, or None where the agent makes none.
        raw_response: Whatever the agent said beyond `output`, or None.
        skills_invoked: All skills invoked, in order, under the names the agent used.
        tool_calls: All tool calls in order, or None where the agent calls no tools.
        failure: Set exactly when the run is an error.
        duration_s: Seconds from the start of the session, or None where time means nothing.
        usage: Tokens and cost, or None.
        skill_changes: Files of its copy of the skill that the agent changed, relative to the skill's folder, sorted.
        output_cut: Whether `output` is not whole: its middle was too long to keep, or its end was never written.
        cut_by: What ended the run before the agent came to its own end, or None.
        trace: The session as JSON, one message a line, or None where it was not kept: no grader looks at it, or the
            agent has none.
        created_files: Paths of files that are new in the workspace, relative, POSIX style, sorted; None where it was
            not looked. Files that were there before the agent started are no new ones, even if it changed them.
        seen_files: Files of the workspace that graders look at, by the path that the grader names.
        mock_calls: Calls that stand-ins answered, in order; None where no stand-in was active.
    """

    case_id: str
    arm: Arm = Arm.WITH
    index: int = 0
    triggered: bool | None = None
    output: str | None = None
    raw_response: str | None = None
    skills_invoked: tuple[str, ...] = ()
    tool_calls: tuple[ToolCall, ...] | None = None
    failure: Failure | None = None
    duration_s: float | None = None
    usage: Usage | None = None
    skill_changes: tuple[str, ...] = ()
    output_cut: bool = False
    cut_by: CutBy | None = None
    trace: tuple[str, ...] | None = None
    created_files: tuple[str, ...] | None = None
    seen_files: Mapping[str, SeenFile] = field(default_factory=dict)
    mock_calls: tuple[MockCall, ...] | None = None

    def __post_init__(self) -> None:
        if self.failure is not None and self.triggered is not None:
            raise ValueError(f"run {self.index} of {self.case_id!r} failed, so it cannot say whether it triggered")

    @property
    def was_settled(self) -> bool:
        """Whether nothing more was asked once the skill had fired, so that output and tool calls lack their end."""
        return self.output_cut and self.cut_by is None and OUTPUT_GAP not in (self.output or "")
