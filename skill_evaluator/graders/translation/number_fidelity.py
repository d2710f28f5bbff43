"""Does a translation keep the value of every number, however its locale writes it?"""

from dataclasses import dataclass

from skill_evaluator.model import Outcome, Run


@dataclass(frozen=True, kw_only=True, slots=True)
class NumberFidelity:
    """Each number of the source is in the translation with the same value.

    Attributes:
        source: The text that was translated.
        source_locale: How it writes numbers.
        target_locale: How the translation writes them.
    """

    source: str
    source_locale: str
    target_locale: str

    def check(self, run: Run) -> Outcome:
        """Compare the numbers of source and translation."""
        raise NotImplementedError(run)
