"""How a locale writes numbers: its separators, out of CLDR."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from skill_evaluator.graders.translation.locales import locale_of

if TYPE_CHECKING:
    from babel import Locale

# Written in the form that texts are brought into (texts.py): each comma is `,`, each space within a number NBSP.
_SAME: Final = {"،": ",", "⹁": ",", "’": "'", "\u202f": "\xa0", "\u2009": "\xa0"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Separators:
    """What `.` and `,` are. `٫`, `٬`, `'` and NBSP mean the same everywhere and need not be named.

    Attributes:
        decimal: Before a fraction: `.` or `,`, or both.
        group: Between groups of digits, likewise.
        size: Digits of a group: 3, but for Toki Pona. South Asian groups of 2 before the last are read everywhere.
    """

    decimal: frozenset[str] = frozenset()
    group: frozenset[str] = frozenset()
    size: int = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Convention:
    """How one locale writes numbers.

    Attributes:
        latin: In ASCII digits.
        native: In other digits.
        spaced: Whether a plain space may part groups.
    """

    latin: Separators = Separators()
    native: Separators = Separators()
    spaced: bool = False


_ANY: Final = Separators(decimal=frozenset(".,"), group=frozenset(".,"))
ANY: Final = Convention(latin=_ANY, native=_ANY, spaced=True)  # of all locales at once


@lru_cache(maxsize=1_000)
def convention_of(tag: str, *, spaced: bool = False) -> Convention:
    """Give the separators of a locale.

    Args:
        tag: BCP-47; what CLDR does not know is taken for its language and script, then for its language.
        spaced: Let a plain space part groups, even where CLDR does not.

    Returns:
        Its convention; one without any separator where CLDR knows not even the language.

    Source:
        CLDR, `numbers/symbols` of the locale: those of the numbering systems `latn`, default and native.
    """
    locale = locale_of(tag)
    if locale is None:
        return Convention(spaced=spaced)
    latin = _separators(locale, ["latn"])
    native = ["latn", locale.default_numbering_system, locale.other_numbering_systems.get("native", "latn")]
    return Convention(latin=latin, native=_separators(locale, native), spaced=spaced or "\xa0" in latin.group)


def _separators(locale: "Locale", systems: Sequence[str]) -> Separators:
    return Separators(
        decimal=_symbols(locale, "decimal", systems),
        group=_symbols(locale, "group", systems),
        size=locale.decimal_formats[None].grouping[0],
    )


def _symbols(locale: "Locale", name: str, systems: Sequence[str]) -> frozenset[str]:
    found = (locale.number_symbols.get(system, {}).get(name) for system in systems)
    return frozenset(_SAME.get(one, one) for one in found if isinstance(one, str))
