"""Small words that sentences of several commands are made of."""

from collections.abc import Iterable
from functools import reduce

from skill_evaluator import texts
from skill_evaluator.texts import tr


def listed(parts: Iterable[str]) -> str:
    """List texts with the commas of the language in which they are said; nothing gives an empty text.

    >>> listed(["one", "two"])
    'one, two'
    """
    kept = [part for part in parts if part]
    return reduce(lambda before, part: tr("{before}, {part}", before=before, part=part), kept) if kept else ""


def names_listed(names: Iterable[str]) -> str:
    """List names, which are not set apart as clauses are in every language.

    >>> names_listed(["Read", "Write"])
    'Read, Write'
    """
    return texts.listed(names)


def together(parts: Iterable[str]) -> str:
    """Put clauses one after the other, with the semicolons of the language.

    >>> together(["one", "", "two"])
    'one; two'
    """
    kept = [part for part in parts if part]
    return reduce(lambda before, part: tr("{before}; {part}", before=before, part=part), kept) if kept else ""
