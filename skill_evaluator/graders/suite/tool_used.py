"""Grader `tool_used`: how often a tool was called."""

from dataclasses import dataclass

from skill_evaluator.model import Outcome, Run


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolUsed:
    """A tool was called at least `min` and at most `max` times; failed and denied calls count too.

    Attributes:
        tool: Its name, compared exactly.
        input_match: JavaScript pattern that the input of a call, as compact JSON, must match to count; or None.
        min: Fewest calls, 1 where it is None: `max: 0` alone can never pass.
        max: Most calls, or None for any number.
    """

    tool: str
    input_match: str | None = None
    min: int | None = None
    max: int | None = None

    def check(self, run: Run) -> Outcome:
        """Count the calls."""
        raise NotImplementedError
