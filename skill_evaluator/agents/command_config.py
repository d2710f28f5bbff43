"""What `--agent-config` says: how a program is called, and where its output tells what it did."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from skill_evaluator.model import FailureKind

if TYPE_CHECKING:
    import regex
    from jmespath.parser import ParsedResult

DEFAULT_TIMEOUT_S = 300.0
PROMPT_PLACES = frozenset({"prompt", "prompt_file"})
PLACEHOLDERS = (
    "prompt",
    "prompt_file",
    "skill_dir",
    "skills_dir",
    "workspace",
    "home",
    "model",
    "config_dir",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """Where the output says what happened; every expression is evaluated on each event, or on the document.

    Attributes:
        start: True once the session has started; without it the clock starts with the program.
        listed: Names of the skills offered to the model; without it nobody looks whether the skill is among them.
        skill: Names of the skills invoked.
        tool_calls: Objects with `name` and optionally `input`, `id`, `result` and `failed`.
        tool_results: Objects with `id` and optionally `result` and `failed`.
        text: The final text, or a part of it.
        error: What ended the run, as a text or an object.
        joined: Whether texts are put together; otherwise the last one is the final text.
        summed: Whether tokens and costs are added up; otherwise the last figure counts.
        skill_pattern: For plain text: its group `skill` is the name of a skill invoked.
    """

    start: "ParsedResult | None" = None
    listed: "ParsedResult | None" = None
    skill: "ParsedResult | None" = None
    tool_calls: "ParsedResult | None" = None
    tool_results: "ParsedResult | None" = None
    text: "ParsedResult | None" = None
    input_tokens: "ParsedResult | None" = None
    output_tokens: "ParsedResult | None" = None
    cost_usd: "ParsedResult | None" = None
    error: "ParsedResult | None" = None
    joined: bool = False
    summed: bool = False
    skill_pattern: "regex.Pattern[str] | None" = None


@dataclass(frozen=True, kw_only=True, slots=True)
class CommandConfig:
    """A program and how it is spoken to.

    Attributes:
        path: The file this was read from.
        sha256: Hash of its bytes.
        argv: The program and its arguments, with placeholders.
        stdin: Whether the prompt is fed to the standard input.
        format: `jsonl`: each line is an event; `json`: the whole output is one document; `text`: neither.
        timeout_s: Longest time of a session.
        model: The model, as reports name it; None where nobody said.
        env: Variables that are added, with placeholders in the values.
        env_from: Names of variables that are passed through.
        skills_dir: Where the skills are put, relative to the run's folder.
        errors: Words by which an error is told to be of a kind, in lower case.
    """

    path: Path
    sha256: str
    argv: tuple[str, ...]
    stdin: Literal["prompt", "none"]
    format: Literal["jsonl", "json", "text"]
    reading: Reading
    timeout_s: float = DEFAULT_TIMEOUT_S
    model: str | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    env_from: tuple[str, ...] = ()
    skills_dir: str = "skills"
    errors: Mapping[FailureKind, tuple[str, ...]] = field(default_factory=dict)
