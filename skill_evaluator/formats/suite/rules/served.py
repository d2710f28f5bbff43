"""Rules about tools of MCP servers: what they are called in a run, and which of them answer.

The model sees the tool of a server as `mcp__<server>__<tool>`. The name of a plugin's own server begins with
`plugin_<plugin>_`, whatever its folder in `mocks/` is called, and what is no letter, digit, `_` or `-` becomes `_`.

Source: Suites recorded with Claude Code 2.1.332.
"""

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from skill_evaluator.formats.suite.rules.tested import calls_of as all_calls
from skill_evaluator.formats.suite.rules.tested import doubt_at, needed_calls
from skill_evaluator.formats.suite.rules.tools import is_known_tool
from skill_evaluator.formats.suite.seen import Doubt, SeenCase, SeenSuite
from skill_evaluator.texts import listed, tr

_PREFIX: Final = "mcp__"
_NEAR: Final = 0.7  # difflib ratio: a letter or two off
_JOINTS: Final = ("__", "_", ".", "/", ":")  # how authors join the names of a server and of a tool


@dataclass(frozen=True, slots=True)
class _Server:
    """A server in a run: its folder in `mocks/`, its name in names of tools, and the tools that a mock answers."""

    folder: str
    full: str
    tools: tuple[str, ...]

    def name_of(self, tool: str) -> str:
        return f"{_PREFIX}{self.full}__{tool}"


def tool_not_mocked(case: SeenCase, suite: SeenSuite) -> Iterator[Doubt]:
    """The plugin's servers are not started in a run; only tools with a mock file answer."""
    if not suite.mocks_load:
        return
    servers = _servers(case)
    for seen, calls in needed_calls(case):
        name = calls.selector.tool
        server = next(
            (one for one in servers if name.startswith(one.name_of("")) and one.full in _declared(case)), None
        )
        tool = name.removeprefix(server.name_of("")) if server else ""
        if server is None or tool in server.tools:
            continue
        near = _near(tool, server.tools)
        meant = tr("; was {near!r} meant?", near=server.name_of(near)) if near else ""
        message = tr(
            "no mock answers {name!r}, and a run does not start the plugin's own servers; add "
            "`mocks/{folder}/{tool}.md`, or run with `--allow-real-servers` and a grant{meant}",
            name=name,
            folder=server.folder,
            tool=tool,
            meant=meant,
        )
        yield doubt_at(seen, calls.path, message, tool=name)


def mocked_tool_misnamed(case: SeenCase, suite: SeenSuite) -> Iterator[Doubt]:
    """Calls are counted by the whole name alone."""
    if not suite.mocks_load:
        return
    servers = _servers(case)
    there = {server.name_of(tool) for server in servers for tool in server.tools}
    for seen in case.graders:
        for calls in all_calls(seen):
            name = calls.selector.tool
            if name in there or any(name.startswith(f"{_PREFIX}{full}__") for full in _declared(case)):
                continue
            remedy = _remedy(name, servers) if name.startswith(_PREFIX) else _bare_remedy(name, servers)
            if remedy is not None:
                message = tr(
                    "no tool is called {name!r} in a run, so no call is ever counted; {remedy}",
                    name=name,
                    remedy=remedy,
                )
                yield doubt_at(seen, calls.path, message, tool=name)


def _servers(case: SeenCase) -> tuple[_Server, ...]:
    """Give the servers of a run: those with mocks, and those that its plugins declare; a server has one folder name."""
    mocks = case.setup.mocks
    found = {
        full: _Server(mock.name, full, tuple(tool.name for tool in mock.tools))
        for mock in mocks
        for full in [case.served.get(mock.name, mock.name)]
    }
    for folder, full in case.served.items():
        if folder != full:
            found.setdefault(full, _Server(folder, full, ()))
    return tuple(found.values())


def _declared(case: SeenCase) -> Mapping[str, None]:
    return dict.fromkeys(case.served.values())


def _remedy(name: str, servers: Iterable[_Server]) -> str:
    written, _, tool = name.removeprefix(_PREFIX).partition("__")
    by_name = {spelled: one for one in servers for spelled in (f"plugin_{one.folder}", one.full, one.folder)}
    near = _near(written, by_name)
    if near is None:
        return _no_server(written, tool, by_name.values())
    server = by_name[near]
    right = _near(tool, server.tools)
    if right is None:
        return tr(
            "tools of the server {folder!r} are called {names!r}, and no mock answers one",
            folder=server.folder,
            names=server.name_of("<tool>"),
        )
    return tr(
        "the mock mocks/{folder}/ answers to {name!r}, so write that", folder=server.folder, name=server.name_of(right)
    )


def _no_server(written: str, tool: str, servers: Iterable[_Server]) -> str:
    names = list(dict.fromkeys(server.name_of(tool) for server in servers for tool in server.tools))
    there = (
        tr("write one of {names}", names=listed(names[:5]))
        if names
        else tr("add `mocks/{written}/{tool}.md`", written=written, tool=tool or "<tool>")
    )
    return tr("neither the plugin nor `mocks/` has a server {written!r}, so {there}", written=written, there=there)


def _bare_remedy(name: str, servers: Iterable[_Server]) -> str | None:
    """Tell the whole name of a tool that is named without its server, or joined to it in another way."""
    if is_known_tool(name):
        return None
    for server in servers:
        for tool in server.tools:
            if name in {tool, *(f"{server.folder}{joint}{tool}" for joint in _JOINTS)}:
                return tr(
                    "the mock mocks/{folder}/{tool}.md answers to {name!r}, so write that",
                    folder=server.folder,
                    tool=tool,
                    name=server.name_of(tool),
                )
    return None


def _near(word: str, known: Iterable[str]) -> str | None:
    return next(iter(difflib.get_close_matches(word, list(known), n=1, cutoff=_NEAR)), None)
