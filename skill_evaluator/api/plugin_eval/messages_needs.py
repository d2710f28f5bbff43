"""What cases of a suite need that agent messages lacks; it runs nothing, so it has no shell, hooks or servers."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from skill_evaluator.api.plugin_eval.options import SuiteOptions
from skill_evaluator.formats.suite.plugin import Plugin
from skill_evaluator.formats.suite.rules.tools import ALWAYS_THERE, LISTED
from skill_evaluator.graders.suite import CallOrder, ToolUsed
from skill_evaluator.model import Case, Grader, Setup
from skill_evaluator.skill_names import SKILL_TOOL
from skill_evaluator.texts import tr

READING: Final = frozenset({"Read", "Glob", "Grep", SKILL_TOOL})
_OF_PROGRAM: Final = (frozenset(ALWAYS_THERE) | frozenset(LISTED)) - READING
# Parts of a plugin that only the program itself loads: what stands in its folder, and keys of its manifest.
_PARTS: Final = {
    "hooks": "hooks",
    "agents": "agents",
    "commands": "commands",
    "outputStyles": "output-styles",
    "lspServers": ".lsp.json",
}


def needs(case: Case, options: SuiteOptions, plugins: tuple[Plugin, ...]) -> Iterator[str]:
    """Say what a case needs beyond skills and reading, one phrase each.

    Args:
        case: A case of a suite.
        options: What the command line says.
        plugins: The plugins with which it is run.
    """
    setup = case.setup or Setup(folder=Path())
    if setup.scaffold_script and options.scaffold:
        yield tr("runs a scaffold script")
    if setup.mocks and options.mocks == "record":
        yield tr("has mocks of MCP servers")
    if any(plugin.servers for plugin in plugins):
        yield tr("has a plugin with MCP servers")
    parts = sorted({part for plugin in plugins for part in _parts(plugin)})
    if parts:
        yield tr("has a plugin with {parts}", parts=", ".join(parts))
    if case.prompt.startswith("/"):
        yield tr("calls a command by its prompt")
    yield from _of_tools(case, setup, options)


def _of_tools(case: Case, setup: Setup, options: SuiteOptions) -> Iterator[str]:
    granted = {_tool(entry) for entry in options.allow_tools}
    listed = {_tool(entry) for entry in setup.allowed_tools}
    asked = {tool for grader in case.graders for tool in _needed(grader)}
    beyond = sorted((listed & granted - READING) | ((listed | asked) & _OF_PROGRAM))
    if beyond:
        yield tr("uses {beyond}", beyond=", ".join(beyond))
    rules = [entry for entry in (*setup.disallowed_tools, *options.disallow_tools) if "(" in entry]
    if rules:
        yield tr("takes a part of a tool away ({rule!r})", rule=rules[0])


def _tool(entry: str) -> str:
    return entry.partition("(")[0].strip()


def _needed(grader: Grader) -> Iterator[str]:
    match grader.check:
        case ToolUsed(tool=tool, min=least) if least is None or least > 0:
            yield tool
        case CallOrder(before=before, after=after):
            yield from (before.tool, after.tool)
        case _:
            pass


def _parts(plugin: Plugin) -> Iterator[str]:
    for key, place in _PARTS.items():
        if plugin.manifest.values.get(key) or _has_content(plugin.root / place):
            yield place.lstrip(".").removesuffix(".json")


def _has_content(path: Path) -> bool:
    try:
        return path.is_file() or (path.is_dir() and bool(list(path.iterdir())))
    except OSError:
        return False
