"""Typed access to one object of a case: whatever is wrong is noted with its place, and the reading goes on."""

import difflib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from skill_evaluator.formats.testset_form import kind_of, shown
from skill_evaluator.model import JsonObject, Level
from skill_evaluator.texts import listed, tr

Parts = tuple[str | int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Fault:
    """One fault or doubt of a line.

    Attributes:
        code: Stable kebab-case name.
        parts: Keys and indexes from the line's object to the place.
        message: What was found, what was expected, what to do.
        level: FAIL, or WARN for a doubt.
        values: The facts by name.
    """

    code: str
    parts: Parts
    message: str
    level: Level = Level.FAIL
    values: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Form:
    """An object that is asked for its values by key.

    Attributes:
        raw: The object.
        expected: What each of its keys may hold, in words; a key that is not there is unknown.
        above: Where it stands in its line.
        faults: All that was found so far; forms of one line share it.
    """

    raw: Mapping[str, object]
    expected: Mapping[str, str]
    above: Parts = ()
    faults: list[Fault] = field(default_factory=list)

    def check_keys(self, required: Sequence[str] = ()) -> None:
        """Note keys that are unknown, with the nearest known one, and those that are missing."""
        for key in self.raw:
            if key not in self.expected:
                unknown = self._inside(tr("unknown field {key}", key=shown(key)))
                self.unknown(unknown, key, self.expected, "unknown-field")
        for key in required:
            if key not in self.raw:
                missing = self._inside(tr('"{key}" is missing', key=key))
                message = tr("{found}; expected {expected}", found=missing, expected=self.expected[key])
                self.fault("missing-field", (), message, {"key": key})

    def unknown(self, what: str, word: str, known: Collection[str], code: str, *, at: Parts | None = None) -> None:
        """Note a word that is none of those known, with the one that was probably meant."""
        nearest = next(iter(difflib.get_close_matches(word, known, n=1)), None)
        remedy = (
            tr('did you mean "{nearest}"?', nearest=nearest)
            if nearest
            else tr("known are {known}", known=listed(known))
        )
        remedy = remedy if known else tr("there are none, so remove it")
        self.fault(
            code,
            (word,) if at is None else at,
            tr("{found}; {remedy}", found=what, remedy=remedy),
            {"found": word, "nearest": nearest},
        )

    def text(self, key: str) -> str | None:
        """Give a text that is not blank; None where it is absent or something else."""
        value = self.raw.get(key)
        if isinstance(value, str) and value.strip():
            return value
        if key in self.raw:
            self.wrong(value, (key,))
        return None

    def texts(self, key: str) -> tuple[str, ...]:
        """Give a list of texts that are not empty; an empty one where it is absent."""
        items = self.items(key)
        for index, item in enumerate(items):
            if not (isinstance(item, str) and item):
                self.wrong(item, (key, index), tr("a text in double quotes that is not empty"))
        return tuple(item for item in items if isinstance(item, str))

    def items(self, key: str) -> Sequence[object]:
        """Give a list; an empty one where it is absent or something else."""
        value = self.raw.get(key, [])
        if isinstance(value, list):
            return value
        self.wrong(value, (key,))
        return ()

    def choice(self, key: str, words: Collection[str]) -> str | None:
        """Give a word out of a closed set; None where it is absent or another one."""
        value = self.raw.get(key)
        if isinstance(value, str) and value in words:
            return value
        if isinstance(value, str) and value.strip():
            found = self._inside(tr('"{key}" is {value}', key=key, value=shown(value)))
            self.unknown(found, value, words, "wrong-value", at=(key,))
        elif key in self.raw:
            self.wrong(value, (key,))
        return None

    def whole(self, key: str) -> None:
        """Note what is no whole number from 1 up; 1.0 and true are none."""
        value = self.raw.get(key, 1)
        if type(value) is not int or value < 1:
            self.wrong(value, (key,))

    def flag(self, key: str) -> None:
        """Note what is neither true nor false."""
        if not isinstance(value := self.raw.get(key, False), bool):
            self.wrong(value, (key,))

    def inner(self, key: str, expected: Mapping[str, str]) -> "Form | None":
        """Give an object inside this one; None where it is absent or something else."""
        value = self.raw.get(key)
        if isinstance(value, dict):
            return Form(value, expected, (*self.above, key), self.faults)
        if key in self.raw:
            self.wrong(value, (key,))
        return None

    def wrong(self, value: object, parts: Parts, expected: str | None = None) -> None:
        """Note that the value at a place is none of those it may be."""
        key = str(parts[0])
        place = f'"{key}"' if len(parts) == 1 else tr('{item} of "{key}"', item=item_of(parts), key=key)
        found = "null" if value is None else tr("{value} ({kind})", value=shown(value), kind=kind_of(value))
        wanted = expected or self.expected[key]
        message = tr("{place} is {found}; expected {expected}", place=place, found=found, expected=wanted)
        if value is None and len(parts) == 1:
            remedy = tr("leave the field out if there is nothing to say")
            message = tr("{found}; {remedy}", found=message, remedy=remedy)
        self.fault("wrong-value", parts, message, {"key": key, "found": shown(value)})

    def fault(self, code: str, parts: Parts, message: str, values: JsonObject | None = None) -> None:
        """Note any other fault."""
        self.faults.append(Fault(code=code, parts=(*self.above, *parts), message=message, values=values or {}))

    def doubt(self, code: str, parts: Parts, message: str, values: JsonObject | None = None) -> None:
        """Note what is only likely to mislead."""
        place = (*self.above, *parts)
        self.faults.append(Fault(code=code, parts=place, message=message, level=Level.WARN, values=values or {}))

    def _inside(self, found: str) -> str:
        """Say inside of what something was found."""
        names = [part for part in self.above if isinstance(part, str)]
        return tr('{found} in "{inside}"', found=found, inside=names[-1]) if names else found


def item_of(parts: Parts) -> str:
    """Name an item of a list as one counts them."""
    return tr("item {part}", part=part + 1) if isinstance(part := parts[1], int) else shown(part)
