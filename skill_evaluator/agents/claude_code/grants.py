"""What the user lets the agent of a suite do beyond reading, and what the user takes away.

Source: what `claude plugin eval`, 2.1.332, was seen to take, to refuse and to hand to its children.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from skill_evaluator.agents.claude_code.tool_names import (
    NEVER,
    ON_REQUEST,
    READERS,
    SHELLS,
    WRITERS,
    is_removable,
    real_name,
)
from skill_evaluator.texts import tr

_ENTRY: Final = re.compile(r"(?P<tool>[^()\s,]+)(?:\((?P<pattern>.*)\))?", re.DOTALL)
_SERVER_TOOLS: Final = re.compile(r"mcp__[^*]+__[^*]*\*")  # the one place for a wildcard in a name
_BARE_PATTERNS: Final = ("", "*")  # of a tool for files: as good as none
_DOMAIN: Final = "domain:"


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One rule for a tool, such as `Bash(npm test *)`.

    Attributes:
        text: As it was written.
        tool: The tool alone.
        pattern: What stands in parentheses; None without any.
    """

    text: str
    tool: str
    pattern: str | None = None

    @property
    def is_bare(self) -> bool:
        """Whether every use of the tool is meant."""
        return self.pattern is None or (self.tool in (*READERS, *WRITERS) and self.pattern in _BARE_PATTERNS)

    def covers(self, other: "Entry") -> bool:
        """Whether what another entry asks for is given by this one, in part at least."""
        if self.tool.startswith("mcp__"):
            return self.tool == other.tool or _server_covers(self.tool, other.tool)
        if real_name(self.tool) != real_name(other.tool):
            return False
        return self.is_bare or other.is_bare or self.pattern == other.pattern


def _server_covers(rule: str, tool: str) -> bool:
    start = rule[:-1] if rule.endswith("*") else f"{rule}__"
    return tool.startswith(start)


@dataclass(frozen=True, kw_only=True, slots=True)
class Grants:
    """What `--allow-tools` gives.

    Attributes:
        entries: As the user wrote them, without those that were refused.
        refused: Entries that are malformed, each with what is wrong, for people.
    """

    entries: tuple[str, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()

    @property
    def rules(self) -> tuple[Entry, ...]:
        """The entries, taken apart."""
        return tuple(entry for text in self.entries if (entry := read_entry(text)) is not None)

    @property
    def tools(self) -> frozenset[str]:
        """Names of the tools that are granted in any form."""
        return frozenset(real_name(rule.tool) for rule in self.rules)

    @property
    def has_shell(self) -> bool:
        """Whether a shell is granted in any form."""
        return not self.tools.isdisjoint(SHELLS)

    @property
    def domains(self) -> tuple[str, ...]:
        """Domains that may be fetched from, in the order written."""
        patterns = [rule.pattern or "" for rule in self.rules if rule.tool == "WebFetch"]
        found = (pattern.removeprefix(_DOMAIN) for pattern in patterns if pattern.startswith(_DOMAIN))
        return tuple(dict.fromkeys(domain for domain in found if domain))

    def without(self, tools: Sequence[str]) -> "Grants":
        """Take tools away again, by name."""
        gone = {real_name(tool) for tool in tools}
        return replace(self, entries=tuple(rule.text for rule in self.rules if real_name(rule.tool) not in gone))


def read_grants(entries: Sequence[str]) -> Grants:
    """Read the values of `--allow-tools`; one value may hold several entries, apart by blanks or commas."""
    taken: list[str] = []
    refused: list[tuple[str, str]] = []
    for value in entries:
        parts = _parts(value)
        faults = [fault for part in parts if (fault := _fault(part)) is not None]
        if faults:
            refused.append((value, faults[0]))
        else:
            taken += parts
    return Grants(entries=tuple(dict.fromkeys(taken)), refused=tuple(refused))


def read_entry(text: str) -> Entry | None:
    """Take a rule apart; None where it is none."""
    found = _ENTRY.fullmatch(text)
    return Entry(text=text, tool=found["tool"], pattern=found["pattern"]) if found else None


def not_granted(asked: Sequence[str], grants: Grants, stand_in_tools: Sequence[str] = ()) -> tuple[str, ...]:
    """Give the tools of a case that its runs do without, in the order written.

    Args:
        asked: `allowed_tools` of the case.
        grants: What the user gave.
        stand_in_tools: Full names of tools that stand-ins answer; they need no grant.
    """
    given = (*grants.rules, *(Entry(text=tool, tool=tool) for tool in stand_in_tools))
    return tuple(dict.fromkeys(text for text in asked if not _is_given(text, given)))


def on_request(asked: Sequence[str]) -> tuple[Entry, ...]:
    """Give what a case gets by asking for it: tools that read, inside the folders of the run alone."""
    found = (read_entry(text) for text in asked)
    return tuple(entry for entry in found if entry is not None and _is_on_request(entry))


def read_disallowed(entries: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Read the values of `--disallow-tools`, or of `disallowed_tools` of a case.

    Returns:
        The tools by the names that the program has for them; and the entries that name no tool of its own that it
        can do without: patterns and tools of MCP servers never do.
    """
    parts = [part for value in entries for part in _parts(value)]
    names = dict.fromkeys(real_name(part) for part in parts if is_removable(part))
    return tuple(names), tuple(part for part in parts if not is_removable(part))


def _is_given(text: str, given: Sequence[Entry]) -> bool:
    entry = read_entry(text)
    return entry is not None and (_is_on_request(entry) or any(rule.covers(entry) for rule in given))


def _is_on_request(entry: Entry) -> bool:
    if real_name(entry.tool) not in ON_REQUEST:
        return False
    return entry.tool not in READERS or entry.pattern is None or _stays_inside(entry.pattern)


def _stays_inside(pattern: str) -> bool:
    """Whether a pattern for files is relative to the workspace and leads nowhere else."""
    return not pattern.startswith(("/", "~")) and ".." not in pattern.split("/")


def _parts(value: str) -> list[str]:
    """Split at blanks and commas that stand in no parentheses."""
    return list(_split(value))


def _split(value: str) -> Iterator[str]:
    depth, start = 0, 0
    for place, sign in enumerate(f"{value} "):
        if place == len(value) or (depth == 0 and (sign.isspace() or sign == ",")):
            if place > start:
                yield value[start:place]
            start = place + 1
        elif sign in "()":
            depth = max(depth + (1 if sign == "(" else -1), 0)


def _fault(part: str) -> str | None:
    entry = read_entry(part)
    if entry is None:
        return tr("write the name of a tool, or Tool(pattern) with both parentheses")
    if entry.tool in NEVER:
        return tr("{tool} is there in no run of a suite", tool=entry.tool)
    if entry.tool.startswith("mcp__") and entry.pattern is not None:
        return tr("a tool of an MCP server takes no pattern; write its name, or mcp__server__* for all of a server")
    if "*" in entry.tool and not _SERVER_TOOLS.fullmatch(entry.tool):
        return tr("a name has no wildcard, but for mcp__server__* for all tools of one server")
    return None
