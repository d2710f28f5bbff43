"""Compares two messages branch by branch: each keeps the placeholders of the one that it was made from."""

from collections.abc import Sequence

from skill_evaluator.graders.translation.placeholders.icu_arguments import compare_arguments
from skill_evaluator.graders.translation.placeholders.icu_found import Found, Step
from skill_evaluator.graders.translation.placeholders.icu_lifted import lifted
from skill_evaluator.graders.translation.placeholders.icu_message import Choice, Message, head_of
from skill_evaluator.graders.translation.placeholders.icu_numbers import texts_of
from skill_evaluator.graders.translation.placeholders.icu_plurals import OTHER
from skill_evaluator.graders.translation.placeholders.icu_selectors import compare_selectors, is_shown


def compare_messages(source: Message, target: Message, path: Sequence[Step], found: Found) -> None:
    """Note what a translation did to the placeholders of a message, and to those of its branches.

    Args:
        source: A message, or the text of a branch.
        target: What it became.
        path: The branches that both are in, the outermost first.
        found: Where differences go.
    """
    if not found.goes_on(len(source) + len(target)):
        return
    if source == target and not any(isinstance(part, Choice) for part in target):
        return
    if found.allow_reorder:
        source, target = lifted(target, source), lifted(source, target)
    compare_arguments(source, target, path, found)
    theirs = _by_head(target)
    for head, ours in _by_head(source).items():
        for before, after in _paired(ours, theirs.get(head, []), found):
            compare_selectors(before, after, path, found)
            for key in after.branches:
                _compare_branch(
                    before,
                    after,
                    key,
                    (*path, Step(key, head)),
                    found,
                )


def _compare_branch(source: Choice, target: Choice, key: str, path: Sequence[Step], found: Found) -> None:
    """Compare the texts of one branch, if it is one that can be shown."""
    if source.type == "select":
        if key in source.branches:
            compare_messages(source.branches[key], target.branches[key], path, found)
    elif is_shown(key, target, found) and found.goes_on(len(source.branches[OTHER])):
        compare_messages(*texts_of(source, target, key, path, found), path, found)


def _by_head(message: Message) -> dict[str, list[Choice]]:
    choices: dict[str, list[Choice]] = {}
    for part in message:
        if isinstance(part, Choice):
            choices.setdefault(head_of(part), []).append(part)
    return choices


def _paired(ours: list[Choice], theirs: list[Choice], found: Found) -> list[tuple[Choice, Choice]]:
    """Pair choices of one argument: those first whose `other` holds the same, if they may change places."""
    if len(ours) == 1 or not found.allow_reorder:
        return list(zip(ours, theirs, strict=False))
    waiting: dict[str, list[Choice]] = {}
    for after in reversed(theirs):
        waiting.setdefault(_likeness(after), []).append(after)
    alike = [(before, waiting[_likeness(before)].pop()) for before in ours if waiting.get(_likeness(before))]
    taken = {id(choice) for pair in alike for choice in pair}
    left = ([one for one in some if id(one) not in taken] for some in (ours, theirs))
    return [*alike, *zip(*left, strict=False)]


def _likeness(choice: Choice) -> str:
    return " ".join(sorted(map(head_of, choice.branches[OTHER])))
