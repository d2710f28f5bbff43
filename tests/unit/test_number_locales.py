"""Numbers as babel formats them in every locale that it knows, and as they are after somebody changed them."""

import random
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal

import pytest
from babel import Locale, localedata
from babel.numbers import format_decimal

from skill_evaluator.graders.translation.numbers.comparing import NumberDifference, compare_numbers

LOCALES = sorted(set(localedata.locale_identifiers()) - {"en_US_POSIX"})  # which groups by a thousand digits
FIXED = ["0", "7", "0.5", "1234", "1234.5", "-1234567.89", "100000", "0.125", "999999999", "12.345"]
ZEROS = {
    "adlm": "𞥐",
    "arab": "٠",
    "arabext": "۰",
    "beng": "০",
    "cakm": "𑄶",
    "deva": "०",
    "gujr": "૦",
    "guru": "੦",
    "hmnp": "𞅀",
    "khmr": "០",
    "knda": "೦",
    "laoo": "໐",
    "latn": "0",
    "mlym": "൦",
    "mong": "᠐",
    "mtei": "꯰",
    "mymr": "၀",
    "nkoo": "߀",
    "olck": "᱐",
    "orya": "୦",
    "tamldec": "௦",
    "telu": "౦",
    "thai": "๐",
    "tibt": "༠",
    "vaii": "꘠",
}


def values(draw: random.Random, count: int) -> Iterator[Decimal]:
    for _ in range(count):
        whole = draw.randrange(10 ** draw.randint(1, 9))
        yield Decimal(f"{draw.choice(['', '', '-'])}{whole}{draw.choice(['', '', f'.{draw.randrange(1000)}'])}")


def written(value: Decimal, locale: str) -> Iterator[str]:
    """Give a number in ASCII digits, and in the digits that are the default and the native ones."""
    parsed = Locale.parse(locale)
    systems = ("latn", parsed.default_numbering_system, parsed.other_numbering_systems.get("native", "latn"))
    for system in dict.fromkeys(system for system in systems if has_symbols(parsed, system)):
        shape = format_decimal(value, locale=locale, numbering_system=system, decimal_quantization=False)
        zero = ord(ZEROS[system])
        yield shape.translate({ord("0") + digit: chr(zero + digit) for digit in range(10)})


def has_symbols(locale: Locale, system: str) -> bool:
    """Say whether CLDR has separators for these digits; without any (Lao), babel takes those of no locale."""
    return system in ZEROS and bool(locale.number_symbols.get(system, {}).get("decimal"))


def compared(source: str, target: str, locales: tuple[str, str]) -> NumberDifference:
    source_locale, target_locale = (one.replace("_", "-") for one in locales)
    return compare_numbers(
        f"Total: {source} units", f"Итого: {target} ед.", source_locale=source_locale, target_locale=target_locale
    )


def test_no_alarm_in_any_locale() -> None:
    """Babel is the independent program that writes the numbers."""
    draw = random.Random(7)  # noqa: S311 - not for secrets
    alarms = []
    for locale in LOCALES:
        origin = draw.choice(LOCALES)
        for value in [*map(Decimal, FIXED), *values(draw, 3)]:
            source = next(written(value, origin))
            for target in written(value, locale):
                found = compared(source, target, (origin, locale))
                if found.missing or found.extra or found.doubts:
                    alarms.append((origin, locale, source, target, found))

    assert alarms == []


@pytest.mark.parametrize("mutation", ["digit", "dropped", "added", "digits swapped", "power of ten"])
def test_every_changed_number_is_found(mutation: str) -> None:
    """Only small and round numbers that are gone, or came, can be in doubt: words may say them."""
    draw = random.Random(mutation)  # noqa: S311 - not for secrets
    found: Counter[str] = Counter()
    for value in values(draw, 300):
        locales = (draw.choice(LOCALES), draw.choice(LOCALES))
        source, target = next(written(value, locales[0])), next(written(mutated(value, mutation, draw), locales[1]))
        source, target = ("", target) if mutation == "added" else (source, "" if mutation == "dropped" else target)
        outcome = compared(source, target, locales)
        kind = "fault" if outcome.missing or outcome.extra else "doubt" if outcome.doubts else "nothing"
        found[kind if not is_small(value) else f"{kind}, small"] += 1

    of_small = "doubt, small" if mutation in {"dropped", "added"} else "fault, small"
    assert set(found) <= {"fault", of_small}
    assert found["fault"] > 150


def is_small(value: Decimal) -> bool:
    """Say what the documentation says of numbers that may be words."""
    size = abs(value)
    return size in map(Decimal, ("0.5", "0.25", "0.75", "1.5", "2.5")) or (
        size == size.to_integral_value() and (size <= 100 or len(str(int(size)).rstrip("0")) <= 2)
    )


def mutated(value: Decimal, mutation: str, draw: random.Random) -> Decimal:
    if mutation == "power of ten":
        return value * 10 if value else Decimal(3)
    digits = list(str(value))
    places = [place for place, digit in enumerate(digits) if digit.isdigit()]
    if mutation == "digit":
        place = draw.choice(places)
        digits[place] = str((int(digits[place]) + draw.randint(1, 9)) % 10)
    if mutation == "digits swapped":
        place = draw.choice(places)
        other = next((one for one in places if digits[one] != digits[place]), None)
        if other is None:
            return value + 1
        digits[place], digits[other] = digits[other], digits[place]
    return Decimal("".join(digits))
