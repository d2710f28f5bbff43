"""Does a translation hold a wording that it must not?"""

from dataclasses import dataclass

from skill_evaluator.model import Outcome, Run


@dataclass(frozen=True, kw_only=True, slots=True)
class Rendering:
    """One wording: a literal text, or a regular expression."""

    text: str
    is_pattern: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class ForbiddenRenderings:
    """None of the renderings is in the translation.

    Attributes:
        renderings: Never empty.
    """

    renderings: tuple[Rendering, ...]

    def check(self, run: Run) -> Outcome:
        """Look for each rendering."""
        raise NotImplementedError(run)
