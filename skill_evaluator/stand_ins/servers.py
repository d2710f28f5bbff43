"""Which MCP servers a run sees: those that are stood in for, and those that are kept from it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from skill_evaluator.formats.suite.manifest import read_manifest
from skill_evaluator.model import Arm, Case, JsonObject, MockServer, StandInTool


@dataclass(frozen=True, kw_only=True, slots=True)
class RunServer:
    """One server of a run.

    Attributes:
        name: How reports call it: the folder in `mocks/`, or `segment` where there is none.
        segment: Its name in the names of tools, such as `plugin_demo_tracker`.
        program_name: What the program is told to call it, so that it takes the place of the plugin's own.
        kind: `shadow` for a server that the plugin declares, `standalone` for any other.
        mock: What stands in for it, or None where it is withheld.
    """

    name: str
    segment: str
    program_name: str
    kind: Literal["shadow", "standalone"]
    mock: MockServer | None = None

    @property
    def tools(self) -> tuple[StandInTool, ...]:
        """What is answered, and by whom."""
        return tuple(StandInTool(tool=tool.name, responder=tool.kind) for tool in self.mock.tools) if self.mock else ()

    @property
    def full_names(self) -> tuple[str, ...]:
        """Its tools as the agent calls them."""
        return tuple(f"mcp__{self.segment}__{tool.tool}" for tool in self.tools)

    @property
    def listed(self) -> tuple[JsonObject, ...]:
        """Its tools as it lists them itself."""
        entries = {entry["name"]: entry for entry in self.mock.listing} if self.mock else {}
        return tuple(_entry(tool.tool, entries.get(tool.tool, {})) for tool in self.tools)

    @property
    def undescribed(self) -> tuple[str, ...]:
        """Those of its tools whose description and input schema are not known."""
        known = {entry["name"] for entry in self.mock.listing} if self.mock else set()
        return tuple(tool.tool for tool in self.tools if tool.tool not in known)


def program_names(cases: Iterable[Case], *, root: Path) -> Mapping[str, str]:
    """Give what the program calls the servers that plugins declare.

    Args:
        cases: Whose plugins are looked at.
        root: The outermost folder that may be read.

    Returns:
        Name in the names of tools -> name in the program.
    """
    plugins = {plugin for case in cases if case.setup for plugin in case.setup.plugins}
    return {
        segment: name
        for plugin in sorted(plugins)
        for segment, name in read_manifest(plugin, root=root).program_names.items()
    }


def servers_of(
    case: Case, arm: Arm, served: Mapping[str, str], names: Mapping[str, str], *, withholds: bool
) -> tuple[RunServer, ...]:
    """Give the servers of a run, stand-ins first.

    Args:
        case: What is run.
        arm: Without the plugin its servers are not there, those that no plugin declares are.
        served: Servers of the plugins: folder in `mocks/` -> name in the names of tools.
        names: The latter -> name in the program; one that is missing is made up.
        withholds: Whether servers of the plugins without a stand-in are kept from starting.
    """
    mocks = case.setup.mocks if case.setup else ()
    stand_ins = tuple(_stand_in(mock, served, names) for mock in mocks)
    if arm is Arm.WITHOUT:
        return tuple(server for server in stand_ins if server.kind == "standalone")
    return (*stand_ins, *(_withheld(stand_ins, served, names) if withholds else ()))


def _stand_in(mock: MockServer, served: Mapping[str, str], names: Mapping[str, str]) -> RunServer:
    segment = served.get(mock.name)
    if segment is None:
        return RunServer(name=mock.name, segment=mock.name, program_name=mock.name, kind="standalone", mock=mock)
    return RunServer(
        name=mock.name, segment=segment, program_name=_program_name(segment, served, names), kind="shadow", mock=mock
    )


def _withheld(
    stand_ins: Iterable[RunServer], served: Mapping[str, str], names: Mapping[str, str]
) -> Iterator[RunServer]:
    taken = {server.segment for server in stand_ins}
    for segment in dict.fromkeys(served.values()):
        if segment not in taken:
            name = _program_name(segment, served, names)
            yield RunServer(name=segment, segment=segment, program_name=name, kind="shadow")


def _program_name(segment: str, served: Mapping[str, str], names: Mapping[str, str]) -> str:
    if segment in names:
        return names[segment]
    short = next((folder for folder, full in served.items() if full == segment and folder != segment), segment)
    plugin = segment.removeprefix("plugin_").removesuffix(f"_{short}")
    return f"plugin:{plugin}:{short}"


def _entry(tool: str, saved: JsonObject) -> JsonObject:
    schema = saved.get("inputSchema", {"type": "object", "additionalProperties": True})
    described = {"description": saved["description"]} if "description" in saved else {}
    return {"name": tool, **described, "inputSchema": schema}
