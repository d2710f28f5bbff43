"""What cases ask for that the command line does not grant."""

from collections.abc import Iterator

from skill_evaluator.agents.claude_code import grants
from skill_evaluator.agents.claude_code.tool_names import GATED, SHELLS, WRITERS, real_name
from skill_evaluator.api.plugin_eval.options import SuiteOptions
from skill_evaluator.graders.suite import CallOrder, FileExists, ToolUsed
from skill_evaluator.model import Case, Grader


def refused_grants(options: SuiteOptions) -> tuple[str, ...]:
    """Say which entries of `--allow-tools` are malformed; the suite is run without them, and ends with a fault."""
    return tuple(
        f"--allow-tools: {entry!r} is not granted: {why}"
        for entry, why in grants.read_grants(options.allow_tools).refused
    )


def not_granted(case: Case, options: SuiteOptions) -> tuple[str, ...]:
    """Give the tools that a case lists and no run of it has, as written."""
    asked = case.setup.allowed_tools if case.setup else ()
    return grants.not_granted(asked, grants.read_grants(options.allow_tools), tuple(_stood_in_for(case, options)))


def advisories(case: Case, options: SuiteOptions) -> tuple[str, ...]:
    """Say which graders cannot pass since no tool that they ask for is there.

    Source:
        Runs of Claude Code 2.1.332.
    """
    granted = grants.read_grants(options.allow_tools).tools
    return tuple(
        f"the grader {grader.name!r} cannot pass: {why}" for grader in case.graders for why in _faults(grader, granted)
    )


def _faults(grader: Grader, granted: frozenset[str]) -> Iterator[str]:
    for tool in _needed(grader):
        if real_name(tool) in GATED and real_name(tool) not in granted:
            yield f"{tool} is not there in a run unless granted with --allow-tools {tool}"
    if isinstance(grader.check, FileExists) and grader.check.exists and granted.isdisjoint((*WRITERS, *SHELLS)):
        yield "no tool that makes files is granted; grant one, as with --allow-tools Write"


def _stood_in_for(case: Case, options: SuiteOptions) -> Iterator[str]:
    """Give the tools that stand-ins answer, as the agent calls them."""
    if case.setup is None or options.mocks == "off":
        return
    served = options.suite.served.get(case.id, {})
    for server in case.setup.mocks:
        yield from (f"mcp__{served.get(server.name, server.name)}__{tool.name}" for tool in server.tools)


def _needed(grader: Grader) -> Iterator[str]:
    match grader.check:
        case ToolUsed(tool=tool, min=least) if least is None or least > 0:
            yield tool
        case CallOrder(before=before, after=after):
            yield from dict.fromkeys((before.tool, after.tool))
        case _:
            pass
