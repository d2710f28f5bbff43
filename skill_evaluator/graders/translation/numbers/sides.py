"""One of the two texts, with all that is read in it."""

import re
from dataclasses import dataclass
from typing import Final

from skill_evaluator.graders.translation.numbers.conventions import Convention, convention_of
from skill_evaluator.graders.translation.numbers.scales import scales_of
from skill_evaluator.graders.translation.numbers.signs import SIGNS, find_signs
from skill_evaluator.graders.translation.numbers.texts import ReadyText, ready
from skill_evaluator.graders.translation.numbers.written import Written, find_numbers, masked

_ANY_NUMBER: Final = re.compile(rf"[\d{SIGNS}]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Side:
    """A text and its numbers.

    Attributes:
        text: Ready to be read.
        locale: BCP-47.
        numbers: Those in digits, in order.
        signs: Other signs with a value, in order.
    """

    text: ReadyText
    locale: str
    numbers: tuple[Written, ...]
    signs: tuple[Written, ...]

    def read_again(self, left: list[Written], convention: Convention) -> list[Written]:
        """Read some of the numbers by the convention of another locale."""
        return find_numbers(masked(self.text, self.numbers, left), convention, scales_of(self.locale))

    def read_unread(self, left: list[Written], convention: Convention) -> list[Written]:
        """Read again those numbers of which its own locale makes nothing; give the others as they are."""
        unread = [one for one in left if not one.values]
        return [*(one for one in left if one.values), *(self.read_again(unread, convention) if unread else ())]


def may_hold_numbers(text: str) -> bool:
    """Say whether a text has a digit or another sign with a value, in a look that is quick."""
    return _ANY_NUMBER.search(text) is not None


def side_of(text: str, locale: str) -> Side:
    """Read a text."""
    made = ready(text)
    numbers = find_numbers(made, convention_of(locale), scales_of(locale))
    return Side(text=made, locale=locale, numbers=tuple(numbers), signs=tuple(find_signs(made)))
