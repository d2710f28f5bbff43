"""Typed access to the tables of a TOML file: whatever is wrong is noted, and a harmless value stands in for it."""

import difflib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from skill_evaluator.model import Finding, Level
from skill_evaluator.texts import tr

_SHOWN = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class TomlForm:
    """A table that is asked for its values by key.

    Attributes:
        table: The table as read.
        file: The file, as the user named it.
        expected: Every key it may have, and what that may hold, in words.
        above: Where it stands, such as `read.`; empty for the whole file.
        faults: All that was found wrong so far.
    """

    table: Mapping[str, object]
    file: str
    expected: Mapping[str, str]
    above: str = ""
    faults: list[Finding] = field(default_factory=list)

    def inner(self, key: str, expected: Mapping[str, str]) -> "TomlForm":
        """Give the table under a key; an empty one where it is absent."""
        value = self.table.get(key, {})
        if not isinstance(value, dict):
            self.wrong(key, value)
            value = {}
        return TomlForm(table=value, file=self.file, expected=expected, above=f"{self.above}{key}.", faults=self.faults)

    def check_keys(self) -> None:
        """Refuse keys that nobody would read."""
        for key in self.table:
            if key not in self.expected:
                nearest = difflib.get_close_matches(key, self.expected, n=1)
                remedy = (
                    tr("did you mean {nearest!r}?", nearest=nearest[0])
                    if nearest
                    else tr("known are {expected}", expected=", ".join(self.expected))
                )
                self.fault(key, tr("unknown key {key!r}; {remedy}", key=key, remedy=remedy))

    def text(self, key: str) -> str | None:
        """Give a text that is not blank; None where it is absent."""
        value = self.table.get(key)
        if value is None:
            return None
        if isinstance(value, str) and value.strip() and "\0" not in value:
            return value
        self.wrong(key, value)
        return None

    def choice(self, key: str, words: Sequence[str]) -> str | None:
        """Give one of some words; None where it is absent or another one."""
        value = self.table.get(key)
        if value is None:
            return None
        if isinstance(value, str) and value in words:
            return value
        self.wrong(key, value)
        return None

    def seconds(self, key: str) -> float | None:
        """Give a time above 0; None where it is absent."""
        value = self.table.get(key)
        if value is None:
            return None
        if not isinstance(value, bool) and isinstance(value, int | float) and value > 0 and math.isfinite(value):
            return float(value)
        self.wrong(key, value)
        return None

    def texts(self, key: str) -> tuple[str, ...]:
        """Give a list of texts; empty where it is absent."""
        value = self.table.get(key, [])
        if isinstance(value, list) and all(isinstance(item, str) and item and "\0" not in item for item in value):
            return tuple(value)
        self.wrong(key, value)
        return ()

    def names_and_texts(self, key: str) -> Mapping[str, str]:
        """Give a table of texts; empty where it is absent."""
        value = self.table.get(key, {})
        if isinstance(value, dict) and all(isinstance(item, str) and "\0" not in item for item in value.values()):
            return value
        self.wrong(key, value)
        return {}

    def wrong(self, key: str, value: object) -> None:
        """Note that a value is none of those it may be."""
        self.fault(
            key, tr("{value} does not fit; expected {expected}", value=_shown(value), expected=self.expected[key])
        )

    def fault(self, key: str, message: str) -> None:
        """Note any other fault."""
        place = f"{self.above}{key}".rstrip(".")
        self.faults.append(
            Finding(level=Level.FAIL, code="agent-config", file=self.file, pointer=place or None, message=message)
        )


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
