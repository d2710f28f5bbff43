"""One `mocks/`, of a suite or of a case: its files, or what keeps them from loading.

Source: Suites recorded with Claude Code 2.1.332.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.folders import Entry, list_folder
from skill_evaluator.formats.suite.mock_files import (
    NAME_WORDS,
    SERVER_FILE,
    MockFile,
    is_mock_name,
    read_mock_file,
)
from skill_evaluator.formats.suite.mock_listing import LISTING_FILE, read_listing
from skill_evaluator.formats.suite.reading import read_inside
from skill_evaluator.model import JsonObject
from skill_evaluator.texts import tr

_LIKE_MOCKS: Final = (".md", ".markdown", ".json", ".yaml", ".yml")  # in small letters
MAX_IN_FOLDER: Final = 256

PlacedFault = tuple[Path, SuiteFault]


@dataclass(frozen=True, kw_only=True, slots=True)
class ServerFiles:
    """The files of `mocks/<server>/` that were read.

    Attributes:
        files: By name of the file, `_server.md` among them.
        listing: Tools as `_tools.json` has them, or None without one.
        ignored: Files that are read by nobody and look like mocks.
    """

    files: Mapping[str, tuple[Path, MockFile]] = field(default_factory=dict)
    listing: tuple[JsonObject, ...] | None = None
    ignored: tuple[Path, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class MockFolder:
    """What one `mocks/` holds.

    Attributes:
        servers: By name.
        faults: What keeps files from loading; one is enough for every run to fail.
        ignored: Files that are written like mocks, and stand where none is read or under a name that none has.
    """

    servers: Mapping[str, ServerFiles] = field(default_factory=dict)
    faults: tuple[PlacedFault, ...] = ()
    ignored: tuple[Path, ...] = ()


def read_mock_folder(folder: Path, *, root: Path) -> MockFolder:
    """Read a `mocks/` of a suite or of a case.

    Args:
        folder: The folder; it need not exist.
        root: The outermost folder that may be read.

    Returns:
        What it holds; nothing where there is no such folder.
    """
    if not os.path.lexists(folder):
        return MockFolder()
    entries = list_folder(folder, root=root)
    if isinstance(entries, SuiteFault) or len(entries) > MAX_IN_FOLDER:
        return MockFolder(faults=((folder, _unlisted(entries)),))
    servers: dict[str, ServerFiles] = {}
    faults: list[PlacedFault] = []
    ignored = [entry.path for entry in entries if _looks_like_mock(entry)]
    for entry in entries:
        if entry.kind == "folder" and not entry.name.startswith("."):
            servers[entry.name] = _read_server(entry, root, faults)
            ignored += servers[entry.name].ignored
        elif entry.kind in ("broken-link", "looping-link"):
            faults.append(
                (entry.path, _fails("mock-link", tr("is a link to something that does not exist; mend the link")))
            )
    return MockFolder(servers=servers, faults=tuple(faults), ignored=tuple(ignored))


def _read_server(server: Entry, root: Path, faults: list[PlacedFault]) -> ServerFiles:
    if not is_mock_name(server.name):
        faults.append(
            (
                server.path,
                _fails(
                    "mock-name",
                    tr("{name!r} is no server name; a name has {words}", name=server.name, words=NAME_WORDS),
                ),
            )
        )
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
    ignored = [entry.path for entry in entries if _looks_like_mock(entry) and not _is_read(entry.name)]
    return ServerFiles(files=files, listing=listing, ignored=tuple(ignored))


def _looks_like_mock(entry: Entry) -> bool:
    name = entry.name.lower()
    return entry.kind == "file" and name.endswith(_LIKE_MOCKS) and not name.startswith((".", "readme"))


def _is_read(name: str) -> bool:
    return name == LISTING_FILE or name.endswith(".md")


def _read_file(entry: Entry, root: Path, faults: list[PlacedFault]) -> MockFile | None:
    tool = entry.name.removesuffix(".md")
    if not is_mock_name(tool):
        message = tr(
            "{name!r} is named after no tool; the name of a tool has {words}, as in list_issues.md",
            name=entry.name,
            words=NAME_WORDS,
        )
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


def _unlisted(entries: tuple[Entry, ...] | SuiteFault) -> SuiteFault:
    if isinstance(entries, SuiteFault):
        if entries.code == "not-found":
            return _fails("mock-folder", tr("is no folder; put a folder for each server into mocks/"))
        return _failing(entries)
    return _fails(
        "mock-folder",
        tr("holds {count} entries; {limit} is the most, so remove some", count=len(entries), limit=MAX_IN_FOLDER),
    )


def _failing(fault: SuiteFault) -> SuiteFault:
    """Say what a fault leads to; what leads outside is not read here, whatever the real program does."""
    return fault if fault.code == "leads-outside" else replace(fault, effect="fails")


def _fails(code: str, message: str) -> SuiteFault:
    return SuiteFault(code=code, path=(), message=message, effect="fails")
