"""Typed access to a mapping of a suite: what is wrong is noted as a fault, and None stands in for it.

A key with null is never an absent one, and numbers are those of JavaScript: 2.0 is whole, 1e400 is infinite.
"""

import difflib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from skill_evaluator.formats.suite.faults import KeyPath, SuiteFault, Values
from skill_evaluator.formats.testset_form import shown


@dataclass(frozen=True, slots=True)
class Form:
    """A mapping that is asked for its values by key.

    Attributes:
        values: The mapping.
        above: Where it stands in its file; empty for the file's own mapping.
        faults: All that was found wrong so far; shared with the forms inside.
    """

    values: Values
    above: KeyPath = ()
    faults: list[SuiteFault] = field(default_factory=list)

    def text(self, key: str) -> str | None:
        """Give a text, which may be empty; None where it is absent or something else."""
        value = self.values.get(key)
        if isinstance(value, str):
            return value
        self._wrong_if_there(key, "text")
        return None

    def flag(self, key: str) -> bool | None:
        """Give true or false; None where it is absent or something else."""
        value = self.values.get(key)
        if isinstance(value, bool):
            return value
        self._wrong_if_there(key, "true or false without quotes")
        return None

    def whole(self, key: str, least: int, most: int | None = None) -> int | None:
        """Give a whole number within bounds; None where it is absent or something else."""
        value, highest = number(self.values.get(key)), math.inf if most is None else most
        if value is not None and least <= value <= highest and float(value).is_integer():
            return int(value)
        self._wrong_if_there(
            key, f"a whole number of {least} or more" if most is None else f"a whole number, {least} to {most}"
        )
        return None

    def texts(self, key: str) -> tuple[str, ...] | None:
        """Give a list of texts; None where it is absent, something else, or holds something else."""
        value = self.values.get(key)
        if not isinstance(value, list):
            self._wrong_if_there(key, "a list of texts, such as [a, b]")
            return None
        for index, item in enumerate(value):
            if not isinstance(item, str):
                self.wrong(item, (key, index), f"item {index + 1} of {key!r}", "text; put it in quotes")
        texts = tuple(item for item in value if isinstance(item, str))
        return texts if len(texts) == len(value) else None

    def texts_by_key(self, key: str) -> Mapping[str, str] | None:
        """Give a mapping of texts; None where it is absent or something else."""
        value = self.mapping(key, "a mapping of texts, such as {EVAL_A: text}")
        if value is None:
            return None
        for inner, item in value.items():
            if not isinstance(item, str):
                self.wrong(item, (key, inner), f"{inner!r} of {key!r}", "text; put it in quotes")
        return {inner: item for inner, item in value.items() if isinstance(item, str)}

    def mapping(self, key: str, expected: str = "a mapping of keys to values") -> Values | None:
        """Give a mapping; None where it is absent or something else."""
        value = self.values.get(key)
        if isinstance(value, dict):
            return value
        self._wrong_if_there(key, expected)
        return None

    def choice(self, key: str, words: Sequence[str]) -> str | None:
        """Give one of some words; None where it is absent or something else."""
        value = self.values.get(key)
        if isinstance(value, str) and value in words:
            return value
        self._wrong_if_there(key, f"one of {', '.join(words)}{nearest(value, words)}")
        return None

    def check_keys(self, known: Sequence[str], code: str, what: str) -> None:
        """Note each key that is not known, with the one that was probably meant."""
        for key in self.values:
            if key not in known:
                remedy = nearest(key, known).strip(" ()") or f"known are {', '.join(known)}"
                message = f"unknown {what} {key!r}; {remedy}"
                self.fault(code, (key,), message, {"key": key, "known": list(known)})

    def wrong(self, value: object, path: KeyPath, place: str, expected: str) -> None:
        """Note that the value at a place is none of those it may be."""
        remedy = "; leave the key out if there is nothing to say" if value is None else ""
        message = f"{place} is {described(value)}; expected {expected}{remedy}"
        self.fault("wrong-value", path, message, {"found": shown(value), "expected": expected})

    def fault(self, code: str, path: KeyPath, message: str, values: Values | None = None) -> None:
        """Note any other fault."""
        where = (*self.above, *path)
        self.faults.append(SuiteFault(code=code, path=where, message=message, values=values or {}))

    def _wrong_if_there(self, key: str, expected: str) -> None:
        if key in self.values:
            self.wrong(self.values[key], (key,), repr(key), expected)


def number(value: object) -> int | float | None:
    """Give a number as JavaScript has it, infinite where it is too large; None for others and NaN."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        as_float = float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
    return None if math.isnan(as_float) else value


def described(value: object) -> str:
    """Show a value and name its type in everyday words."""
    match value:
        case None:
            return "null (no value)"
        case bool():
            return f"{shown(value)} (a truth value)"
        case int() | float():
            return f"{shown(value)} (a number)"
        case str():
            return f"{shown(value)} (text)"
        case list():
            return f"{shown(value)} (a list)"
        case _:
            return f"{shown(value)} (a mapping)"


def nearest(word: object, known: Iterable[str]) -> str:
    """Ask for the known word that was probably meant, in brackets; empty where none is near."""
    near = difflib.get_close_matches(word, list(known), n=1) if isinstance(word, str) else []
    return f" (did you mean {near[0]}?)" if near else ""
