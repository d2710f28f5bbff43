"""Whole sentences in branches: a placeholder that stood beside a choice may stand in each of its branches instead."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from skill_evaluator.graders.translation.placeholders.icu_message import Argument, Choice, Message, Part, head_of

_MOST: Final = 16  # placeholders that are looked for; a translation that moved more is another text


def lifted(source: Message, target: Message) -> Message:
    """Write a translation as if such placeholders had stayed beside the choice.

    Args:
        source: A message, or the text of a branch.
        target: What it became.

    Returns:
        The translation. What is missing beside a choice and stands in each of its branches, but in no branch of the
        source's, stands beside it.
    """
    if not any(isinstance(part, Choice) for part in target):
        return target
    missing = Counter(_arguments(source))
    missing.subtract(_arguments(target))
    wanted = list(islice(missing.elements(), _MOST + 1))
    if not wanted or len(wanted) > _MOST:
        return target
    held = _held_in_branches(source)
    return tuple(one for part in target for one in _lift(part, wanted, held))


def _held_in_branches(message: Message) -> dict[str, set[Part]]:
    """List what the branches of each choice hold."""
    held: dict[str, set[Part]] = {}
    for part in message:
        if isinstance(part, Choice):
            inside = held.setdefault(head_of(part), set())
            inside.update(one for branch in part.branches.values() for one in branch if isinstance(one, Argument))
    return held


def _lift(part: Part, wanted: list[Argument], held: dict[str, set[Part]]) -> Iterator[Part]:
    """Give what is found, taken off the list of what is wanted, and then the rest of the choice."""
    if isinstance(part, Choice) and (in_source := held.get(head_of(part))) is not None:
        for argument in tuple(wanted):
            if argument not in in_source and all(argument in branch for branch in part.branches.values()):
                wanted.remove(argument)
                part = part._replace(
                    branches={key: _without(branch, argument) for key, branch in part.branches.items()}
                )
                yield argument
    yield part


def _without(branch: Message, argument: Argument) -> Message:
    at = branch.index(argument)
    return branch[:at] + branch[at + 1 :]


def _arguments(message: Message) -> Iterable[Argument]:
    return (part for part in message if isinstance(part, Argument))
