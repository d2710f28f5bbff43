"""Does a translation keep every placeholder, as often as it is there?"""

from dataclasses import dataclass
from typing import Literal

from skill_evaluator.model import Outcome, Run

Syntax = Literal["auto", "printf", "python", "icu", "custom"]


@dataclass(frozen=True, kw_only=True, slots=True)
class PlaceholderIntegrity:
    """Each placeholder of the source is in the translation as often, and no other.

    Attributes:
        source: The text that was translated.
        target_locale: Of the translation; decides which plural categories there are.
        syntax: How placeholders are written.
        allow_reorder: Whether they may stand in another order, where the syntax allows it.
        pattern: What a placeholder is, exactly where `syntax` is `custom`.
    """

    source: str
    target_locale: str
    syntax: Syntax = "auto"
    allow_reorder: bool = True
    pattern: str | None = None

    def check(self, run: Run) -> Outcome:
        """Compare the placeholders of source and translation."""
        raise NotImplementedError(run)
