"""Compares the placeholders of one message, or of one branch, whatever their own branches hold."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from skill_evaluator.graders.translation.outcomes import times
from skill_evaluator.graders.translation.placeholders.icu_found import Found, Step, inside, shown
from skill_evaluator.graders.translation.placeholders.icu_message import Message, head_of
from skill_evaluator.texts import tr


def compare_arguments(source: Message, target: Message, path: Sequence[Step], found: Found) -> None:
    """Note which placeholders are gone, changed, new, too many or too few, or in another order."""
    expected, actual = [head_of(part) for part in source], [head_of(part) for part in target]
    if expected == actual:
        return
    wanted, given = Counter(expected), Counter(actual)
    if wanted != given:
        _compare_counts(wanted, given, path, found)
    elif not found.allow_reorder:
        message = tr(
            "{changed}: {actual} for {expected}.",
            changed=inside(tr("The order of placeholders changed"), path),
            actual=shown(" ".join(actual)),
            expected=shown(" ".join(expected)),
        )
        found.fault("placeholder_reordered", message)


def _compare_counts(wanted: Counter[str], given: Counter[str], path: Sequence[Step], found: Found) -> None:
    """Pair what is gone with what came in its place: the same argument, else the same kind of a new name."""
    gone, new = _without(wanted, given), _without(given, wanted)
    for same in (_name, _kind):
        for before, after in _pairs(gone, new, same):
            become = tr("{before} has become {after}", before=shown(before), after=shown(after))
            found.fault("placeholder_mutated", _sentence(become, path))
    for head in gone:
        missing = tr("Expected placeholder {placeholder} is missing", placeholder=shown(head))
        found.fault("placeholder_missing", _sentence(missing, path))
    for head in new:
        extra = tr("{placeholder} is a placeholder that the source does not have", placeholder=shown(head))
        found.fault("placeholder_extra", _sentence(extra, path))
    for head, number in wanted.items():
        if given[head] not in {0, number}:
            message = tr(
                "{placeholder} stands {now} where the source has it {before}",
                placeholder=shown(head),
                now=times(given[head]),
                before=times(number),
            )
            found.fault("placeholder_count_mismatch", _sentence(message, path))


def _sentence(said: str, path: Sequence[Step]) -> str:
    return tr("{said}.", said=inside(said, path))


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
