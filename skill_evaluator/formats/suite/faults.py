"""A fault at a place inside one file of a case, before it is known how the file was named."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from skill_evaluator.model import JsonObject

# What the real program does. `refused`: it does not load the case. `fails`: it loads it, and every run of it fails.
# `fails-with-scaffold`: so with `--scaffold` alone. `throws`: it grades, and the one grader fails every run.
# `unread`: nobody knows, since it is not read here.
Effect = Literal["refused", "fails", "fails-with-scaffold", "throws", "unread"]
KeyPath = tuple[str | int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class SuiteFault:
    """One fault.

    Attributes:
        code: Stable kebab-case name of the rule.
        path: Keys and indexes from the top of the mapping to the place; empty for the mapping as a whole.
        message: What was found, what was expected, what to do; without the place, and without what it leads to.
        effect: What the real program does about it.
        values: The facts in the message by name.
        line: 1-based line in the file, None where only `path` tells the place.
    """

    code: str
    path: KeyPath
    message: str
    effect: Effect = "refused"
    values: JsonObject = field(default_factory=dict)
    line: int | None = None


Values = Mapping[str, object]  # a mapping of YAML or JSON as read: None, bool, int, float, str, list, dict
