"""Does a translation hold every text that it must?"""

from dataclasses import dataclass

from skill_evaluator.model import Outcome, Run


@dataclass(frozen=True, kw_only=True, slots=True)
class RequiredTokens:
    """Each token is in the translation, as often as it is named.

    Attributes:
        tokens: Literal texts; never empty.
    """

    tokens: tuple[str, ...]

    def check(self, run: Run) -> Outcome:
        """Count the tokens in the translation."""
        raise NotImplementedError(run)
