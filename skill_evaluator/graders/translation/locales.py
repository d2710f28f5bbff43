"""The locale of CLDR that is nearest to a tag; one rule for numbers and for plurals."""

from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from babel import Locale

_LETTERS: Final = 100  # of a tag; longer ones are no locale


@lru_cache(maxsize=1_000)
def locale_of(tag: str) -> "Locale | None":
    """Look up a locale.

    Args:
        tag: BCP-47; what CLDR does not know is taken for its language and script, then for its language.

    Returns:
        The locale; None where CLDR has not even the language.
    """
    from babel import Locale, UnknownLocaleError  # noqa: PLC0415 - slow to import, and few commands need it

    parts = tag[:_LETTERS].replace("_", "-").split("-")
    while parts and parts[0].lower() != "und":  # which babel takes for American English
        try:
            return Locale.parse("-".join(parts), sep="-")
        except (UnknownLocaleError, ValueError):
            parts.pop()
    return None
