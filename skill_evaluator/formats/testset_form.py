"""Typed access to an untyped JSON object: whatever is wrong is noted, and a harmless value stands in for it."""

import difflib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from skill_evaluator.formats.testset_keys import EXPECTED, EXPECTED_INSIDE, REQUIRED
from skill_evaluator.model import Grader, JsonObject
from skill_evaluator.texts import listed, tr

_T = TypeVar("_T")
_Parts = tuple[str | int, ...]
_SHOWN_CHARS = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class RowFault:
    """One fault of a row.

    Attributes:
        code: Stable kebab-case name.
        parts: Keys and indexes from the row to the place.
        message: What was found, what was expected, what to do.
        values: The facts by name.
    """

    code: str
    parts: _Parts
    message: str
    values: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Graders:
    """The graders of a row.

    Attributes:
        read: The graders, in order.
        written: What each looks at, as written, without its name and what only weighs it.
    """

    read: tuple[Grader, ...] = ()
    written: tuple[JsonObject, ...] = ()


@dataclass(frozen=True, slots=True)
class Form:
    """A JSON object that is asked for its values by key.

    Attributes:
        raw: The object.
        above: Where it stands inside its row; empty for the row itself.
        expected: What each key may hold, in words.
        faults: All that was found wrong so far.
    """

    raw: Mapping[str, object]
    above: _Parts = ()
    expected: Mapping[str, str] = field(default_factory=lambda: EXPECTED)
    faults: list[RowFault] = field(default_factory=list)

    def text(self, key: str) -> str:
        """Give a text that must be there and not be blank."""
        value = self.raw.get(key)
        if isinstance(value, str) and value.strip():
            return value
        if key in self.raw:
            self.wrong(value, (key,))
        else:
            self.missing(key)
        return ""

    def choice(self, key: str, table: Mapping[str, _T], *, required: bool = False) -> _T | None:
        """Give what a word stands for; None where it is absent or unknown."""
        value = self.raw.get(key)
        if isinstance(value, str) and value in table:
            return table[value]
        if key in self.raw:
            self.wrong(value, (key,))
        elif required or key in REQUIRED:
            self.missing(key)
        return None

    def flag(self, key: str) -> bool | None:
        """Give true or false; None where it is absent or something else."""
        value = self.raw.get(key)
        if isinstance(value, bool):
            return value
        if key in self.raw:
            self.wrong(value, (key,))
        return None

    def texts(self, key: str, *, single: bool = False, required: bool = False) -> tuple[str, ...]:
        """Give a list of texts; a `single` text may stand for a list of one."""
        value = self.raw.get(key, [])
        if single and isinstance(value, str) and value.strip():
            return (value,)
        if not isinstance(value, list):
            self.wrong(value, (key,))
            return ()
        if required and key not in self.raw:
            self.missing(key)
        for index, item in enumerate(value):
            if not (isinstance(item, str) and item.strip()):
                self.wrong(item, (key, index))
        return tuple(item for item in value if isinstance(item, str))

    def mapping(self, key: str) -> JsonObject:
        """Give an object; an empty one where it is absent."""
        value = self.raw.get(key, {})
        if not isinstance(value, dict):
            self.wrong(value, (key,))
            return {}
        return {str(inner): item for inner, item in value.items()}

    def missing(self, key: str) -> None:
        """Note that a key is absent."""
        self.fault(
            "missing-key",
            (),
            tr('"{key}" is missing; expected {expected}', key=key, expected=self.expected[key]),
            {"key": key},
        )

    def wrong(self, value: object, parts: _Parts) -> None:
        """Note that the value at a place is none of those it may be."""
        key = str(parts[0])
        inner = len(parts) > 1
        place = tr('{item} of "{key}"', item=_ordinal(parts[1]), key=key) if inner else f'"{key}"'
        expected = EXPECTED_INSIDE.get(key, tr("text in double quotes")) if inner else self.expected[key]
        message = tr("{place} is {found}; expected {expected}", place=place, found=_described(value), expected=expected)
        if value is None and not inner:
            remedy = tr("leave the key out if there is nothing to say")
            message = tr("{found}; {remedy}", found=message, remedy=remedy)
        self.fault("wrong-value", parts, message, {"key": key, "found": shown(value)})

    def check_key(
        self, key: str, known: Sequence[str], often_meant: Mapping[str, str], *, inside: str | None = None
    ) -> None:
        """Note a key that is not known, with the one that was probably meant."""
        if key in known:
            return
        nearest = often_meant.get(key) or next(iter(difflib.get_close_matches(key, known, n=1)), None)
        remedy = (
            tr('did you mean "{nearest}"?', nearest=nearest)
            if nearest
            else tr("known are {known}", known=listed(known))
        )
        unknown = tr('unknown key "{key}"', key=key)
        found = tr('{found} in "{inside}"', found=unknown, inside=inside) if inside else unknown
        message = tr("{found}; {remedy}", found=found, remedy=remedy)
        self.fault("unknown-key", (key,), message, {"key": key, "nearest": nearest})

    def fault(self, code: str, parts: _Parts, message: str, values: JsonObject | None = None) -> None:
        """Note any other fault."""
        self.faults.append(RowFault(code=code, parts=(*self.above, *parts), message=message, values=values or {}))


def shown(value: object) -> str:
    """Write a value as JSON, cut to a readable length."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 3] + "..."


def kind_of(value: object) -> str:
    """Name the JSON type of a value in everyday words."""
    match value:
        case None:
            return "null"
        case bool():
            return tr("a truth value")
        case int() | float():
            return tr("a number")
        case str():
            return tr("text") if value.strip() else tr("an empty text")
        case list():
            return tr("a list")
        case _:
            return tr("an object")


def _described(value: object) -> str:
    return "null" if value is None else tr("{value} ({kind})", value=shown(value), kind=kind_of(value))


def _ordinal(part: str | int) -> str:
    return f'"{part}"' if isinstance(part, str) else tr("item {part}", part=part + 1)
