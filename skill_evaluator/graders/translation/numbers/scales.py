"""Words that multiply the number before or after them: `5 million`, `1.2万`, `elfu 5`.

They are recognised so that nobody takes `1.2万` for 1.2; no number is called wrong because of what they may mean.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from skill_evaluator.graders.translation.locales import locale_of

if TYPE_CHECKING:
    from babel import Locale

_HAN_POWERS: Final = {"百": 2, "千": 3, "万": 4, "萬": 4, "亿": 8, "億": 8, "兆": 12}
_HAN: Final = "[ \xa0]?[百千万萬亿億兆]+(?![克米瓦卡赫帕伏焦字比])"  # not kilograms, kilometres, megabytes
_BEFORE: Final = 24  # characters in which a word may stand before a number
_QUOTED: Final = re.compile(r"'([^']*)'")


@dataclass(frozen=True, kw_only=True, slots=True)
class Scale:
    """A word of that kind beside a number.

    Attributes:
        power: Of ten.
        word: As it stands, with the space between it and the number.
        is_before: Whether it stands before the number.
    """

    power: int
    word: str
    is_before: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Scales:
    """The words of one locale.

    Attributes:
        powers: Of each word, without space.
        after: Finds one after a number.
        before: Finds one before a number, or None where the locale has none.
    """

    powers: dict[str, int]
    after: re.Pattern[str]
    before: re.Pattern[str] | None

    def beside(self, plain: str, start: int, end: int) -> Scale | None:
        """Give the word beside the number that stands there."""
        after = self.after.match(plain, end)
        found = after
        if found is None and self.before is not None and start:
            found = self.before.search(plain, max(start - _BEFORE, 0), start)
        if found is None:
            return None
        word = _without_space(found[0])
        power = self.powers.get(word)
        if power is None:
            power = sum(_HAN_POWERS[sign] for sign in word)
        return Scale(power=power, word=found[0], is_before=after is None)


@lru_cache(maxsize=1_000)
def scales_of(tag: str) -> Scales:
    """Give the words of a locale.

    Source:
        CLDR, `numbers/decimalFormats`, compact patterns, short and long.
    """
    locale = locale_of(tag)
    after: dict[str, int] = {}
    before: dict[str, int] = {}
    for pattern, digits in _patterns(locale) if locale else ():
        plain = _QUOTED.sub(r"\1", pattern.split(";")[0]).replace("\xa0", " ").replace("\u202f", " ")
        head, zeros, tail = plain.partition("0" * plain.count("0"))
        power = digits - len(zeros)
        (after if tail else before)[tail or head] = power
    before.pop("", None)
    return Scales(
        powers={_without_space(word): power for word, power in (before | after).items()},
        after=re.compile("|".join([*_longest_first(after, r"(?![^\W\d_])"), _HAN])),
        before=re.compile(f"(?:{'|'.join(_longest_first(before, ''))})$") if before else None,
    )


def _patterns(locale: "Locale") -> list[tuple[str, int]]:
    """Give each compact pattern with the number of digits of what it is for."""
    found = [
        (str(pattern.pattern), len(size))
        for width in ("short", "long")
        for size_forms in [locale.compact_decimal_formats.get(width) or {}]
        for forms in size_forms.values()
        for size, pattern in forms.items()
    ]
    return [(pattern, digits) for pattern, digits in found if "0" in pattern and pattern.strip("0")]


def _without_space(word: str) -> str:
    return word.replace(" ", "").replace("\xa0", "")


def _longest_first(words: dict[str, int], end: str) -> list[str]:
    spaced = (_pattern_of(word) for word in sorted(words, key=len, reverse=True))
    return [word + (end if word[-1].isascii() else "") for word in spaced]


def _pattern_of(word: str) -> str:
    """Let a space go, or come before signs that writers set apart from digits: `1.2 万`. `5 M` may be five metres."""
    pattern = re.escape(word).replace("\\ ", "[ \xa0]?")
    return pattern if word.isascii() or word.startswith(" ") else f"[ \xa0]?{pattern}"
