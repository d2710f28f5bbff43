"""Compares the branches that two choices have: keys that must stay, categories that the target language asks for."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from skill_evaluator.graders.translation.placeholders.icu_found import Found, inside, shown
from skill_evaluator.graders.translation.placeholders.icu_message import Choice, head_of
from skill_evaluator.graders.translation.placeholders.icu_plurals import OTHER, PluralRules, plural_rules

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


def compare_selectors(source: Choice, target: Choice, path: Sequence[str], found: Found) -> None:
    """Note which branches are missing, and which cannot be there.

    Args:
        source: A choice.
        target: What it became; of the same argument and type.
        path: The branches that both are in.
        found: Where differences go.
    """
    where = f"of {shown(head_of(target))}{inside(path)}"
    if source.type == "select":
        _compare_keys(source, target, where, found)
    else:
        _compare_numbers(source, target, where, found)
        _compare_categories(source, target, where, found)


def _compare_keys(source: Choice, target: Choice, where: str, found: Found) -> None:
    gone = [key for key in source.branches if key not in target.branches]
    new = [key for key in target.branches if key not in source.branches]
    if len(gone) == len(new) == 1:
        found.fault("placeholder_mutated", f"The key `{shown(gone[0])}` {where} has become `{shown(new[0])}`.")
        return
    for key in gone:
        found.fault("placeholder_missing", f"The branch `{shown(key)}` {where} is missing.")
    for key in new:
        found.fault("placeholder_extra", f"The branch `{shown(key)}` {where} is not in the source.")


def _compare_numbers(source: Choice, target: Choice, where: str, found: Found) -> None:
    """Texts for one number are written because it has something of its own to say, so they stay; others may come."""
    for key in source.branches:
        if key.startswith("=") and key not in target.branches and not same_number(key, target):
            found.fault("placeholder_missing", f"The branch `{shown(key)}` {where} is missing.")


def _compare_categories(source: Choice, target: Choice, where: str, found: Found) -> None:
    rules, locale = rules_for(target, found), shown(found.target_locale)
    kind = "ordinal" if target.type == "selectordinal" else "plural"
    if rules is None:
        found.doubt(f"no {kind} categories are known for {locale}")
        return
    for key in target.branches:
        if not key.startswith("=") and key not in rules.categories:
            message = f"The branch `{shown(key)}` {where} is never shown: {locale} has no such {kind} category."
            found.fault("placeholder_extra", message)
    if not _asks_for_categories(source):
        return
    for category in rules.lacking(target.branches, int(target.offset) if _WHOLE.fullmatch(target.offset) else 0):
        message = f"The branch `{category}` {where} is missing: {locale} has that {kind} category."
        found.fault("placeholder_missing", message)


def _asks_for_categories(source: Choice) -> bool:
    """Say whether a source speaks of categories; one with `=0` and `other` alone only treats a number specially."""
    keys = source.branches
    return any(key[0] != "=" and key != OTHER for key in keys) or not any(key[0] == "=" for key in keys)
