"""Numbers that are not written in digits, Han (`二〇二四`, `三十`) and Roman (`IV`).

They may be words of another meaning, so they are never compared: they excuse a number of the same value, no more.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from skill_evaluator.graders.translation.numbers.texts import ReadyText

_FRACTIONS: Final = frozenset({"0.5", "0.25", "0.75", "1.5", "2.5"})
_ROUND: Final = 2
_HAN_DIGITS: Final = {
    sign: value
    for value, signs in enumerate(
        ("〇零", "一壹壱", "二贰貳弐两兩", "三叁參参", "四肆", "五伍", "六陆陸", "七柒", "八捌", "九玖")
    )
    for sign in signs
}
_HAN_UNITS: Final = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1_000, "仟": 1_000}
_HAN_MYRIADS: Final = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8, "兆": 10**12}
_HAN: Final = re.compile(f"[{''.join([*_HAN_DIGITS, *_HAN_UNITS, *_HAN_MYRIADS])}]{{1,40}}")
_ROMAN: Final = re.compile(
    r"(?<![^\W\d_])(?=[IVXLCDM])(M{0,3})(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})(?![A-Z])"
)
_ROMAN_VALUES: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1_000}
_WORDS: Final = frozenset("ICDLM")  # an English word, names of languages and sizes
_LETTER: Final = re.compile(r"[^\W\d_]")


def has_letters(text: ReadyText) -> bool:
    """Say whether a text could spell a number out."""
    return _LETTER.search(text.plain) is not None


def spelled_values(text: ReadyText) -> Counter[str]:
    """Give the values that Han and Roman numerals of a text may have, with how often each stands there."""
    return Counter([*_han_values(text.plain), *_roman_values(text.plain)])


def _han_values(plain: str) -> Iterator[str]:
    for found in _HAN.finditer(plain) if not plain.isascii() else ():
        signs = found[0]
        if all(sign in _HAN_DIGITS for sign in signs):
            yield "".join(str(_HAN_DIGITS[sign]) for sign in signs).lstrip("0") or "0"
        else:
            yield str(_han_value(signs))


def _han_value(signs: str) -> int:
    total = section = digit = 0
    last = 0
    for sign in signs:
        if sign in _HAN_DIGITS:
            digit = _HAN_DIGITS[sign]
        elif sign in _HAN_UNITS:
            section, digit = section + (digit or 1) * _HAN_UNITS[sign], 0
        elif (myriad := _HAN_MYRIADS[sign]) > last:  # 一万亿: all so far, times 10^8
            total, section, digit, last = (total + section + digit or 1) * myriad, 0, 0, myriad
        else:
            total, section, digit, last = total + (section + digit or 1) * myriad, 0, 0, myriad
    return total + section + digit


def _roman_values(plain: str) -> Iterator[str]:
    for found in _ROMAN.finditer(plain):
        if found[0] in _WORDS:
            continue
        values = [_ROMAN_VALUES[letter] for letter in found[0]]
        yield str(sum(-one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True)))


def may_be_spelled(value: str) -> bool:
    """Say whether people write a number of this value in words, in whatever language.

    Whole numbers up to 100, others of at most two digits before their zeros (1,200,000), halves and quarters below 3.
    """
    digits = value.lstrip("-")
    return digits in _FRACTIONS or (digits.isdigit() and len(digits.rstrip("0")) <= _ROUND)
