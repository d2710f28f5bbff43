"""What cases ask for that the command line does not grant."""

from collections.abc import Iterator

from skill_evaluator.agents.claude_code import grants
from skill_evaluator.agents.claude_code.tool_names import GATED, SHELLS, WRITERS, real_name
from skill_evaluator.api.plugin_eval.options import SuiteOptions
from skill_evaluator.graders.suite import CallOrder, FileExists, FileTarget, Llm, Regex, ToolUsed
from skill_evaluator.model import Case, Grader
from skill_evaluator.texts import tr


def refused_grants(options: SuiteOptions) -> tuple[str, ...]:
    """Say which entries of `--allow-tools` are malformed; the suite is run without them, and ends with a fault."""
    return tuple(
        tr("--allow-tools: {entry!r} is not granted: {why}", entry=entry, why=why)
        for entry, why in grants.read_grants(options.allow_tools).refused
    )


def refused_removals(options: SuiteOptions) -> tuple[str, ...]:
    """Say which entries of `--disallow-tools` name no tool that can be taken away; nothing is run then."""
    _, refused = grants.read_disallowed(options.disallow_tools)
    return tuple(
        tr(
            "--disallow-tools: {entry!r} is no built-in tool of Claude Code that can be taken away, so no case "
            "was run; "
            "write bare names, such as Agent, without patterns, and no tools of MCP servers",
            entry=entry,
        )
        for entry in refused
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
    setup = case.setup
    gone, _ = grants.read_disallowed((*options.disallow_tools, *(setup.disallowed_tools if setup else ())))
    granted = grants.read_grants(options.allow_tools).without(gone).tools
    has_script = options.scaffold and setup is not None and setup.scaffold_script is not None
    return tuple(
        tr("the grader {name!r} cannot pass: {why}", name=grader.name, why=why)
        for grader in case.graders
        for why in _faults(grader, _given(granted), frozenset(gone), has_script=has_script)
    )


def _given(granted: frozenset[str]) -> frozenset[str]:
    """Add what the grant of one tool that writes brings with it: all of them."""
    return granted if granted.isdisjoint(WRITERS) else granted.union(WRITERS)


def _faults(grader: Grader, granted: frozenset[str], gone: frozenset[str], *, has_script: bool) -> Iterator[str]:
    for tool in _needed(grader):
        if tool in gone:
            yield tr("{tool} is disallowed", tool=tool)
        elif real_name(tool) in GATED and real_name(tool) not in granted:
            yield tr("{tool} is not there in a run unless granted with --allow-tools {tool}", tool=tool)
    if granted.isdisjoint((*WRITERS, *SHELLS)) and _needs_new_file(grader, has_script=has_script):
        yield tr("no tool that makes files is granted; grant one, as with --allow-tools Write")


def _needs_new_file(grader: Grader, *, has_script: bool) -> bool:
    """Whether it looks for a file that the run made; a script that fills the workspace makes contents, no new file."""
    match grader.check:
        case FileExists(exists=exists):
            return exists
        case Regex(target="files", match=match):
            return match not in ("not_contains", "count:0")
        case Regex(target=FileTarget()) | Llm(focus=FileTarget()):
            return not has_script
        case _:
            return False


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
