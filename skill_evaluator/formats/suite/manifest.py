"""plugin.json and .mcp.json: whether the plugin loads, and which MCP servers it declares.

A plugin that does not load fails every run that is given it, since nothing then tells which servers to stand in for.
A plugin.json beside the folder `.claude-plugin` makes its folder a plugin, and of what it says `experimental.evals`
alone is heard.

Source: Suites recorded with Claude Code 2.1.332.
"""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from skill_evaluator.formats.reasons import json_reason
from skill_evaluator.formats.suite.faults import KeyPath, SuiteFault, Values
from skill_evaluator.formats.suite.form import described
from skill_evaluator.formats.suite.manifest_keys import KEYS, NEEDED
from skill_evaluator.formats.suite.manifest_kinds import BUNDLE
from skill_evaluator.formats.suite.misfits import misfit
from skill_evaluator.formats.suite.names import OWN_PLACE, PLACES
from skill_evaluator.formats.suite.reading import read_inside
from skill_evaluator.formats.suite.shapes import Record
from skill_evaluator.formats.suite.strict_json import read_json
from skill_evaluator.texts import tr

_HEARD: Final = (
    "experimental",
    "evals",
)  # of a plugin.json beside the folder; the second to tell that it means nothing
_SERVERS_FILE: Final = ".mcp.json"
_INVALID: Final = "bad-manifest"
_ODD: Final = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Manifest:
    """What a plugin says of itself.

    Attributes:
        path: Its plugin.json, or None for a plugin without one.
        name: What stands before the colon in the names of its skills.
        faults: What keeps the plugin from loading.
        doubt: Why a plugin.json in the root, which says where the suite is, cannot be read; None where it can.
        values: What is heard of its plugin.json.
        servers: MCP servers that it declares: name as the folders of `mocks/` have it -> name in the names of tools.
        program_names: Name in the names of tools -> what the real program calls the server, `plugin:<plugin>:<server>`.
    """

    path: Path | None
    name: str
    faults: tuple[SuiteFault, ...] = ()
    doubt: str | None = None
    values: Values = field(default_factory=dict)
    servers: Mapping[str, str] = field(default_factory=dict)
    program_names: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_invalid(self) -> bool:
        """Whether the plugin does not load; one with a bundle of servers does."""
        return _keep_from_loading(self.faults)

    @property
    def version(self) -> str | None:
        """The version that it gives itself, or None."""
        version = None if self.is_invalid else self.values.get("version")
        return version if isinstance(version, str) else None


def read_manifest(plugin: Path, *, root: Path) -> Manifest:
    """Read what a plugin says of itself.

    Args:
        plugin: Its folder.
        root: The outermost folder that may be read; the plugin itself where it lies elsewhere, as one that a case names
            may where no plugin is around the suite.
    """
    root = root if plugin.is_relative_to(root) else plugin
    path = next((plugin / place for place in PLACES if os.path.lexists(plugin / place)), None)
    text = "{}" if path is None else _text(path, root)
    if isinstance(text, SuiteFault):
        return _manifest(plugin, path, {}, (text,), root)
    values = _parsed(text)
    if path == plugin / OWN_PLACE:
        if isinstance(values, SuiteFault):
            return _manifest(plugin, path, {}, (values,), root)
        return _manifest(plugin, path, values, tuple(_faults(values)), root)
    if isinstance(values, SuiteFault):
        return replace(_manifest(plugin, path, {}, (), root), doubt=values.message)
    return _manifest(plugin, path, {key: values[key] for key in _HEARD if key in values}, (), root)


def _manifest(plugin: Path, path: Path | None, values: Values, faults: tuple[SuiteFault, ...], root: Path) -> Manifest:
    name = values.get("name")
    is_linked = os.path.islink(plugin / Path(OWN_PLACE).parent)  # noqa: PTH114 - Path.is_symlink may raise
    is_named = isinstance(name, str) and not _keep_from_loading(faults) and not is_linked
    own = name if is_named and isinstance(name, str) else plugin.name
    servers = {**_servers_of_file(plugin / _SERVERS_FILE, root), **_servers_of(values.get("mcpServers"), plugin, root)}
    return Manifest(
        path=path,
        name=own,
        faults=faults,
        values=values,
        servers=_by_segment(servers, own),
        program_names={_segment(f"plugin_{own}_{server}"): f"plugin:{own}:{server}" for server in servers},
    )


def _keep_from_loading(faults: tuple[SuiteFault, ...]) -> bool:
    return any(fault.code == _INVALID for fault in faults)


def _by_segment(servers: Values, plugin: str) -> Mapping[str, str]:
    """Name servers as folders of `mocks/` do: with or without what the plugin adds."""
    found = {}
    for server in servers:
        short, full = _segment(server), _segment(f"plugin_{plugin}_{server}")
        found[short] = full
        found[full] = full
    return found


def _segment(name: str) -> str:
    """Write a name as it stands in the names of tools."""
    return _ODD.sub("_", name)


def _faults(values: Values) -> Iterator[SuiteFault]:
    """Give the first fault of each key; a bundle loads, but its servers cannot be stood in for."""
    for key in (*(key for key in NEEDED if key not in values), *values):
        if key in KEYS and (found := misfit(values, Record(keys={key: KEYS[key]}, needs=(key,)))) is not None:
            path, message = found
            yield _fault(path, tr("`{place}` {message}", place=".".join(map(str, path)), message=message))
    servers = values.get("mcpServers")
    for bundle in servers if isinstance(servers, list) else [servers]:
        if BUNDLE.holds(bundle):
            message = tr(
                "`mcpServers` names {bundle!r}, a bundle whose servers no mock can stand in for; declare "
                "them in .mcp.json, or run with `--allow-real-servers`",
                bundle=bundle,
            )
            yield SuiteFault(code="server-bundle", path=("mcpServers",), message=message, effect="fails")


def _servers_of(value: object, plugin: Path, root: Path) -> Values:
    match value:
        case dict():
            return value
        case str():
            return {} if BUNDLE.holds(value) else _servers_of_file(plugin / value, root)
        case list():
            return {name: server for item in value for name, server in _servers_of(item, plugin, root).items()}
        case _:
            return {}


def _servers_of_file(path: Path, root: Path) -> Values:
    text = read_inside(path, root=root)
    values = text if isinstance(text, SuiteFault) else _parsed(text.text)
    if isinstance(values, SuiteFault):
        return {}
    inner = values.get("mcpServers", values)
    return inner if isinstance(inner, dict) else {}


def _text(path: Path, root: Path) -> str | SuiteFault:
    text = read_inside(path, root=root)
    if not isinstance(text, SuiteFault):
        return text.text
    return replace(text, effect="unread") if text.code == "leads-outside" else _fault((), text.message)


def _parsed(text: str) -> Values | SuiteFault:
    try:
        values = read_json(text)
    except RecursionError:
        message = tr("is nested too deeply, so it is not read; write it flatter")
        return SuiteFault(code=_INVALID, path=(), message=message, effect="unread")
    except ValueError as error:
        return _fault((), tr("is no valid JSON ({why}), so the plugin does not load; mend it", why=json_reason(error)))
    if not isinstance(values, dict):
        return _fault(
            (), tr("holds {found}, not a mapping, so the plugin does not load; write {{...}}", found=described(values))
        )
    return values


def _fault(path: KeyPath, message: str) -> SuiteFault:
    return SuiteFault(code=_INVALID, path=path, message=message, effect="fails")
