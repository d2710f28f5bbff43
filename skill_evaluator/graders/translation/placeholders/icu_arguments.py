"""Compares the placeholders of one message, or of one branch, whatever their own branches hold."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from skill_evaluator.graders.translation.outcomes import times
from skill_evaluator.graders.translation.placeholders.icu_found import Found, inside, shown
from skill_evaluator.graders.translation.placeholders.icu_message import Message, head_of


def compare_arguments(source: Message, target: Message, path: Sequence[str], found: Found) -> None:
    """Note which placeholders are gone, changed, new, too many or too few, or in another order."""
    expected, actual = [head_of(part) for part in source], [head_of(part) for part in target]
    if expected == actual:
        return
    wanted, given = Counter(expected), Counter(actual)
    if wanted != given:
        _compare_counts(wanted, given, path, found)
    elif not found.allow_reorder:
        order = f"{shown(' '.join(actual))} for {shown(' '.join(expected))}"
        found.fault("placeholder_reordered", f"The order of placeholders changed{inside(path)}: {order}.")


def _compare_counts(wanted: Counter[str], given: Counter[str], path: Sequence[str], found: Found) -> None:
    """Pair what is gone with what came in its place: the same argument, else the same kind of a new name."""
    gone, new = _without(wanted, given), _without(given, wanted)
    for same in (_name, _kind):
        for before, after in _pairs(gone, new, same):
            found.fault("placeholder_mutated", f"{shown(before)} has become {shown(after)}{inside(path)}.")
    for head in gone:
        found.fault("placeholder_missing", f"Expected placeholder {shown(head)} is missing{inside(path)}.")
    for head in new:
        found.fault("placeholder_extra", f"{shown(head)} is a placeholder that the source does not have{inside(path)}.")
    for head, number in wanted.items():
        if given[head] not in {0, number}:
            message = (
                f"{shown(head)} stands {times(given[head])} where the source has it {times(number)}{inside(path)}."
            )
            found.fault("placeholder_count_mismatch", message)


def _without(heads: Iterable[str], others: Counter[str]) -> dict[str, None]:
    return dict.fromkeys(head for head in heads if head not in others)


def _pairs(gone: dict[str, None], new: dict[str, None], same: Callable[[str], str]) -> list[tuple[str, str]]:
    """Take out of both what belongs together."""
    waiting: dict[str, list[str]] = {}
    for head in reversed(new):
        waiting.setdefault(same(head), []).append(head)
    pairs = [(head, waiting[same(head)].pop()) for head in gone if waiting.get(same(head))]
    for before, after in pairs:
        del gone[before], new[after]
    return pairs


def _name(head: str) -> str:
    return head.strip("{}").split(",", 1)[0]


def _kind(head: str) -> str:
    return head.strip("{}").partition(",")[2]
