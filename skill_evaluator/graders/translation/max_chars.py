"""Is a translation short enough?"""

from dataclasses import dataclass
from typing import Literal

from skill_evaluator.model import Outcome, Run

Unit = Literal["graphemes", "codepoints", "bytes"]


@dataclass(frozen=True, kw_only=True, slots=True)
class MaxChars:
    """The translation has at most so many characters.

    Attributes:
        limit: The most, >= 1.
        unit: What a character is.
    """

    limit: int
    unit: Unit = "graphemes"

    def check(self, run: Run) -> Outcome:
        """Count the characters."""
        raise NotImplementedError(run)
