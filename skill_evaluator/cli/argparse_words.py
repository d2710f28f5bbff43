"""What argparse says of wrong words, in words of our own that can be said in another language."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from skill_evaluator.texts import Text, tr

# What argparse says of one argument, after its name. Other words, as those of a later Python, stay English.
_OF_ARGUMENT: Final[Sequence[tuple[str, Callable[..., Text]]]] = (
    (r"expected one argument", lambda: tr("expected one argument")),
    (r"expected at most one argument", lambda: tr("expected at most one argument")),
    (r"expected at least one argument", lambda: tr("expected at least one argument")),
    (r"expected (\d+) arguments?", lambda count: tr("expected {count} arguments", count=count)),
    (r"ignored explicit argument (.+)", lambda value: tr("ignored explicit argument {value}", value=value)),
    (r"not allowed with argument (.+)", lambda other: tr("not allowed with argument {other}", other=other)),
    (r"invalid int value: (.+)", lambda value: tr("invalid int value: {value}", value=value)),
    (r"invalid float value: (.+)", lambda value: tr("invalid float value: {value}", value=value)),
    (
        r"invalid choice: (.+) \(choose from (.+)\)",
        lambda value, known: tr("invalid choice: {value} (choose from {known})", value=value, known=known),
    ),
)
# What it says of the whole line.
_OF_LINE: Final[Sequence[tuple[str, Callable[..., Text]]]] = (
    (r"unrecognized arguments: (.+)", lambda words: tr("unrecognized arguments: {words}", words=words)),
    (
        r"the following arguments are required: (.+)",
        lambda names: tr("the following arguments are required: {names}", names=names),
    ),
    (
        r"ambiguous option: (.+) could match (.+)",
        lambda option, matches: tr("ambiguous option: {option} could match {matches}", option=option, matches=matches),
    ),
    (
        r"one of the arguments (.+) is required",
        lambda names: tr("one of the arguments {names} is required", names=names),
    ),
)


def of_argument(name: str | None, message: str) -> str:
    """Say what is wrong with an argument.

    Args:
        name: As it is typed; None where nobody knows.
        message: What argparse says, or what a type of our own says as a `Text`.
    """
    said = _known(message, _OF_ARGUMENT)
    return said if name is None else tr("argument {name}: {message}", name=name, message=said)


def of_line(message: str) -> str:
    """Say what is wrong with the whole line."""
    return _known(message, _OF_LINE)


def _known(message: str, patterns: Sequence[tuple[str, Callable[..., Text]]]) -> str:
    if isinstance(message, Text):
        return message
    for pattern, say in patterns:
        if found := re.fullmatch(pattern, message, re.DOTALL):
            said = say(*found.groups())
            return said if said == message else message
    return message
