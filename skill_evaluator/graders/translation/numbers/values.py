"""What a written number is worth: every value that a convention lets it have.

A value is a text, so that numbers of any length are compared in linear time: `-1234.5`, no zeros around it. Whole
numbers of three digits or more that begin with 0 (`007`) are codes and keep their zeros.
"""

import re
from collections.abc import Iterator
from typing import Final

from skill_evaluator.graders.translation.numbers.conventions import Separators

_PARTS: Final = re.compile(r"[^0-9]")
_INDIAN: Final = 2  # digits of a group, but for the last
_CODE: Final = 3  # digits of a code with zeros before it; `07` is an hour or a month


def values_of(run: str, separators: Separators) -> tuple[str, ...]:
    """Give the values of a number without sign.

    Args:
        run: ASCII digits, with single separators between them.
        separators: What `.` and `,` are.

    Returns:
        Its values, without doubles; none where the convention writes no number like that.
    """
    if run.isdigit():
        return (whole(run),)
    groups = _PARTS.split(run)
    marks = _PARTS.findall(run)
    return tuple(dict.fromkeys(_values(groups, marks, separators)))


def whole(digits: str) -> str:
    """Give the value of digits alone."""
    return digits if len(digits) >= _CODE and digits[0] == "0" else digits.lstrip("0") or "0"


def decimal(digits: str, fraction: str) -> str:
    """Give the value of a number with a fraction."""
    fraction = fraction.rstrip("0")
    return (digits.lstrip("0") or "0") + (f".{fraction}" if fraction else "")


def shifted(value: str, power: int) -> str:
    """Give a value times ten to the power of a whole number, which has to be a small one."""
    digits, _, fraction = value.partition(".")
    if power >= 0:
        return decimal(digits + fraction[:power].ljust(power, "0"), fraction[power:])
    filled = digits.rjust(1 - power, "0")
    return decimal(filled[:power], filled[power:] + fraction)


def quotient(over: str, under: str) -> str | None:
    """Give the value of a fraction of two short whole numbers; None where it has more than three decimals, or none."""
    if not int(under) or int(over) * 1_000 % int(under):
        return None
    digits, rest = divmod(int(over) * 1_000 // int(under), 1_000)
    return decimal(str(digits), f"{rest:03}")


def _values(groups: list[str], marks: list[str], separators: Separators) -> Iterator[str]:
    if _is_grouped(groups, marks, separators):
        yield "".join(groups)
    *before, last = marks
    if (
        (last == "٫" or last in separators.decimal)
        and last not in before
        and _is_grouped(groups[:-1], before, separators)
    ):
        yield decimal("".join(groups[:-1]), groups[-1])


def _is_grouped(groups: list[str], marks: list[str], separators: Separators) -> bool:
    if not marks:
        return True
    mark = marks[0]
    if mark not in "'٬\xa0 " and mark not in separators.group:
        return False
    first, *middle, last = (len(group) for group in groups)
    return (
        len(set(marks)) == 1
        and groups[0][0] != "0"
        and last == separators.size
        and first <= separators.size
        and (set(middle) <= {separators.size} or (set(middle) == {_INDIAN} and first <= _INDIAN))
    )
