"""The placeholders of an ICU message: a tree of arguments and branches; the text around them is not kept."""

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, TypeAlias

ChoiceType = Literal["plural", "selectordinal", "select"]


class Argument(NamedTuple):
    """A place that a program fills. Named tuples, since tens of thousands are made a second.

    Attributes:
        name: Of the argument, or its number as text.
        type: Such as `number`; empty where it has none.
        style: Of the type, with a skeleton's `::`, without outer space; empty where it has none.
    """

    name: str
    type: str = ""
    style: str = ""


class Choice(NamedTuple):
    """An argument whose value chooses one of several texts.

    Attributes:
        name: Of the argument.
        type: What chooses.
        offset: What is taken off the number first, as written; empty where nothing is.
        branches: Selectors (`one`, `=0`, `female`) and what their texts hold, in the order written. There is one of
            the name `other`, and no two of one name.
    """

    name: str
    type: ChoiceType
    offset: str
    branches: "dict[str, Message]"


Part: TypeAlias = Argument | Choice
Message: TypeAlias = tuple[Part, ...]

POUND: Final = Argument("#")  # no argument can be called so: the character is syntax


def written(part: Part) -> str:
    """Write a placeholder as ICU does, with nothing but placeholders in its branches."""
    if isinstance(part, Argument):
        return head_of(part)
    branches = " ".join(f"{key} {{{skeleton(message)}}}" for key, message in part.branches.items())
    return f"{head_of(part)[:-1]}{' ' if part.offset else ', '}{branches}}}"


def skeleton(message: Message) -> str:
    """Write the placeholders of a message without its text."""
    return " ".join(map(written, message))


def head_of(part: Part) -> str:
    """Write a placeholder without its branches: what makes it the same one in two messages."""
    if part is POUND:
        return "#"
    if isinstance(part, Choice):
        offset = f", offset:{part.offset}" if part.offset else ""
        return f"{{{part.name}, {part.type}{offset}}}"
    return "{" + ", ".join(filter(None, part)) + "}"


def all_parts(message: Message) -> Iterator[Part]:
    """Give every placeholder, those of branches too, in any order."""
    waiting = list(reversed(message))
    while waiting:
        part = waiting.pop()
        yield part
        if isinstance(part, Choice):
            waiting.extend(one for branch in part.branches.values() for one in branch)
