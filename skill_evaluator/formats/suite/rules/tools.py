"""Rules about tools: such as are not there in a run, not granted, not mocked, or named otherwise."""

import re
from collections.abc import Iterator
from typing import Final

from skill_evaluator.formats.suite.rules.tested import calls_of, doubt_at, is_skill_count, needed_calls
from skill_evaluator.formats.suite.seen import Doubt, SeenCase, SeenSuite
from skill_evaluator.graders.javascript import has_match, pattern_fault

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
            message = (
                f"{name!r} is not there in a run unless granted with `--allow-tools {name}`, so the grader fails; "
                "list it in `allowed_tools` and grant it, and a run without the grant says so"
            )
            yield doubt_at(seen, calls.path, message, tool=name)
        elif name in LISTED:
            message = f"{name!r} is only allowed where the case lists it in `allowed_tools`; add it there"
            yield doubt_at(seen, calls.path, message, tool=name)


def tool_disallowed(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """The case takes away what its own grader asks for."""
    for seen, calls in needed_calls(case):
        name = calls.selector.tool
        if name in _denied(case):
            message = f"the grader asks for calls of {name!r}, which the case itself lists in `disallowed_tools`"
            yield doubt_at(seen, calls.path, f"{message}; take it out of one of the two", tool=name)


def tool_misnamed(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """Names of tools are compared as they stand, case and all."""
    for seen in case.graders:
        for calls in calls_of(seen):
            name = calls.selector.tool
            meant = _RENAMED.get(name) or _KNOWN.get(name.lower())
            if meant is not None and meant != name:
                message = f"no tool is called {name!r}, so no call is ever counted; write {meant!r}"
                yield doubt_at(seen, calls.path, message, tool=name, nearest=meant)


def skill_not_in_plugin(case: SeenCase, suite: SeenSuite) -> Iterator[Doubt]:
    """A pattern for the name of a skill that fits none of the plugin's counts no call."""
    plugin = suite.plugin
    if plugin is None or case.setup.plugins != (plugin.root,):
        return  # the skills of other plugins are not looked at
    for seen in case.graders:
        for calls in calls_of(seen) if is_skill_count(seen) else ():
            pattern = calls.selector.input_match
            if pattern is None or pattern_fault(pattern, "") is not None:
                continue
            if any(_fits(pattern, skill, plugin.name) for skill in plugin.skills):
                continue
            there = ", ".join(plugin.skills[:5]) or "none at all"
            verdict = "passes" if calls.least == 0 else "fails"
            message = (
                f"`input_match` {pattern!r} names no skill of the plugin, so the grader {verdict} whatever fires; "
                f"its skills and commands: {there}"
            )
            yield doubt_at(seen, ("input_match",), message, skills=list(plugin.skills))


def _fits(pattern: str, skill: str, plugin: str) -> bool:
    """Try the pattern on plain calls; where it asks for more, such as arguments, the name in it is enough."""
    inputs = (f'{{"skill":"{form}{args}}}' for form in (skill, f"{plugin}:{skill}") for args in ('"', '","args":"x"'))
    name, own = re.escape(skill), re.escape(plugin)
    spelled = rf"(?:(?<![\w-])(?<!\w:)|(?<![\w-]){own}:){name}(?![\w-])"
    plain = re.sub(r"\\(.)", r"\1", pattern)
    return re.search(spelled, plain) is not None or any(has_match(pattern, "", text) is True for text in inputs)


def is_known_tool(name: str) -> bool:
    """Say whether a name is that of a tool of the program itself, be it misspelled in its case or out of date."""
    return name.lower() in _KNOWN or name in _RENAMED


def _denied(case: SeenCase) -> list[str]:
    """Give tools denied as a whole; one denied only for some inputs, such as `Bash(rm:*)`, is still there."""
    setup = case.case.setup if case.case else None
    return [entry for entry in setup.disallowed_tools if "(" not in entry] if setup else []


def _name(entry: str) -> str:
    return entry.partition("(")[0].strip()
