"""The complete sets of keys, types, options and bounds of the suite format, as the real program accepts them.

Source: Suites recorded with Claude Code 2.1.332.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from skill_evaluator.graders.suite import Place

Shape = Literal["text", "whole", "yes or no", "list of texts", "mapping of texts", "mapping"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Bounds:
    """The whole numbers that a key accepts.

    Attributes:
        least: The lowest.
        most: The highest.
        default: What holds without the key.
    """

    least: int
    most: int
    default: int

    def __str__(self) -> str:
        return f"{self.least} to {self.most}"


@dataclass(frozen=True, kw_only=True, slots=True)
class GraderKeys:
    """The options of one grader type, beside those that every grader takes.

    Attributes:
        options: All of them.
        required: Those that it cannot do without.
        body: The option that the text below the frontmatter stands for, or None.
    """

    options: tuple[str, ...]
    required: tuple[str, ...]
    body: str | None = None


SCHEMA_VERSION: Final = "1.1"  # what a case without case.yaml gets
NEWEST_MAJOR: Final = 1
ENV_KEY: Final = re.compile(r"EVAL_[A-Z0-9_]*", re.ASCII)
ENV_KEY_WORDS: Final = "EVAL_[A-Z0-9_]*"

BOUNDS: Final[Mapping[str, Bounds]] = MappingProxyType(
    {
        "runs": Bounds(least=1, most=50, default=3),
        "max_turns": Bounds(least=1, most=200, default=10),
        "timeout_seconds": Bounds(least=1, most=3600, default=300),
    }
)

# The keys that stand at the top of case.yaml, and those below `execution`, `context`; each with the shape of its value.
TOP_KEYS: Final[Mapping[str, Shape]] = MappingProxyType(
    {
        "schema_version": "text",
        "name": "text",
        "description": "text",
        "tags": "list of texts",
        "plugins": "list of texts",
        "runs": "whole",
        "expected_outcome": "text",
    }
)
EXECUTION_KEYS: Final[Mapping[str, Shape]] = MappingProxyType(
    {
        "model": "text",
        "max_turns": "whole",
        "timeout_seconds": "whole",
        "allowed_tools": "list of texts",
        "disallowed_tools": "list of texts",
        "artifact_publish": "yes or no",
        "growthbook_overrides": "mapping",
        "append_system_prompt": "text",
        "env": "mapping of texts",
    }
)
CONTEXT_KEYS: Final[Mapping[str, Shape]] = MappingProxyType(
    {"scaffold_script": "text", "history_file": "text", "add_dirs": "list of texts"}
)
PROMPT_MD_KEYS: Final = (*TOP_KEYS, *EXECUTION_KEYS)
CASE_YAML_KEYS: Final = (*TOP_KEYS, "context", "execution", "graders")
CASE_YAML_EXECUTION_KEYS: Final = ("prompt", *EXECUTION_KEYS)
CASE_YAML_CONTEXT_KEYS: Final = tuple(CONTEXT_KEYS)

EVERY_GRADER: Final = ("type", "weight", "arm", "name")
GRADERS: Final[Mapping[str, GraderKeys]] = MappingProxyType(
    {
        "regex": GraderKeys(options=("pattern", "flags", "match", "target"), required=("pattern",), body="pattern"),
        "tool_order": GraderKeys(options=("before", "after"), required=("before", "after")),
        "tool_used": GraderKeys(options=("tool", "input_match", "min", "max"), required=("tool",)),
        "file_exists": GraderKeys(options=("path", "exists"), required=("path",)),
        "llm": GraderKeys(options=("criteria", "focus"), required=("criteria",), body="criteria"),
        "baseline": GraderKeys(
            options=("baseline_file", "criteria"), required=("baseline_file", "criteria"), body="criteria"
        ),
    }
)
SELECTOR_KEYS: Final = ("tool", "input_match")
FILE_TARGET_KEYS: Final = ("source", "path")
PLACES: "Final[tuple[Place, ...]]" = ("last_message", "trace", "files", "mock_calls")  # values of `target` and `focus`
ARMS: Final = ("with-only", "both")
MATCHES: Final = ("contains", "not_contains", "count:N")
MATCH_PATTERN: Final = re.compile(r"contains|not_contains|count:[0-9]+")
REGEX_FLAGS: Final = "dgimsuvy"
