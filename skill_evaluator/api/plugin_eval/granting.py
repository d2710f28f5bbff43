"""What cases ask for that the command line does not grant."""

from collections.abc import Iterator

from skill_evaluator.api.plugin_eval.options import SuiteOptions
from skill_evaluator.formats.suite.rules.tools import ALWAYS_THERE, GATED, LISTED
from skill_evaluator.graders.suite import CallOrder, ToolUsed
from skill_evaluator.model import Case, Grader


def not_granted(case: Case, options: SuiteOptions) -> tuple[str, ...]:
    """Give the tools that a case lists and no run of it has, as written."""
    asked = case.setup.allowed_tools if case.setup else ()
    granted = {tool_of(entry) for entry in options.allow_tools}
    known = {*ALWAYS_THERE, *LISTED, *granted}
    return tuple(dict.fromkeys(entry for entry in asked if tool_of(entry) not in known and not _is_served(entry, case)))


def advisories(case: Case, options: SuiteOptions) -> tuple[str, ...]:
    """Say which graders cannot pass since a tool that they ask for is not there."""
    granted = {tool_of(entry) for entry in options.allow_tools}
    return tuple(
        f"the grader {grader.name!r} cannot pass: {tool} is not there in a run unless granted with --allow-tools {tool}"
        for grader in case.graders
        for tool in _needed(grader)
        if tool in GATED and tool not in granted
    )


def tool_of(entry: str) -> str:
    """Name the tool of a grant.

    >>> tool_of("Bash(npm test *)")
    'Bash'
    """
    return entry.partition("(")[0].strip()


def _is_served(entry: str, case: Case) -> bool:
    """Whether a tool of an MCP server is meant, which stand-ins answer without a grant."""
    return entry.startswith("mcp__") and bool(case.setup and case.setup.mocks)


def _needed(grader: Grader) -> Iterator[str]:
    match grader.check:
        case ToolUsed(tool=tool, min=least) if least is None or least > 0:
            yield tool
        case CallOrder(before=before, after=after):
            yield from dict.fromkeys((before.tool, after.tool))
        case _:
            pass
