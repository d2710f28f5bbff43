"""Rules about tools: such as are not there in a run, not granted, not mocked, or named otherwise."""

import re
from collections.abc import Iterator
from typing import Final

from skill_evaluator.formats.suite.rules.skills import skill_as_tool
from skill_evaluator.formats.suite.rules.tested import calls_of, doubt_at, needed_calls
from skill_evaluator.formats.suite.seen import Doubt, SeenCase, SeenSuite
from skill_evaluator.texts import joined, tr

# Removed from a run unless the command line grants them, whatever the case lists.
# Source: Claude Code manual, "Test plugins with evals", granting tools; suites recorded with Claude Code 2.1.332.
GATED: Final = frozenset(
    (
        *("Artifact", "Bash", "BashOutput", "CronCreate", "CronDelete", "CronList", "Edit", "KillShell"),
        *("MultiEdit", "NotebookEdit", "PowerShell", "WebFetch", "WebSearch", "Workflow", "Write"),
    )
)
# Granted where the case lists them; the first five are there in any case.
ALWAYS_THERE: Final = ("Agent", "Glob", "Grep", "Read", "Skill", "ToolSearch")
LISTED: Final = (
    ("AskUserQuestion", "NotebookRead", "TaskCreate", "TaskGet", "TaskList", "TaskStop", "TaskUpdate", "TodoWrite")
)  # fmt: skip
_KNOWN: Final = {name.lower(): name for name in (*GATED, *ALWAYS_THERE, *LISTED)}
_RENAMED: Final = {"Task": "Agent"}


def tool_not_granted(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """A tool that is not there cannot be called; only the command line grants those that change or reach things."""
    if case.case is None or case.case.setup is None:
        return
    allowed = [_name(entry) for entry in case.case.setup.allowed_tools]
    for seen, calls in needed_calls(case):
        name = calls.selector.tool
        if name in allowed or name in _denied(case):
            continue
        if name in GATED:
            message = tr(
                "{name!r} is not there in a run unless granted with `--allow-tools {name}`, so the grader "
                "fails; list it in `allowed_tools` and grant it, and a run without the grant says so",
                name=name,
            )
            yield doubt_at(seen, calls.path, message, tool=name)
        elif name in LISTED:
            message = tr("{name!r} is only allowed where the case lists it in `allowed_tools`; add it there", name=name)
            yield doubt_at(seen, calls.path, message, tool=name)


def tool_disallowed(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """The case takes away what its own grader asks for."""
    for seen, calls in needed_calls(case):
        name = calls.selector.tool
        if name in _denied(case):
            message = tr(
                "the grader asks for calls of {name!r}, which the case itself lists in `disallowed_tools`", name=name
            )
            yield doubt_at(seen, calls.path, tr("{message}; take it out of one of the two", message=message), tool=name)


def tool_misnamed(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """Names of tools are compared as they stand, case and all."""
    for seen in case.graders:
        for calls in calls_of(seen):
            name = calls.selector.tool
            tool, bracket, inner = name.partition("(")
            meant = _RENAMED.get(tool) or _KNOWN.get(tool.lower()) or tool
            if bracket or meant != name:
                remedy = joined("", [tr("write {meant!r}", meant=meant), _with_input(inner) if bracket else ""])
                message = tr(
                    "no tool is called {name!r}, so no call is ever counted; {remedy}", name=name, remedy=remedy
                )
                yield doubt_at(seen, calls.path, message, tool=name, nearest=meant)
    yield from skill_as_tool(case)


def _with_input(rule: str) -> str:
    """Say how to ask for some calls of a tool alone, for which `allowed_tools` has brackets."""
    wanted = rule.removesuffix(")").removesuffix("*").rstrip(": ")
    pattern = re.sub(r"([\\^$.|?*+()\[\]{}])", r"\\\1", wanted)
    return (
        tr(" and `input_match: {pattern}`, since brackets are for `allowed_tools` alone", pattern=pattern)
        if pattern
        else ""
    )


def is_known_tool(name: str) -> bool:
    """Say whether a name is that of a tool of the program itself, be it misspelled in its case or out of date."""
    return name.lower() in _KNOWN or name in _RENAMED


def _denied(case: SeenCase) -> list[str]:
    """Give tools denied as a whole; one denied only for some inputs, such as `Bash(rm:*)`, is still there."""
    setup = case.case.setup if case.case else None
    return [entry for entry in setup.disallowed_tools if "(" not in entry] if setup else []


def _name(entry: str) -> str:
    return entry.partition("(")[0].strip()
