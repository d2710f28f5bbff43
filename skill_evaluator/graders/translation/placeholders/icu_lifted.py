"""Whole sentences in branches: a placeholder beside a choice shows what one in each of its branches shows."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from skill_evaluator.graders.translation.placeholders.icu_message import (
    POUND,
    Argument,
    Choice,
    Message,
    Part,
    head_of,
)

_MOST: Final = 16  # placeholders that are looked for; a translation that moved more is another text


def lifted(wanted_by: Message, message: Message) -> Message:
    """Write a message as if such placeholders stood beside the choice.

    Args:
        wanted_by: The other message of the two that are compared, or the text of a branch.
        message: The one that is written, source or translation.

    Returns:
        The message. What the other has beside a choice, and this one in each of its branches, but the other in no
        branch of the same choice, stands beside it.
    """
    if not any(isinstance(part, Choice) for part in message):
        return message
    missing = Counter(_arguments(wanted_by))
    missing.subtract(_arguments(message))
    wanted = list(islice(missing.elements(), _MOST + 1))
    if not wanted or len(wanted) > _MOST:
        return message
    held = _held_in_branches(wanted_by)
    return tuple(one for part in message for one in _lift(part, wanted, held))


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
    if isinstance(part, Choice) and (in_other := held.get(head_of(part))) is not None:
        for argument in tuple(wanted):
            if argument is POUND and part.type != "select":  # in a plural it is the plural's own number
                continue
            if argument not in in_other and all(argument in branch for branch in part.branches.values()):
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
