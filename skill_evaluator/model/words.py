"""Closed sets of words, and how foreign text is shown on one line."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Literal

from skill_evaluator.texts import changed

# `object` stands for JSON inside mappings that are only carried along, never computed with.
JsonObject = Mapping[str, object]
CutBy = Literal["max_turns", "max_tokens"]
# Stands in an output whose middle was too long to keep.
OUTPUT_GAP = "\n[... the middle of the output was left out ...]\n"
# Marks in what a tool was given: a long text or list lost its middle or end, or what nests too deep was replaced.
LEFT_OUT = re.compile(
    r"\[\.\.\. [0-9]+ (?:characters|items) left out \.\.\.\]|\[left out: nested deeper than [0-9]+ levels\]"
)


def one_line(text: str) -> str:
    r"""Show text of others on one line of a terminal: what steers it, or turns the direction of writing, is escaped.

    >>> print(one_line("a\nFAIL forged \x1b[31m"))
    a\nFAIL forged \x1b[31m
    """
    return changed(text, _escaped)


def _escaped(text: str) -> str:
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


class Split(StrEnum):
    """What a case is for: `TUNING` feeds advice, `ACCEPTANCE` gives the score (seed rule 7)."""

    ACCEPTANCE = "acceptance"
    TUNING = "tuning"


class Arm(StrEnum):
    """Whether the skill is offered to the agent."""

    WITH = "with"
    WITHOUT = "without"


class Severity(StrEnum):
    """`HARD` decides, `REPORT` is only shown."""

    HARD = "hard"
    REPORT = "report"


class Aspect(StrEnum):
    """The pass rate a grader counts towards."""

    OUTPUT = "output"
    PARAMS = "params"
    TOOL_ORDER = "tool_order"
    JUDGED = "judged"


class Level(StrEnum):
    """`FAIL` stops the work, `WARN` is only said."""

    FAIL = "FAIL"
    WARN = "WARN"


class FailureKind(StrEnum):
    """Why a run says nothing about the skill."""

    TIMEOUT = "timeout"
    API = "api"
    AUTH = "auth"
    RATE_LIMIT = "rate_limit"
    CRASH = "crash"
    AGENT_MISSING = "agent_missing"
    SKILL_NOT_LISTED = "skill_not_listed"
