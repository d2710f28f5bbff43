"""How the room of a page is shared out among its cases: failed ones get most, and what one leaves goes to the next."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from skill_evaluator.report.page.case_runs import Detail

# From everything to the state of each run alone.
DETAILS = tuple(
    Detail(characters=characters, items=items)
    for characters, items in ((20_000, 200), (4_000, 100), (1_000, 30), (300, 10), (100, 5), (0, 3))
)
_WEIGHT_FAILED, _WEIGHT_OTHER = 8, 1
_SPARE = 5  # a card that takes less than one part in so many of its share lets the next be fuller


@dataclass(frozen=True, kw_only=True, slots=True)
class Fitted:
    """What fits.

    Attributes:
        items: In the order asked for, None where there was no room at all.
        levels: By item: the place in `DETAILS` of what was shown.
    """

    items: list[str | None] = field(default_factory=list)
    levels: list[int] = field(default_factory=list)


def fit(failed: Sequence[bool], make: Callable[[int, Detail], str], *, room: int) -> Fitted:
    """Make each item as full as its share of the room allows.

    Args:
        failed: Whether each item is of a failed case, in the order of their rank.
        make: Makes the item at a place; with less detail it is not longer.
        room: Bytes for all of them.
    """
    fitted, weights = Fitted(), [_WEIGHT_FAILED if one else _WEIGHT_OTHER for one in failed]
    left, to_share, last = room, sum(weights), {True: 0, False: 0}
    for place, weight in enumerate(weights):
        share = left * weight // to_share
        made, level = _fullest(place, make, share, last[failed[place]])
        size = 0 if made is None else len(made.encode())
        fitted.items.append(made)
        fitted.levels.append(level)
        last[failed[place]] = max(0, level - 1) if size * _SPARE < share else min(level, len(DETAILS) - 1)
        left, to_share = left - size, to_share - weight
    return fitted


def _fullest(place: int, make: Callable[[int, Detail], str], share: int, start: int) -> tuple[str | None, int]:
    """Try from `start` on, where the last item of its kind fitted, so that few are made in vain."""
    for level in range(start, len(DETAILS)):
        made = make(place, DETAILS[level])
        if len(made.encode()) <= share:
            return made, level
    return None, len(DETAILS)


def leading(items: Iterator[str], *, room: int) -> list[str]:
    """Take items as long as they fit."""
    taken: list[str] = []
    for item in items:
        room -= len(item.encode())
        if room < 0:
            break
        taken.append(item)
    return taken
