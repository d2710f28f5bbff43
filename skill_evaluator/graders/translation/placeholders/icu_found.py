"""What a comparison of two ICU messages gathers on its way through their branches."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from skill_evaluator.graders.translation.placeholders.difference import PlaceholderCode, PlaceholderFault
from skill_evaluator.texts import Text, tr

_MOST_STEPS: Final = 2_000_000  # a few seconds; thousands of branches times a long `other` would be hours
_MOST_FAULTS: Final = 1_000
_MOST_DOUBTS: Final = 5  # each is looked for among those before it
_SHOWN: Final = 80  # characters


class Step(NamedTuple):
    """A branch on the way into a message: its name, and the head of the choice that it belongs to."""

    key: str
    head: str


@dataclass(kw_only=True, slots=True)
class Found:
    """Differences, and what the texts leave open; it grows on the way.

    Attributes:
        target_locale: Whose plural categories count.
        allow_reorder: Whether placeholders may change places.
        faults: In the order found.
        doubts: Clauses, one for each thing that the texts do not say.
        steps: How many placeholders were looked at, those of `other` again for each branch that is compared with them.
    """

    target_locale: str
    allow_reorder: bool
    faults: list[PlaceholderFault] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    steps: int = 0

    def fault(self, code: PlaceholderCode, message: str) -> None:
        """Note a difference, of which nobody reads a thousand."""
        if len(self.faults) < _MOST_FAULTS:
            self.faults.append(PlaceholderFault(code=code, message=message))

    def doubt(self, clause: str) -> None:
        """Note what the texts leave open, once."""
        if clause not in self.doubts and len(self.doubts) < _MOST_DOUBTS:
            self.doubts.append(clause)

    def goes_on(self, placeholders: int) -> bool:
        """Say whether so many more are to be looked at; after too many the rest is left open."""
        self.steps += placeholders
        if self.steps > _MOST_STEPS:
            self.doubt(tr("the messages have too many branches to be compared whole"))
        return self.steps <= _MOST_STEPS


def shown(text: str, most: int = _SHOWN) -> str:
    """Write a piece of a message into a sentence, short and harmless to a terminal."""
    cut = text if len(text) <= most else f"{text[:most]}..."
    return cut if cut.isprintable() else ascii(cut)[1:-1]


def inside(said: str, path: Sequence[Step]) -> str:
    """Add in which branch something is, as `... in one of {n, plural}`; nothing where it is in none."""
    for step in reversed(path):
        said = tr("{said} in {branch}", said=said, branch=_worded(step))
    return said


def _worded(step: Step) -> Text:
    branch = tr("the branch `{key}` of {choice}", key=shown(step.key), choice=shown(step.head))
    return Text(shown(branch), branch.template, branch.values)
