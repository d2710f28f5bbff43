"""Catalogues of what this program says, by language: one folder each, with a PO file for each package.

The keys are the English templates that `tr` and `ntr` of `texts` take; `update` keeps them in step with the code.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Literal

# The words of a template in one language, by its key and, where there are two forms, the number that chooses.
Lookup = Callable[[str, int | None], str]
BETWEEN_FORMS = "\x1f"  # in the key of a template that has a singular and a plural


@cache
def lookup(language: Literal["zh"]) -> Lookup:
    """Give the words of a language; a template that its catalogues lack is said in English.

    Args:
        language: The name of a folder beside this module.
    """
    known = catalogue(language)

    def words(key: str, number: int | None) -> str:
        one, _, many = key.partition(BETWEEN_FORMS)
        return known.get(one) or (many if many and number != 1 else one)

    return words


def catalogue(language: Literal["zh"]) -> dict[str, str]:
    """Read all PO files of a language: its words by the English template, by the singular where there are two."""
    from babel.messages.pofile import read_po  # noqa: PLC0415 - heavy, loaded when another language is asked for

    known: dict[str, str] = {}
    for path in sorted((Path(__file__).parent / language).glob("*.po")):
        with path.open(encoding="utf-8") as file:
            for message in read_po(file, locale=language):
                key, said = (one[0] if isinstance(one, list | tuple) else one for one in (message.id, message.string))
                if key and said and not message.fuzzy:
                    known[key] = said
    return known
