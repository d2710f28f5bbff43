"""What a comparison of two ICU messages gathers on its way through their branches."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from skill_evaluator.graders.translation.placeholders.difference import PlaceholderCode, PlaceholderFault


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """Differences, and what the texts leave open.

    Attributes:
        target_locale: Whose plural categories count.
        allow_reorder: Whether placeholders may change places.
        faults: In the order found.
        doubts: Clauses, one for each thing that the texts do not say.
    """

    target_locale: str
    allow_reorder: bool
    faults: list[PlaceholderFault] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)

    def fault(self, code: PlaceholderCode, message: str) -> None:
        """Note a difference."""
        self.faults.append(PlaceholderFault(code=code, message=message))

    def doubt(self, clause: str) -> None:
        """Note what the texts leave open, once."""
        if clause not in self.doubts and len(self.doubts) < _MOST_DOUBTS:
            self.doubts.append(clause)


def shown(text: str) -> str:
    """Write a piece of a message into a sentence, short and harmless to a terminal."""
    cut = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
    return cut if cut.isprintable() else ascii(cut)[1:-1]


def inside(path: Sequence[str]) -> str:
    """Say in which branch something is, as ` in one of {n, plural}`; nothing where it is in none."""
    return "".join(f" in {shown(step)}" for step in reversed(path))


_SHOWN = 80  # characters
_MOST_DOUBTS = 5  # each is looked for among those before it
