"""The ids of items: each has one, and none stands twice."""

from dataclasses import dataclass, field
from typing import Final

from skill_evaluator.graders.translation.protocol.faults import Faults
from skill_evaluator.graders.translation.protocol.found import Name
from skill_evaluator.texts import tr

_LONGEST_NUMBER: Final = 9  # digits; a longer one counts nothing


@dataclass(slots=True)
class Names:
    """The ids of one response as they are found.

    Attributes:
        faults: Where an id that is missing, or stands twice, is noted.
        text: The response.
        unnamed: How many items have no id of their own.
    """

    faults: Faults
    text: str
    unnamed: int = 0
    _found: dict[Name, None] = field(default_factory=dict)

    def add(self, written: object, at: int) -> None:
        """Take the id of the item that stands at `at`."""
        name = as_name(written)
        if name is None:
            self.unnamed += 1
            self.faults.malformed(tr("An item has no id."), self.text, at)
        elif name in self._found:
            self.unnamed += 1
            self.faults.malformed(tr("The id {name!r} stands twice.", name=str(name)[:40]), self.text, at)
        else:
            self._found[name] = None

    @property
    def all(self) -> tuple[Name, ...]:
        """Every id, once, in order."""
        return tuple(self._found)


def as_name(written: object) -> Name | None:
    """Give an id as a number where it is one, as text otherwise; None for what is no id."""
    match written:
        case bool():
            return None
        case int():
            return written
        case str() if written.isascii() and written.isdigit() and len(written) <= _LONGEST_NUMBER:
            return int(written)
        case str() if written.strip():
            return written
        case _:
            return None
