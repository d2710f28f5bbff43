"""Which plural categories a language has, and which numbers they stand for, as CLDR says."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from skill_evaluator.graders.translation.locales import locale_of

# A category that none of these has is for fractions or for millions: `many` of Czech and of Spanish. A translation
# for counts leaves it out, and `other` is shown instead.
WHOLE_NUMBERS: Final = range(200)
OTHER: Final = "other"


@dataclass(frozen=True, kw_only=True, slots=True)
class PluralRules:
    """The categories of one language, for counts or for ranks.

    Attributes:
        categories: All there are, `other` with them.
        numbers: The whole numbers below 200 of each category that has any, without `other`. Zero is left aside where a
            category has others: a message that can be asked for nothing mostly has a text for that.
        for_one_number: The categories that stand for one of these numbers alone, so that words can say it.
    """

    categories: frozenset[str]
    numbers: dict[str, frozenset[int]]
    for_one_number: frozenset[str]

    def lacking(self, selectors: Collection[str], offset: int) -> list[str]:
        """Name the categories that a message should have and has not.

        Args:
            selectors: What the message has, such as `=1` and `other`.
            offset: What the message takes off a number before it is told the category.

        Returns:
            Those that a whole number can have, without those whose every number has a selector of its own.
        """
        return [
            category
            for category, numbers in self.numbers.items()
            if category not in selectors and not all(f"={number + offset}" in selectors for number in numbers)
        ]


@lru_cache(maxsize=256)
def plural_rules(tag: str, *, is_ordinal: bool) -> PluralRules | None:
    """Look up the rules of a language.

    Args:
        tag: BCP-47; what CLDR does not know of it, a region such as that of `fr-XK`, is ignored.
        is_ordinal: For ranks (`selectordinal`) rather than counts.

    Returns:
        The rules, or None where CLDR has none for the language: it then says `other` for every number, which is not
        the same as having one category.

    Source:
        https://cldr.unicode.org/index/cldr-spec/plural-rules, in the version that babel carries.
    """
    locale = locale_of(tag)
    if locale is None or not _has_own(locale.language, "ordinal_form" if is_ordinal else "plural_form"):
        return None
    rule = locale.ordinal_form if is_ordinal else locale.plural_form
    numbers: dict[str, set[int]] = {}
    for number in WHOLE_NUMBERS:
        numbers.setdefault(rule(number), set()).add(number)
    numbers.pop(OTHER, None)
    kept = {category: frozenset(of_it - {0} or of_it) for category, of_it in numbers.items()}
    for_one_number = frozenset(category for category, of_it in kept.items() if len(of_it) == 1)
    return PluralRules(categories=rule.tags | {OTHER}, numbers=kept, for_one_number=for_one_number)


def _has_own(language: str, field: str) -> bool:
    """Say whether a language has a field itself, rather than from the root of all locales.

    The file is read here since `babel.localedata.load` keeps what it has read without the root for everybody who asks
    for the language later, and whatever else comes from the root is then missing there.
    """
    import pickle  # noqa: PLC0415 - only needed here; a file that babel brings along

    from babel.localedata import resolve_locale_filename  # noqa: PLC0415 - as above

    with open(resolve_locale_filename(language), "rb") as file:  # noqa: PTH123 - it is a text
        return field in pickle.load(file)  # noqa: S301 - as above
