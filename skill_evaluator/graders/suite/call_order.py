"""Grader `tool_order`: one tool was called before another."""

from dataclasses import dataclass

from skill_evaluator.model import Outcome, Run


@dataclass(frozen=True, kw_only=True, slots=True)
class Selector:
    """Which calls are meant.

    Attributes:
        tool: Name of the tool, compared exactly.
        input_match: JavaScript pattern that the input of a call, as compact JSON, must match; or None.
    """

    tool: str
    input_match: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class CallOrder:
    """The first call that `before` means stands before the first one that `after` means."""

    before: Selector
    after: Selector

    def check(self, run: Run) -> Outcome:
        """Compare the places of the two calls."""
        raise NotImplementedError
