"""Where two values part, as JSON pointers."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import chain, islice, zip_longest
from typing import Final, NamedTuple

TOLERANCE: Final = 1e-9
ABSENT: Final = "nothing"  # stands for a key that one side does not have
_LARGEST_EXACT = 2**53


class Difference(NamedTuple):
    """One place where two values part: its JSON pointer, and what either side has there."""

    pointer: str
    found: object
    expected: object


def differences(pointer: str, found: object, expected: object) -> Iterator[Difference]:
    """Walk two values side by side.

    Floats within 1e-9 are equal, `true` and 1 are not, and of lists of different
    lengths only the first place is told, since all after it may only have moved.

    Args:
        pointer: Where both stand.
        found: Dataclasses, mappings, sequences and plain JSON values.
        expected: The same.
    """
    if isinstance(found, bool) is isinstance(expected, bool) and found == expected:
        return
    pairs = _pairs(found, expected)
    if pairs is not None:
        yield from chain.from_iterable(differences(f"{pointer}/{step}", one, other) for step, one, other in pairs)
    elif not _close(found, expected):
        yield Difference(pointer, found, expected)


def escaped(step: str) -> str:
    """One step of a JSON pointer (RFC 6901)."""
    return step.replace("~", "~0").replace("/", "~1")


def _pairs(found: object, expected: object) -> Iterable[tuple[str, object, object]] | None:
    """What stands inside both, by name; None for plain values."""
    if is_dataclass(found) and type(found) is type(expected):
        return ((field.name, getattr(found, field.name), getattr(expected, field.name)) for field in fields(found))
    if isinstance(found, Mapping) and isinstance(expected, Mapping):
        keys = dict.fromkeys((*expected, *found))
        return ((escaped(str(key)), found.get(key, ABSENT), expected.get(key, ABSENT)) for key in keys)
    if isinstance(found, list | tuple) and isinstance(expected, list | tuple):
        return _items(found, expected)
    return None


def _items(found: Sequence[object], expected: Sequence[object]) -> Iterable[tuple[str, object, object]]:
    pairs = enumerate(zip_longest(found, expected, fillvalue=ABSENT))
    if len(found) == len(expected):
        return ((str(place), *pair) for place, pair in pairs)
    parting = ((str(place), *pair) for place, pair in pairs if next(differences("", *pair), None))
    return islice(parting, 1)


def _close(found: object, expected: object) -> bool:
    if not isinstance(found, int | float) or not isinstance(expected, int | float):
        return False
    if isinstance(found, bool) or isinstance(expected, bool) or max(abs(found), abs(expected)) > _LARGEST_EXACT:
        return False
    return math.isclose(found, expected, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
