"""Grader `regex`: a JavaScript pattern over a text of the run."""

from dataclasses import dataclass

from skill_evaluator.graders.suite.targets import Target
from skill_evaluator.model import Outcome, Run


@dataclass(frozen=True, kw_only=True, slots=True)
class Regex:
    """A pattern is found in a text, is not, or is found so many times.

    Attributes:
        pattern: JavaScript regular expression; it may be one that does not compile.
        flags: Its flags, of `dgimsuvy`; they may be ones that no pattern can have together.
        match: `contains`, `not_contains` or `count:N`.
        target: The text.
    """

    pattern: str
    flags: str = ""
    match: str = "contains"
    target: Target = "last_message"

    def check(self, run: Run) -> Outcome:
        """Search the text."""
        raise NotImplementedError
