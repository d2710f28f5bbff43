"""`mocks/`: the stand-ins of a suite and of one of its cases, file by file -> servers, or what keeps them from loading.

All files of both folders must load, even those that another file takes the place of.

Source: Suites recorded with Claude Code 2.1.332.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.mock_files import (
    NAME_WORDS,
    SERVER_FILE,
    MockFile,
    is_mock_name,
    read_mock_file,
)
from skill_evaluator.formats.suite.mock_listing import LISTING_FILE, is_offered, read_listing
from skill_evaluator.formats.suite.reading import Entry, list_folder, read_inside
from skill_evaluator.model import JsonObject, MockServer, MockTool

MOCKS: Final = "mocks"
MAX_IN_FOLDER: Final = 256
MAX_TOOL_NAME: Final = 128  # of the whole name that the model sees, mcp__<server>__<tool>

PlacedFault = tuple[Path, SuiteFault]


@dataclass(frozen=True, kw_only=True, slots=True)
class ServerFiles:
    """The files of `mocks/<server>/` that were read.

    Attributes:
        files: By name of the file, `_server.md` among them.
        listing: Tools as `_tools.json` has them, or None without one.
    """

    files: Mapping[str, tuple[Path, MockFile]] = field(default_factory=dict)
    listing: tuple[JsonObject, ...] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class MockFolder:
    """What one `mocks/` holds.

    Attributes:
        servers: By name.
        faults: What keeps files from loading; one is enough for every run to fail.
    """

    servers: Mapping[str, ServerFiles] = field(default_factory=dict)
    faults: tuple[PlacedFault, ...] = ()


def read_mock_folder(folder: Path, *, root: Path) -> MockFolder:
    """Read a `mocks/` of a suite or of a case.

    Args:
        folder: The folder; it need not exist.
        root: The outermost folder that may be read.

    Returns:
        What it holds; nothing where there is no such folder.
    """
    if not folder.is_symlink() and not folder.exists():
        return MockFolder()
    entries = list_folder(folder, root=root)
    if isinstance(entries, SuiteFault) or len(entries) > MAX_IN_FOLDER:
        return MockFolder(faults=((folder, _unlisted(entries)),))
    servers: dict[str, ServerFiles] = {}
    faults: list[PlacedFault] = []
    for entry in entries:
        if entry.kind == "folder" and not entry.name.startswith("."):
            servers[entry.name] = _read_server(entry, root, faults)
        elif entry.kind in ("broken-link", "looping-link"):
            faults.append(
                (entry.path, _fails("mock-link", "is a link to something that does not exist; mend the link"))
            )
    return MockFolder(servers=servers, faults=tuple(faults))


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
        tools = _tools({**below.files, **above.files})
        listing = above.listing if above.listing is not None else below.listing or ()
        if tools:
            servers.append(MockServer(name=name, is_declared=name in declared, tools=tools, listing=listing))
    return tuple(servers)


def offer_faults(servers: tuple[MockServer, ...], declared: Mapping[str, str]) -> Iterator[PlacedFault]:
    """Give what keeps the real program from offering a tool to the model, which fails every run.

    Args:
        servers: The stand-ins of a case.
        declared: What the model sees of the name of a declared server, by name; the name itself for others.
    """
    for server in servers:
        entries = {str(tool["name"]): tool for tool in server.listing}
        for tool in server.tools:
            full = f"mcp__{declared.get(server.name, server.name)}__{tool.name}"
            if len(full) > MAX_TOOL_NAME:
                message = f"stands for {full!r}, a name of {len(full)} characters; {MAX_TOOL_NAME} is the most"
                yield tool.path, _fails("mock-name-long", f"{message}, so use a shorter one")
            if not is_offered(entries.get(tool.name, {})):
                message = f'has an inputSchema for {tool.name!r} whose type is not "object"; write "type": "object"'
                yield tool.path.parent / LISTING_FILE, _fails("mock-listing", f'{message}; write "type": "object"')


def _read_server(server: Entry, root: Path, faults: list[PlacedFault]) -> ServerFiles:
    if not is_mock_name(server.name):
        faults.append((server.path, _fails("mock-name", f"{server.name!r} is no server name; a name has {NAME_WORDS}")))
        return ServerFiles()
    entries = list_folder(server.path, root=root)
    if isinstance(entries, SuiteFault) or len(entries) > MAX_IN_FOLDER:
        faults.append((server.path, _unlisted(entries)))
        return ServerFiles()
    files: dict[str, tuple[Path, MockFile]] = {}
    listing = None
    for entry in entries:
        if entry.name == LISTING_FILE:
            listing = _read_listing(entry, root, faults)
        elif (
            entry.name.endswith(".md")
            and not entry.name.startswith(".")
            and entry.kind not in ("folder", "folder-link")
        ):
            mock = _read_file(entry, root, faults)
            if mock is not None:
                files[entry.name] = (entry.path, mock)
    return ServerFiles(files=files, listing=listing)


def _is_mock_file(entry: Entry) -> bool:
    is_named_so = entry.name.endswith(".md") and not entry.name.startswith(".")
    return is_named_so and entry.kind not in ("folder", "folder-link")


def _read_file(entry: Entry, root: Path, faults: list[PlacedFault]) -> MockFile | None:
    tool = entry.name.removesuffix(".md")
    if not is_mock_name(tool):
        message = f"{entry.name!r} is named after no tool; the name of a tool has {NAME_WORDS}, as in list_issues.md"
        faults.append((entry.path, _fails("mock-name", message)))
        return None
    text = read_inside(entry.path, root=root)
    if isinstance(text, SuiteFault):
        faults.append((entry.path, _failing(text)))
        return None
    mock = read_mock_file(text.text, is_server=entry.name == SERVER_FILE)
    if isinstance(mock, MockFile):
        return mock
    faults.extend((entry.path, fault) for fault in mock)
    return None


def _read_listing(entry: Entry, root: Path, faults: list[PlacedFault]) -> tuple[JsonObject, ...] | None:
    text = read_inside(entry.path, root=root)
    listing = _failing(text) if isinstance(text, SuiteFault) else read_listing(text.text, has_mark=text.has_mark)
    if isinstance(listing, SuiteFault):
        faults.append((entry.path, listing))
        return None
    return listing


def _tools(files: Mapping[str, tuple[Path, MockFile]]) -> tuple[MockTool, ...]:
    """Give the tools of a server; a file of a tool goes before `_server.md`."""
    tools = {}
    if SERVER_FILE in files:
        path, mock = files[SERVER_FILE]
        tools = {name: _tool(name, path, mock) for name in mock.tools}
    for name, (path, mock) in files.items():
        if name != SERVER_FILE:
            tools[path.stem] = _tool(path.stem, path, mock)
    return tuple(tools[name] for name in sorted(tools))


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


def _unlisted(entries: tuple[Entry, ...] | SuiteFault) -> SuiteFault:
    if isinstance(entries, SuiteFault):
        if entries.code == "not-found":
            return _fails("mock-folder", "is no folder; put a folder for each server into mocks/")
        return _failing(entries)
    return _fails("too-many-entries", f"holds {len(entries)} entries; {MAX_IN_FOLDER} is the most, so remove some")


def _failing(fault: SuiteFault) -> SuiteFault:
    """Say what a fault leads to; what leads outside is not read here, whatever the real program does."""
    return fault if fault.code == "leads-outside" else replace(fault, effect="fails")


def _fails(code: str, message: str) -> SuiteFault:
    return SuiteFault(code=code, path=(), message=message, effect="fails")
