"""What a response holds, once it was read in one way of writing items."""

from dataclasses import dataclass, field
from typing import Literal

from skill_evaluator.graders.translation.protocol.ending import Ending
from skill_evaluator.graders.translation.protocol.faults import Faults

Written = Literal["json", "tagged", "numbered", "lines"]
Name = int | str


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """The items of one response.

    Attributes:
        written: How items are written.
        count: Items, those that are malformed as well; where `is_count_known` is False, those before the break.
        names: Their ids or numbers, each once, in order; empty where they have none.
        unnamed: Items without a name of their own where others have one.
        ending: What ends the response.
        faults: Items that are malformed.
        is_count_known: False where the response breaks so that nobody can say how many items follow.
        is_numbered: Whether the names count the items, so that a gap among them is a missing item.
        may_be_empty: Whether no item at all is well formed.
    """

    written: Written
    count: int
    ending: Ending
    names: tuple[Name, ...] = ()
    unnamed: int = 0
    faults: Faults = field(default_factory=Faults)
    is_count_known: bool = True
    is_numbered: bool = False
    may_be_empty: bool = False
