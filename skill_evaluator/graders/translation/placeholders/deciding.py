"""Decides from the source what its placeholders are, and says so; where that cannot be told, it does not guess.

What nobody writes in prose (`%s`, `%(name)s`, `{name}`) is sure. `% s` in "100% sure" is a directive to printf and two
words to a reader, `{{name}}` is a placeholder to some programs and text to `str.format`: kept, nothing is wrong either
way; changed, it is left open.
"""

import re
from collections import Counter
from functools import lru_cache
from typing import Final

from skill_evaluator.graders.translation.placeholders.braces import parse_braces
from skill_evaluator.graders.translation.placeholders.difference import Compared
from skill_evaluator.graders.translation.placeholders.formats import (
    Part,
    compare_parsed,
    has_sure,
    joined,
    source_braces,
    source_percent,
    source_printf,
)
from skill_evaluator.graders.translation.placeholders.icu import compare_icu, is_icu
from skill_evaluator.graders.translation.placeholders.matching import find_faults
from skill_evaluator.graders.translation.placeholders.percent import parse_percent
from skill_evaluator.graders.translation.placeholders.placeholder import NOTHING, Parsed, shown_text, sure_ones
from skill_evaluator.graders.translation.placeholders.printf import parse_printf
from skill_evaluator.texts import clause, tr

PRINTF: Final = "printf"
PERCENT: Final = "python %"
EITHER: Final = "printf or python %"
BRACES: Final = "python {}"
ICU: Final = "icu"

_NONE: Final = Part(NOTHING, NOTHING)
# What other programs fill: `%1`, `%L2` (Qt), `%@`, `%1$@` (Cocoa). A percent sign behind a number is one.
_FOREIGN: Final = re.compile(r"(?<![0-9%])%(?:L?[0-9]{1,2}(?![0-9.,$])|(?:[0-9]{1,2}\$)?@)")
_DOUBLE: Final = re.compile(r"\{\{[^{}]*\}\}")
_source_is_icu = lru_cache(maxsize=256)(is_icu)


def compare_auto(source: str, target: str, *, target_locale: str, allow_reorder: bool) -> Compared:
    """Compare two texts, in each syntax that the source uses; a mix is compared one by one."""
    if "{" in source and _source_is_icu(source):
        found = compare_icu(source, target, target_locale=target_locale, allow_reorder=allow_reorder)
        return Compared(
            expected=found.expected, actual=found.actual, faults=found.faults, undecided=found.undecided, kinds=(ICU,)
        )
    with_percent = has_sure(source_printf(source)) or has_sure(source_percent(source))
    with_braces = has_sure(source_braces(source))
    kinds, parts = [], []
    if with_percent:
        kind, part = _percent(source, target, allow_reorder=allow_reorder)
        kinds.append(kind)
        parts.append(part)
    else:
        parts.append(_percent_in_prose(source, target, is_prose=with_braces))
    if with_braces:
        kinds.append(BRACES)
        parts.append(_braces(source, target, allow_reorder=allow_reorder))
    else:
        parts.append(_braces_in_prose(source, target, is_prose=with_percent))
    return joined(parts, tuple(kinds))


def _percent(source: str, target: str, *, allow_reorder: bool) -> tuple[str, Part]:
    """Compare what is surely for printf or Python's `%`; what both take must be right for both."""
    printf, percent = source_printf(source), source_percent(source)
    for_printf, for_percent = _fits(printf), _fits(percent)
    if for_printf and not for_percent:
        return PRINTF, _compare(printf, parse_printf(target), allow_reorder=allow_reorder)
    if for_percent and not for_printf:
        return PERCENT, _compare(percent, parse_percent(target), allow_reorder=allow_reorder)
    in_printf = _compare(printf, parse_printf(target), allow_reorder=allow_reorder)
    in_percent = _compare(percent, parse_percent(target), allow_reorder=allow_reorder)
    if bool(in_printf.faults) == bool(in_percent.faults):
        is_malformed = in_printf.target.reason is not None or printf.reason is not None
        return EITHER, in_percent if is_malformed and in_percent.target.reason is None else in_printf
    right, wrong = ("Python", "printf") if in_printf.faults else ("printf", "Python")
    doubt = tr(
        "the source may be for printf or for Python, and what is right for {right} is not for {wrong}: {fault}",
        right=right,
        wrong=wrong,
        fault=clause((in_printf.faults or in_percent.faults)[0].message),
    )
    return EITHER, in_printf._replace(faults=(), doubt=doubt)


def _compare(source: Parsed, target: Parsed, *, allow_reorder: bool) -> Part:
    """Compare as if the syntax were named, but leave open what may be prose in the source."""
    part = compare_parsed(source, target, allow_reorder=allow_reorder)
    unsure = [one for one in source.placeholders if not one.is_sure]
    if source.reason is not None or not part.faults or not unsure:
        return part
    sure, found = sure_ones(source), sure_ones(target)
    if faults := find_faults(sure, found, allow_reorder=allow_reorder):
        return Part(source, target, faults)
    return Part(
        source, target, doubt=tr("{text} may be a placeholder and may be prose", text=shown_text(unsure[0].text))
    )


def _braces(source: str, target: str, *, allow_reorder: bool) -> Part:
    """Compare what is surely for `str.format`, unless a program of another kind would read it otherwise."""
    part = _compare(source_braces(source), parse_braces(target), allow_reorder=allow_reorder)
    if part.faults or part.doubt:
        return part
    if _DOUBLE.search(source) and _doubled(source) != _doubled(target):
        return part._replace(doubt=tr("text in double braces was changed, which is a placeholder to some programs"))
    if "'{" in target and target.count("'{") != source.count("'{"):
        return part._replace(doubt=tr("' before {{ is text to Python, and to ICU makes text of what follows"))
    return part


def _percent_in_prose(source: str, target: str, *, is_prose: bool) -> Part:
    """Look at a source without any sure directive: is there more than prose, and did some come?

    Args:
        source: The source.
        target: The translation.
        is_prose: Whether placeholders of another kind show that a percent sign is only one.
    """
    if "%" not in target and "%" not in source:
        return _NONE
    if "%" not in source:
        return _newcomers(max(parse_printf(target), parse_percent(target), key=_number_of_sure))
    if lost := Counter(_FOREIGN.findall(source)) - Counter(_FOREIGN.findall(target)):
        return Part(NOTHING, NOTHING, doubt=tr("{lost} may be a placeholder of another program", lost=next(iter(lost))))
    if is_prose:
        return _NONE
    was, now = source_printf(source), parse_printf(target)
    if _marks(was) == _marks(now):
        return _NONE
    return Part(
        was, now, doubt=tr("nobody can tell whether a percent sign of the source is prose or begins a placeholder")
    )


def _braces_in_prose(source: str, target: str, *, is_prose: bool) -> Part:
    """Do the same for a source without any sure field."""
    if "{" not in target and "{" not in source:
        return _NONE
    if "{" not in source:
        return _newcomers(parse_braces(target))
    was, now = source_braces(source), parse_braces(target)
    if (_marks(was) == _marks(now) and _doubled(source) == _doubled(target)) or (is_prose and not has_sure(now)):
        return _NONE
    return Part(was, now, doubt=tr("nobody can tell whether the braces of the source are prose or hold placeholders"))


def _newcomers(target: Parsed) -> Part:
    sure = sure_ones(target)
    return Part(NOTHING, sure, find_faults(NOTHING, sure, allow_reorder=True))


def _fits(parsed: Parsed) -> bool:
    return parsed.reason is None and has_sure(parsed)


def _number_of_sure(parsed: Parsed) -> int:
    return sum(one.is_sure for one in parsed.placeholders)


def _marks(parsed: Parsed) -> tuple[object, ...]:
    return Counter(one.text for one in parsed.placeholders), parsed.escapes


def _doubled(text: str) -> "Counter[str]":
    return Counter(_DOUBLE.findall(text))
