"""Signs that are no digits, and that Unicode gives a value: `½`, `①`, `Ⅷ`, exponents as in `10²³`.

They are read, since that is no guess. Superscripts of words (`m²`) and subscripts (`H₂O`) are left alone.
"""

import re
import unicodedata
from fractions import Fraction
from typing import Final

from skill_evaluator.graders.translation.numbers.texts import ReadyText
from skill_evaluator.graders.translation.numbers.values import quotient
from skill_evaluator.graders.translation.numbers.written import Written

SIGNS: Final = "¼-¾⅐-ↈ①-⒛⓪-⓿❶-➓㉑-㉟㊀-㊉㊱-㊿㈠-㈩㆒-㆕"  # of a character class
_SIGN: Final = re.compile(f"(?<=[0-9])(⁻?[⁰¹²³⁴-⁹]+)|[{SIGNS}]")
_SUPERSCRIPT: Final = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def find_signs(text: ReadyText) -> list[Written]:
    """Give the signs of a text, in order, as numbers."""
    if text.plain.isascii():
        return []
    return [
        Written(text=found[0], start=found.start(), end=found.end(), run=found[0], values=(_sign_value(found),))
        for found in _SIGN.finditer(text.plain)
    ]


def _sign_value(found: re.Match[str]) -> str:
    if found[1]:
        sign, digits = ("-", found[1][1:]) if found[1][0] == "⁻" else ("", found[1])
        return sign + (digits.translate(_SUPERSCRIPT).lstrip("0") or "0")
    value = Fraction(unicodedata.numeric(found[0], 0.0)).limit_denominator(1_000)
    return quotient(str(value.numerator), str(value.denominator)) or f"{value.numerator}/{value.denominator}"
