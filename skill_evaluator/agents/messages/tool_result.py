"""What a tool gives back to the model, and what that says about skills."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolResult:
    """The answer to one tool call.

    Attributes:
        text: What the model reads.
        is_error: Whether the call could not be carried out.
        launched: Name of the skill that was started, as the model wrote it; else None.
        opened: Name of the skill whose SKILL.md was read; else None.
        following: A text that goes to the model after all results of the turn; else None.
    """

    text: str
    is_error: bool = False
    launched: str | None = None
    opened: str | None = None
    following: str | None = None


def refused(text: str) -> ToolResult:
    """Say what is wrong with a call."""
    return ToolResult(text=text, is_error=True)
