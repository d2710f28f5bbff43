"""plugin.json and .mcp.json: whether the plugin loads, and which MCP servers it declares.

A plugin.json in the root of a plugin, beside no .claude-plugin/, says where the suite is; all else in it means nothing.

A plugin that does not load fails every run that is given it, since nothing then tells which servers to stand in for.

Source: Suites recorded with Claude Code 2.1.332.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from skill_evaluator.formats.suite.faults import SuiteFault, Values
from skill_evaluator.formats.suite.form import described
from skill_evaluator.formats.suite.reading import read_inside

PLACES: Final = (".claude-plugin/plugin.json", "plugin.json")
_SERVERS_FILE: Final = ".mcp.json"
_PATH_KEYS: Final = ("skills", "commands", "agents", "hooks", "mcpServers")
_MAPPING_KEYS: Final = ("commands", "agents", "hooks", "mcpServers")  # may also hold what a file would
_ODD: Final = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Manifest:
    """What a plugin says of itself.

    Attributes:
        path: Its plugin.json, or None for a plugin without one.
        faults: What keeps the plugin from loading.
        doubt: Why a plugin.json in the root, which says where the suite is, cannot be read; None where it can.
        servers: MCP servers that it declares: name as the folders of `mocks/` have it -> name in the names of tools.
    """

    path: Path | None
    faults: tuple[SuiteFault, ...] = ()
    doubt: str | None = None
    servers: Mapping[str, str] = field(default_factory=dict)


def read_manifest(plugin: Path, *, root: Path) -> Manifest:
    """Read what a plugin says of itself.

    Args:
        plugin: Its folder.
        root: The outermost folder that may be read.
    """
    path = next((plugin / place for place in PLACES if (plugin / place).is_file()), None)
    is_full = path == plugin / PLACES[0]  # the other tells where the suite is, and nothing else
    values = _read_json(path, root) if path is not None else {}
    doubt = values.message if isinstance(values, SuiteFault) and not is_full else None
    if isinstance(values, SuiteFault) and is_full:
        return Manifest(path=path, faults=(values,))
    values = {} if isinstance(values, SuiteFault) or not is_full else values
    name = values.get("name")
    servers = {**_servers_of_file(plugin / _SERVERS_FILE, root), **_servers_of(values.get("mcpServers"), plugin, root)}
    return Manifest(
        path=path,
        faults=tuple(_faults(values)) if is_full else (),
        doubt=doubt,
        servers=_by_segment(servers, name if isinstance(name, str) else plugin.name),
    )


def _by_segment(servers: Values, plugin: str) -> Mapping[str, str]:
    """Name servers as folders of `mocks/` do: with or without what the plugin adds."""
    found = {}
    for server in servers:
        short = _ODD.sub("_", server)
        full = _ODD.sub("_", f"plugin_{plugin}_{server}")
        found[short] = full
        found[full] = full
    return found


def _faults(values: Values) -> Iterator[SuiteFault]:
    name = values.get("name")
    if not isinstance(name, str) or not name or " " in name:
        yield _fault("name", f"`name` is {_said(values, 'name')}; expected text without blanks")
    if not isinstance(values.get("version", ""), str):
        yield _fault("version", f'`version` is {_said(values, "version")}; expected text such as "1.0.0"')
    for key in _PATH_KEYS:
        if key in values and not _is_paths(values[key], may_be_mapping=key in _MAPPING_KEYS):
            yield _fault(
                key, f"`{key}` is {_said(values, key)}; expected a path that begins with './', or a list of such"
            )
    if not _are_servers(values.get("mcpServers")):
        yield _fault("mcpServers", '`mcpServers` declares a server without a mapping; write {"name": {...}}')
    match values.get("experimental"):
        case {"evals": [*items]} if all(isinstance(item, str) for item in items):
            pass
        case {"evals": other} if not isinstance(other, str):
            yield _fault("experimental", f"`experimental.evals` is {described(other)}; expected the name of a folder")


def _is_paths(value: object, *, may_be_mapping: bool) -> bool:
    match value:
        case str():
            return value.startswith("./")
        case list():
            return all(_is_paths(item, may_be_mapping=may_be_mapping) for item in value)
        case dict():
            return may_be_mapping
        case _:
            return False


def _are_servers(value: object) -> bool:
    match value:
        case dict():
            return all(isinstance(server, dict) for server in value.values())
        case list():
            return all(_are_servers(item) for item in value)
        case _:
            return True


def _servers_of(value: object, plugin: Path, root: Path) -> Values:
    match value:
        case dict():
            return value
        case str():
            return _servers_of_file(plugin / value, root)
        case list():
            return {name: server for item in value for name, server in _servers_of(item, plugin, root).items()}
        case _:
            return {}


def _servers_of_file(path: Path, root: Path) -> Values:
    values = _read_json(path, root)
    if isinstance(values, SuiteFault):
        return {}
    inner = values.get("mcpServers", values)
    return inner if isinstance(inner, dict) else {}


def _read_json(path: Path, root: Path) -> Values | SuiteFault:
    text = read_inside(path, root=root)
    if isinstance(text, SuiteFault):
        return _fault(None, text.message)
    try:
        values: object = json.loads(text.text)
    except (ValueError, RecursionError) as error:
        return _fault(None, f"is no valid JSON ({error}); mend it")
    if not isinstance(values, dict):
        return _fault(None, f"holds {described(values)}, not a mapping; write {{...}}")
    return values


def _said(values: Values, key: str) -> str:
    return described(values[key]) if key in values else "missing"


def _fault(key: str | None, message: str) -> SuiteFault:
    return SuiteFault(code="bad-manifest", path=() if key is None else (key,), message=message, effect="fails")
