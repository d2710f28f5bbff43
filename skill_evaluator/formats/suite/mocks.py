"""The stand-ins of a suite and of one of its cases, joined file by file.

All files of both must load, even those that another file takes the place of.

Source: Suites recorded with Claude Code 2.1.332.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.mock_files import SERVER_FILE, MockFile
from skill_evaluator.formats.suite.mock_folders import MockFolder, PlacedFault, ServerFiles
from skill_evaluator.formats.suite.mock_listing import LISTING_FILE, schema_problem
from skill_evaluator.model import MockServer, MockTool
from skill_evaluator.texts import tr

MAX_TOOL_NAME: Final = 128  # of the whole name that the model sees, mcp__<server>__<tool>


def merge_mocks(suite: MockFolder, case: MockFolder, *, declared: frozenset[str]) -> tuple[MockServer, ...]:
    """Join the stand-ins of a suite with those of a case, whose files take the place of the suite's of the same name.

    Args:
        suite: What the suite's `mocks/` holds.
        case: What the case's own holds.
        declared: Names of the MCP servers that the plugins under test declare.

    Returns:
        The servers in order of name; those without any tool are left out.
    """
    servers = []
    for name in sorted(suite.servers.keys() | case.servers.keys()):
        below, above = suite.servers.get(name, ServerFiles()), case.servers.get(name, ServerFiles())
        files = {**below.files, **above.files}
        tools = _tools(files)
        listing = above.listing if above.listing is not None else below.listing or ()
        if tools:
            server = MockServer(name=name, is_declared=name in declared, tools=tools, listing=listing)
            servers.append(replace(server, overruled=_overruled(files)))
    return tuple(servers)


def offer_faults(servers: tuple[MockServer, ...], declared: Mapping[str, str]) -> Iterator[PlacedFault]:
    """Give what keeps the real program from offering a tool to the model, which fails every run.

    Args:
        servers: The stand-ins of a case.
        declared: What the model sees of the name of a declared server, by name; the name itself for others.
    """
    seen: dict[str, str] = {}
    for server in servers:
        other = seen.setdefault(declared.get(server.name, server.name), server.name)
        if other != server.name:
            message = tr("stands for the same server as {other!r}; keep one of the two folders", other=other)
            yield server.tools[0].path.parent, _fails("mock-server-twice", message)
        entries = {str(tool["name"]): tool for tool in server.listing}
        for tool in server.tools:
            full = f"mcp__{declared.get(server.name, server.name)}__{tool.name}"
            if len(full) > MAX_TOOL_NAME:
                message = tr(
                    "stands for {full!r}, a name of {count} characters; {limit} is the most",
                    full=full,
                    count=len(full),
                    limit=MAX_TOOL_NAME,
                )
                yield tool.path, _fails("mock-name-long", tr("{message}, so use a shorter one", message=message))
            if (problem := schema_problem(entries.get(tool.name, {}))) is not None:
                message = tr("has an inputSchema for {name!r} {problem}", name=tool.name, problem=problem)
                yield tool.path.parent / LISTING_FILE, _fails("mock-listing", message)


def _tools(files: Mapping[str, tuple[Path, MockFile]]) -> tuple[MockTool, ...]:
    """Give the tools of a server: those of `_server.md`, then those with a file, which goes before it."""
    tools = {}
    if SERVER_FILE in files:
        path, mock = files[SERVER_FILE]
        tools = {name: _tool(name, path, mock) for name in mock.tools}
    for name, (path, mock) in files.items():
        if name != SERVER_FILE:
            tools[path.stem] = _tool(path.stem, path, mock)
    return tuple(tools.values())


def _overruled(files: Mapping[str, tuple[Path, MockFile]]) -> tuple[str, ...]:
    listed = files[SERVER_FILE][1].tools if SERVER_FILE in files else ()
    return tuple(name for name in dict.fromkeys(listed) if f"{name}.md" in files)


def _tool(name: str, path: Path, mock: MockFile) -> MockTool:
    return MockTool(
        name=name,
        kind=mock.kind,
        body=mock.body,
        path=path,
        expect=dict(mock.expect),
        is_error=mock.is_error,
        abort_when=mock.abort_when,
    )


def _fails(code: str, message: str) -> SuiteFault:
    return SuiteFault(code=code, path=(), message=message, effect="fails")
