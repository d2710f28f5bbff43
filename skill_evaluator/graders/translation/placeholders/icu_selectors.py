"""Compares the branches that two choices have: keys that must stay, categories that the target language asks for."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from skill_evaluator.graders.translation.placeholders.icu_found import Found, Step, inside, shown
from skill_evaluator.graders.translation.placeholders.icu_message import Choice, head_of
from skill_evaluator.graders.translation.placeholders.icu_plurals import OTHER, PluralRules, plural_rules
from skill_evaluator.texts import tr

_DIGITS, _WORDS = ("=0", "=1", "=2"), ("zero", "one", "two")
SAME_NUMBER: Final[Mapping[str, str]] = {
    **dict(zip(_DIGITS, _WORDS, strict=True)),
    **dict(zip(_WORDS, _DIGITS, strict=True)),
}
_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")


def rules_for(choice: Choice, found: Found) -> PluralRules | None:
    """Look up the plural rules of the target language, for counts or for ranks."""
    return plural_rules(found.target_locale, is_ordinal=choice.type == "selectordinal")


def same_number(selector: str, choice: Choice) -> str | None:
    """Name the selector that stands for the same number in words or digits, where the choice has it: `=1` and `one`."""
    other = None if choice.offset else SAME_NUMBER.get(selector)
    return other if other in choice.branches else None


def is_shown(key: str, choice: Choice, found: Found) -> bool:
    """Say whether the branch of a number can ever be shown in the target language, or nobody knows."""
    rules = rules_for(choice, found)
    return key.startswith("=") or rules is None or key in rules.categories


def compare_selectors(source: Choice, target: Choice, path: Sequence[Step], found: Found) -> None:
    """Note which branches are missing, and which cannot be there.

    Args:
        source: A choice.
        target: What it became; of the same argument and type.
        path: The branches that both are in.
        found: Where differences go.
    """
    if source.type == "select":
        _compare_keys(source, target, path, found)
    else:
        _compare_numbers(source, target, path, found)
        _compare_categories(source, target, path, found)


def _compare_keys(source: Choice, target: Choice, path: Sequence[Step], found: Found) -> None:
    gone = [key for key in source.branches if key not in target.branches]
    new = [key for key in target.branches if key not in source.branches]
    if len(gone) == len(new) == 1:
        message = tr(
            "The key `{gone}` {where} has become `{new}`.",
            gone=shown(gone[0]),
            where=_where(target, path),
            new=shown(new[0]),
        )
        found.fault("placeholder_mutated", message)
        return
    for key in gone:
        found.fault("placeholder_missing", _missing(key, target, path))
    for key in new:
        message = tr("The branch `{key}` {where} is not in the source.", key=shown(key), where=_where(target, path))
        found.fault("placeholder_extra", message)


def _where(target: Choice, path: Sequence[Step]) -> str:
    return inside(tr("of {choice}", choice=shown(head_of(target))), path)


def _missing(key: str, target: Choice, path: Sequence[Step]) -> str:
    return tr("The branch `{key}` {where} is missing.", key=shown(key), where=_where(target, path))


def _compare_numbers(source: Choice, target: Choice, path: Sequence[Step], found: Found) -> None:
    """Texts for one number are written because it has something of its own to say, so they stay; others may come."""
    for key in source.branches:
        if key.startswith("=") and key not in target.branches and not same_number(key, target):
            found.fault("placeholder_missing", _missing(key, target, path))


def _compare_categories(source: Choice, target: Choice, path: Sequence[Step], found: Found) -> None:
    rules, locale = rules_for(target, found), shown(found.target_locale)
    is_ordinal = target.type == "selectordinal"
    if rules is None:
        found.doubt(
            tr("no ordinal categories are known for {locale}", locale=locale)
            if is_ordinal
            else tr("no plural categories are known for {locale}", locale=locale)
        )
        return
    for key in target.branches:
        if not key.startswith("=") and key not in rules.categories:
            why = (
                tr("{locale} has no such ordinal category", locale=locale)
                if is_ordinal
                else tr("{locale} has no such plural category", locale=locale)
            )
            message = tr(
                "The branch `{key}` {where} is never shown: {why}.", key=shown(key), where=_where(target, path), why=why
            )
            found.fault("placeholder_extra", message)
    if not _asks_for_categories(source):
        return
    for category in rules.lacking(target.branches, int(target.offset) if _WHOLE.fullmatch(target.offset) else 0):
        why = (
            tr("{locale} has that ordinal category", locale=locale)
            if is_ordinal
            else tr("{locale} has that plural category", locale=locale)
        )
        message = tr("The branch `{key}` {where} is missing: {why}.", key=category, where=_where(target, path), why=why)
        found.fault("placeholder_missing", message)


def _asks_for_categories(source: Choice) -> bool:
    """Say whether a source speaks of categories; one with `=0` and `other` alone only treats a number specially."""
    keys = source.branches
    return any(key[0] != "=" and key != OTHER for key in keys) or not any(key[0] == "=" for key in keys)
