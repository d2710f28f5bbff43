"""A placeholder of a text, and all placeholders of one text in one syntax."""

from typing import Final, NamedTuple

from skill_evaluator.graders.evidence import cut_middle

_SHOWN: Final = 120  # characters; a sentence has to stay one


class Placeholder(NamedTuple):
    """One place in a text that a program fills.

    A named tuple, since tens of thousands a second are made.

    Attributes:
        text: As written.
        at: Where it starts, in characters.
        name: Which argument it takes: a name, or its number, counted too where the syntax leaves the number out.
        kind: How the argument is written: all else that belongs to its identity, in one spelling. Arguments that it
            takes for its width and such are in it by name or number.
        plain: The same without those numbers that the syntax left out.
        takes_next: Whether it takes the next argument, whichever that is, so that its place decides what it shows.
        is_sure: False where the same characters are met in ordinary prose, as `% s` in "100% sure".
    """

    text: str
    at: int
    name: str
    kind: str
    plain: str
    takes_next: bool = False
    is_sure: bool = True


class Parsed(NamedTuple):
    """What one syntax sees in a text.

    Attributes:
        placeholders: In order; where the text is malformed, those that are well-formed by themselves.
        is_numbered: Whether arguments are told by number.
        reason: Why the text is malformed, as a clause; None where it is well-formed.
        escapes: How often a character of the syntax is written so that it stands for itself, as `%%`.
    """

    placeholders: tuple[Placeholder, ...] = ()
    is_numbered: bool = False
    reason: str | None = None
    escapes: int = 0


NOTHING = Parsed()


def sure_ones(parsed: Parsed) -> Parsed:
    """Leave out what may be ordinary prose, and whether the text is well-formed."""
    return Parsed(tuple(one for one in parsed.placeholders if one.is_sure), parsed.is_numbered)


def shown_text(text: str) -> str:
    """Write a placeholder into a sentence: as it is, or as a Python literal where a terminal would act on it."""
    cut = cut_middle(text, _SHOWN)
    return cut if cut.isprintable() else repr(cut)
