"""What two numbers have to have in common to be paired: functions that give the keys of a number."""

import re
from collections.abc import Callable, Hashable, Iterable
from typing import Final

from skill_evaluator.graders.translation.numbers.remainder import Keys
from skill_evaluator.graders.translation.numbers.texts import ReadyText
from skill_evaluator.graders.translation.numbers.values import shifted, whole
from skill_evaluator.graders.translation.numbers.written import Written

Holds = Callable[[Written], bool]
_HOURS: Final = 24
_HALF_DAY: Final = 12
_HOUR_DIGITS: Final = 2
_CLOCK: Final = re.compile(r"[:.h][0-5][0-9](?![0-9])|[ \xa0]?(?:[ap]\.?m\b|uhr|uur|h\b|[時时点點시])", re.IGNORECASE)
_WORD: Final = re.compile(r"[ \xa0]?([^\W\d_]{1,24})")


def only_if(holds: Holds, keys: Keys) -> Keys:
    """Give keys only to numbers of which something holds."""
    return lambda one: keys(one) if holds(one) else ()


def only_if_not(holds: Holds, keys: Keys) -> Keys:
    """Give keys only to numbers of which something does not hold."""
    return lambda one: () if holds(one) else keys(one)


def has_value(one: Written) -> bool:
    """Whether its locale can read it."""
    return bool(one.values)


def has_scale(one: Written) -> bool:
    """Whether a word multiplies it."""
    return one.scale is not None


def is_literal(one: Written) -> bool:
    """Whether it may be a version, an address or the like."""
    return not one.values or one.is_dotted


def is_dotted_name(one: Written) -> bool:
    """Whether it is surely none but that: `v1.234`."""
    return one.is_name and one.is_dotted


def is_negative(one: Written) -> bool:
    """Whether it has a minus sign."""
    return any(value.startswith("-") for value in one.values)


def is_signed(one: Written) -> bool:
    """Whether it has a sign."""
    return one.has_plus or is_negative(one)


def by_value(one: Written) -> Iterable[Hashable]:
    """Give its values."""
    return one.values


def by_value_and_scale(one: Written) -> Iterable[Hashable]:
    """Give its values with the power of the word beside it."""
    return [(value, one.scale and one.scale.power) for value in one.values]


def by_value_and_word(text: ReadyText) -> Keys:
    """Give its values with the word behind it, whatever that is."""

    def keys(one: Written) -> Iterable[Hashable]:
        word = _WORD.match(text.plain, one.end)
        return [(value, word[1]) for value in one.values] if word else ()

    return keys


def by_value_multiplied(one: Written) -> Iterable[Hashable]:
    """Give what it would be worth if the word beside it multiplied it."""
    power = one.scale.power if one.scale else 0
    return [shifted(value, power) for value in one.values if not value.startswith("-") and "/" not in value]


def by_run(one: Written) -> Iterable[Hashable]:
    """Give its digits and separators."""
    return (one.run,)


def by_list(one: Written) -> Iterable[Hashable]:
    """Give its digit groups, in their order."""
    return (tuple(map(whole, one.groups)),)


def by_groups(one: Written) -> Iterable[Hashable]:
    """Give its digit groups, in no order."""
    return (tuple(sorted(map(whole, one.groups))),)


def by_size(one: Written) -> Iterable[Hashable]:
    """Give its values without sign."""
    return [value.lstrip("-") for value in one.values]


def by_digits(one: Written) -> Iterable[Hashable]:
    """Give its values without zeros before them."""
    return [value.lstrip("0") or "0" for value in one.values if value.isdigit()]


def by_clock(text: ReadyText) -> Keys:
    """Give the place on the dial of what is surely an hour: minutes, or a word for the time of day, stand behind it."""
    return lambda one: by_hour(one) if _CLOCK.match(text.plain, one.end) else ()


def by_hour(one: Written) -> Iterable[Hashable]:
    """Give its place on the dial, where it may be an hour."""
    return [
        int(value) % _HALF_DAY
        for value in one.values
        if len(value) <= _HOUR_DIGITS and value.isdigit() and int(value) <= _HOURS
    ]


def by_nothing(one: Written) -> Iterable[Hashable]:
    """Let any number be paired with any other."""
    del one
    return ("any",)
