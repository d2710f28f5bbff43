"""The numbers that stand in a text, each with what it may be worth by the convention of a locale."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from skill_evaluator.graders.translation.numbers.conventions import Convention, Separators
from skill_evaluator.graders.translation.numbers.scales import Scale, Scales
from skill_evaluator.graders.translation.numbers.texts import GAP, ReadyText
from skill_evaluator.graders.translation.numbers.values import decimal, shifted, values_of, whole

# Digits with single separators between them. A space may only stand before a whole group.
_RUN: Final = r"[0-9]+(?:[.,'٬٫][0-9]+|[{spaces}][0-9]{{{size}}}(?![0-9]))*"
_PIECE: Final = re.compile(r"[^ \xa0]+")
_SEPARATOR: Final = re.compile(r"[^0-9]")
_EXPONENT: Final = re.compile(r"[eE]([+-]?[0-9]{1,3})(?![\w.,])")
_CURRENCY: Final = frozenset("$€£¥₹₽₩₪₫฿₺₴")
# A hyphen behind one of these is no minus; behind a letter or a digit neither.
_NO_MINUS: Final = frozenset(f")]}}%'\"_-.{GAP}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Written:
    """One number.

    Attributes:
        text: As written, with its sign.
        start: Where its digits begin.
        end: Behind its last character.
        run: Its digits and separators in plain form, without sign.
        values: What it may be worth; empty where the locale writes no number like that.
        is_name: Whether a letter stands right before it: `v1.234`, `MP3`.
        scale: The word that multiplies it, or None.
        has_plus: Whether a plus sign is written.
    """

    text: str
    start: int
    end: int
    run: str
    values: tuple[str, ...]
    is_name: bool = False
    scale: Scale | None = None
    has_plus: bool = False

    @property
    def is_dotted(self) -> bool:
        """Whether points are its only separators, as in versions, addresses and dates."""
        return "." in self.run and self.run.replace(".", "").isdigit()

    @property
    def groups(self) -> list[str]:
        """Its digits between separators."""
        return _SEPARATOR.split(self.run)

    @property
    def with_word(self) -> str:
        """What is written, with the word that multiplies it."""
        if self.scale is None:
            return self.text
        return self.scale.word + self.text if self.scale.is_before else self.text + self.scale.word

    def pieces(self) -> Iterator["Written"]:
        """Give its digit groups, each as a number that is shown as the whole."""
        for digits in self.groups:
            yield replace(self, run=digits, values=(whole(digits),))


def find_numbers(text: ReadyText, convention: Convention, scales: Scales) -> list[Written]:
    """Give the numbers of a text, in order.

    Args:
        text: The text.
        convention: What separators mean.
        scales: Words that multiply.
    """
    plain = text.plain
    is_ascii = text.written.isascii()
    numbers: list[Written] = []
    for found in _runs(convention.latin.size, spaced=convention.spaced).finditer(plain):
        start = found.start()
        if numbers and start < numbers[-1].end:  # the exponent of the number before
            continue
        separators = convention.latin if is_ascii or _is_latin(text.written[start]) else convention.native
        run = found[0]
        values = values_of(run, separators)
        if not values and (" " in run or "\xa0" in run):
            numbers.extend(
                _number(text, start + piece.start(), piece[0], values_of(piece[0], separators), separators, scales)
                for piece in _PIECE.finditer(run)
            )
        else:
            numbers.append(_number(text, start, run, values, separators, scales))
    return numbers


@cache
def _runs(size: int, *, spaced: bool) -> re.Pattern[str]:
    return re.compile(_RUN.format(spaces=" \xa0" if spaced else "\xa0", size=size))


def _is_latin(digit: str) -> bool:
    return digit.isascii() or "０" <= digit <= "９"


def _number(
    text: ReadyText, start: int, run: str, values: tuple[str, ...], separators: Separators, scales: Scales
) -> Written:
    plain = text.plain
    end = start + len(run)
    is_name = _is_name(plain[max(start - 1, 0) : start])
    has_point = run.isdigit() and _begins_with_point(plain, start, separators)
    if has_point:
        values = (decimal("0", run),)
    sign, shown_from = _sign(plain, start - has_point)
    if not is_name and (power := _EXPONENT.match(plain, end)):
        values = tuple(shifted(value, int(power[1])) for value in values)
        end = power.end()
    if sign == "-":
        values = tuple(value if value == "0" else f"-{value}" for value in values)
    return Written(
        text=text.written[shown_from:end],
        start=start,
        end=end,
        run=run,
        values=values,
        is_name=is_name,
        scale=scales.beside(plain, start, end),
        has_plus=sign == "+",
    )


def _is_name(before: str) -> bool:
    """Say whether a character makes the number behind it a part of a name: a letter, but none of Han and the like."""
    return before.isalpha() and (before.islower() or before.isupper())


def _begins_with_point(plain: str, start: int, separators: Separators) -> bool:
    """Say whether digits are a fraction without a zero before it, as in `.5`."""
    return start > 0 and plain[start - 1] in separators.decimal and not _is_bound(plain, start - 2)


def _sign(plain: str, start: int) -> tuple[str, int]:
    """Give the sign before a place, or an empty text, and where what is to be shown begins."""
    at = start - 1
    if at > 0 and plain[at] in _CURRENCY:
        at -= 1
    if at >= 0 and plain[at] in "+-" and not _is_bound(plain, at - 1):
        return plain[at], at
    return "", start


def _is_bound(plain: str, at: int) -> bool:
    """Say whether the character there makes a following sign or point something else."""
    return at >= 0 and (plain[at].isalnum() or plain[at] in _NO_MINUS)


def masked(text: ReadyText, numbers: Sequence[Written], left: Sequence[Written]) -> ReadyText:
    """Give a text in which only some of its numbers stand, so that these can be read again in another way."""
    stays = {number.start for number in left}
    pieces: list[str] = []
    written: list[str] = []
    at = 0
    for number in numbers:
        if number.start not in stays:
            hole = GAP * (number.end - number.start)
            pieces += (text.plain[at : number.start], hole)
            written += (text.written[at : number.start], hole)
            at = number.end
    return ReadyText(plain="".join([*pieces, text.plain[at:]]), written="".join([*written, text.written[at:]]))
