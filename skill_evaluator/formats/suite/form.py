"""Typed access to a mapping of a suite: what is wrong is noted as a fault, and None stands in for it.

A key with null is never an absent one, and numbers are those of JavaScript: 2.0 is whole, 1e400 is infinite.
"""

import difflib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from skill_evaluator.formats.suite.faults import KeyPath, SuiteFault, Values
from skill_evaluator.formats.testset_form import shown
from skill_evaluator.texts import listed, tr


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
        self._wrong_if_there(key, tr("text"))
        return None

    def flag(self, key: str) -> bool | None:
        """Give true or false; None where it is absent or something else."""
        value = self.values.get(key)
        if isinstance(value, bool):
            return value
        self._wrong_if_there(key, tr("true or false without quotes"))
        return None

    def whole(self, key: str, least: int, most: int | None = None) -> int | None:
        """Give a whole number within bounds; None where it is absent or something else."""
        value, highest = number(self.values.get(key)), math.inf if most is None else most
        if value is not None and least <= value <= highest and float(value).is_integer():
            return int(value)
        self._wrong_if_there(
            key,
            tr("a whole number of {least} or more", least=least)
            if most is None
            else tr("a whole number, {least} to {most}", least=least, most=most),
        )
        return None

    def texts(self, key: str) -> tuple[str, ...] | None:
        """Give a list of texts; None where it is absent, something else, or holds something else."""
        value = self.values.get(key)
        if not isinstance(value, list):
            self._wrong_if_there(key, tr("a list of texts, such as [a, b]"))
            return None
        for index, item in enumerate(value):
            if not isinstance(item, str):
                self.wrong(
                    item,
                    (key, index),
                    tr("item {number} of {key!r}", number=index + 1, key=key),
                    tr("text; put it in quotes"),
                )
        texts = tuple(item for item in value if isinstance(item, str))
        return texts if len(texts) == len(value) else None

    def texts_by_key(self, key: str) -> Mapping[str, str] | None:
        """Give a mapping of texts; None where it is absent or something else."""
        value = self.mapping(key, tr("a mapping of texts, such as {{EVAL_A: text}}"))
        if value is None:
            return None
        for inner, item in value.items():
            if not isinstance(item, str):
                self.wrong(
                    item, (key, inner), tr("{inner!r} of {key!r}", inner=inner, key=key), tr("text; put it in quotes")
                )
        return {inner: item for inner, item in value.items() if isinstance(item, str)}

    def mapping(self, key: str, expected: str = tr("a mapping of keys to values")) -> Values | None:
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
        self._wrong_if_there(key, tr("one of {names}{meant}", names=listed(words), meant=nearest(value, words)))
        return None

    def check_keys(self, known: Sequence[str], code: str, what: str) -> None:
        """Note each key that is not known, with the one that was probably meant."""
        for key in self.values:
            if key not in known:
                near = _near(key, known)
                remedy = (
                    tr("known are {names}", names=listed(known))
                    if near is None
                    else tr("did you mean {near}?", near=near)
                )
                message = tr("unknown {what} {key!r}; {remedy}", what=what, key=key, remedy=remedy)
                self.fault(code, (key,), message, {"key": key, "known": list(known)})

    def wrong(self, value: object, path: KeyPath, place: str, expected: str) -> None:
        """Note that the value at a place is none of those it may be."""
        remedy = tr("; leave the key out if there is nothing to say") if value is None else ""
        message = tr(
            "{place} is {found}; expected {expected}{remedy}",
            place=place,
            found=described(value),
            expected=expected,
            remedy=remedy,
        )
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
            return tr("null (no value)")
        case bool():
            return tr("{value} (a truth value)", value=shown(value))
        case int() | float():
            return tr("{value} (a number)", value=shown(value))
        case str():
            return tr("{value} (text)", value=shown(value))
        case list():
            return tr("{value} (a list)", value=shown(value))
        case _:
            return tr("{value} (a mapping)", value=shown(value))


def nearest(word: object, known: Iterable[str]) -> str:
    """Ask for the known word that was probably meant, in brackets; empty where none is near."""
    near = _near(word, known)
    return "" if near is None else tr(" (did you mean {near}?)", near=near)


def _near(word: object, known: Iterable[str]) -> str | None:
    near = difflib.get_close_matches(word, list(known), n=1) if isinstance(word, str) else []
    return near[0] if near else None
