"""Does a response have all its items, in one piece, whatever they say?"""

from dataclasses import dataclass
from typing import Literal

from skill_evaluator.model import Outcome, Run

Format = Literal["auto", "json", "tagged", "numbered", "lines"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ProtocolComplete:
    """The raw response is whole.

    Attributes:
        expected_items: How many items it has, or None where that is not checked.
        terminator: A literal text that ends it, or None.
        allow_extra_items: Whether more items are fine.
        format: How items are written.
    """

    expected_items: int | None = None
    terminator: str | None = None
    allow_extra_items: bool = False
    format: Format = "auto"

    def check(self, run: Run) -> Outcome:
        """Look at the raw response."""
        raise NotImplementedError(run)
