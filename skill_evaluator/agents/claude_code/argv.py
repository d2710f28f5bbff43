"""The command line of one run of Claude Code."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from skill_evaluator.agents.claude_code.rules import Rules
from skill_evaluator.model import JsonObject


@dataclass(frozen=True, kw_only=True, slots=True)
class Asking:
    """What one run of the program is told.

    Attributes:
        max_turns: Turns of the agent.
        rules: Which tools it may use.
        model: Or None for the program's own choice.
        plugins: Roots of the plugins that are loaded.
        append_system_prompt: Text added to its system prompt, or None.
        resume: Transcript to go on with, or None.
        settings: Further settings, empty for none.
        mcp_config: File that lists MCP servers, or None.
        is_exclusive: Whether no other MCP server may be started.
    """

    max_turns: int
    rules: Rules
    model: str | None = None
    plugins: Sequence[Path] = ()
    append_system_prompt: str | None = None
    resume: Path | None = None
    settings: JsonObject = field(default_factory=dict)
    mcp_config: Path | None = None
    is_exclusive: bool = True


def arguments(asking: Asking) -> list[str]:
    """Write the options of the program; the prompt goes to its standard input."""
    return [
        *("-p", "--output-format", "stream-json", "--verbose"),
        *("--max-turns", str(asking.max_turns), "--permission-mode", "dontAsk", "--setting-sources", "user"),
        *_chosen(asking),
        *_rules(asking.rules),
    ]


def _chosen(asking: Asking) -> Iterator[str]:
    """A value that a suite wrote is joined to its option, so that it is never taken for another one."""
    if asking.model is not None:
        yield f"--model={asking.model}"
    for plugin in asking.plugins:
        yield from ("--plugin-dir", str(plugin))
    if asking.append_system_prompt is not None:
        yield f"--append-system-prompt={asking.append_system_prompt}"
    if asking.resume is not None:
        yield from ("--resume", str(asking.resume))
    if asking.settings:
        yield f"--settings={json.dumps(asking.settings)}"
    if asking.mcp_config is not None:
        yield f"--mcp-config={asking.mcp_config}"
    if asking.is_exclusive:
        yield "--strict-mcp-config"


def _rules(rules: Rules) -> Iterator[str]:
    if rules.allowed:
        yield "--allowed-tools=" + ",".join(rules.allowed)
    if rules.disallowed:
        yield "--disallowed-tools=" + ",".join(rules.disallowed)
