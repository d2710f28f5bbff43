"""Compares texts whose syntax was named: printf, Python or a pattern."""

from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from skill_evaluator.graders.translation.placeholders.braces import parse_braces
from skill_evaluator.graders.translation.placeholders.custom import parse_custom
from skill_evaluator.graders.translation.placeholders.difference import Compared, PlaceholderFault
from skill_evaluator.graders.translation.placeholders.matching import find_faults
from skill_evaluator.graders.translation.placeholders.percent import parse_percent
from skill_evaluator.graders.translation.placeholders.placeholder import NOTHING, Parsed, sure_ones
from skill_evaluator.graders.translation.placeholders.printf import parse_printf
from skill_evaluator.texts import joined as joined_texts
from skill_evaluator.texts import tr

# A case is checked again for each run and each candidate, with the same source.
source_printf = lru_cache(maxsize=256)(parse_printf)
source_percent = lru_cache(maxsize=256)(parse_percent)
source_braces = lru_cache(maxsize=256)(parse_braces)


class Part(NamedTuple):
    """One syntax in both texts.

    Attributes:
        source: What it sees in the source.
        target: What it sees in the translation.
        faults: The differences.
        doubt: Why there may be a fault that nobody can tell from the texts, as a clause; None where there is none.
    """

    source: Parsed
    target: Parsed
    faults: tuple[PlaceholderFault, ...] = ()
    doubt: str | None = None


def compare_printf(source: str, target: str, *, allow_reorder: bool) -> Compared:
    """Compare two texts for C's printf."""
    return joined([compare_parsed(source_printf(source), parse_printf(target), allow_reorder=allow_reorder)])


def compare_python(source: str, target: str, *, allow_reorder: bool) -> Compared:
    """Compare two texts for Python, where the source says which style is used: `%`, `str.format` or both.

    A style that the source does not use is text in the translation too, unless the source lacks its character
    altogether: then a placeholder of it came from nowhere.
    """
    percent, braces = source_percent(source), source_braces(source)
    with_percent = has_sure(percent) or (not has_sure(braces) and bool(percent.placeholders or percent.escapes))
    with_braces = has_sure(braces) or (not with_percent and bool(braces.placeholders or braces.escapes))
    parts = []
    if with_percent:
        parts.append(compare_parsed(percent, parse_percent(target), allow_reorder=allow_reorder))
    elif "%" not in source or not with_braces:
        parts.append(_compare_unused(percent, parse_percent(target)))
    if with_braces:
        parts.append(compare_parsed(braces, parse_braces(target), allow_reorder=allow_reorder))
    elif "{" not in source or not with_percent:
        parts.append(_compare_unused(braces, parse_braces(target)))
    return joined(parts)


def compare_custom(source: str, target: str, *, pattern: str, allow_reorder: bool, timeout_s: float) -> Compared:
    """Compare all matches of a pattern; where it runs out of time, nobody can tell."""
    try:
        expected = parse_custom(source, pattern, timeout_s=timeout_s)
        actual = parse_custom(target, pattern, timeout_s=timeout_s)
    except TimeoutError:
        return Compared(
            expected=(), actual=(), undecided=tr("the pattern was not done after {timeout_s:g} s", timeout_s=timeout_s)
        )
    return joined([compare_parsed(expected, actual, allow_reorder=allow_reorder)])


def compare_parsed(source: Parsed, target: Parsed, *, allow_reorder: bool) -> Part:
    """Compare two texts in one syntax.

    Where the source is malformed, only what is surely a placeholder is compared; if that was kept, nobody can tell.
    """
    if source.reason is None:
        return Part(source, target, find_faults(source, target, allow_reorder=allow_reorder))
    sure, found = sure_ones(source), sure_ones(target)
    doubt = tr("the source cannot be formatted itself: {reason}", reason=source.reason)
    return Part(sure, found, find_faults(sure, found, allow_reorder=allow_reorder), doubt)


def _compare_unused(source: Parsed, target: Parsed) -> Part:
    """Look at a style of which the source has no placeholder: one that came is a fault, if the source is sound."""
    found = sure_ones(target)
    if source.reason is None or not found.placeholders:
        return Part(NOTHING, found, find_faults(NOTHING, found, allow_reorder=True))
    return Part(NOTHING, found, doubt=tr("the source cannot be formatted itself: {reason}", reason=source.reason))


def joined(parts: Sequence[Part], kinds: tuple[str, ...] = ()) -> Compared:
    """Put together what was found in each syntax; a fault is one whatever else is in doubt."""
    faults = tuple(fault for part in parts for fault in part.faults)
    doubts = [part.doubt for part in parts if part.doubt is not None]
    return Compared(
        expected=_texts([part.source for part in parts]),
        actual=_texts([part.target for part in parts]),
        faults=faults,
        undecided=None if faults or not doubts else joined_texts(tr("; "), doubts),
        kinds=kinds,
    )


def has_sure(parsed: Parsed) -> bool:
    """Say whether something in a text is surely a placeholder."""
    return any(one.is_sure for one in parsed.placeholders)


def _texts(parsed: Sequence[Parsed]) -> tuple[str, ...]:
    if len(parsed) == 1:
        return tuple([one.text for one in parsed[0].placeholders])
    found = [one for each in parsed for one in each.placeholders]
    return tuple([one.text for one in sorted(found, key=attrgetter("at"))])
