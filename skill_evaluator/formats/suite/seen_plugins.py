"""The plugins that cases are run with, as the rules look at them; each is read once."""

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from skill_evaluator.formats.reasons import json_reason
from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.form import described
from skill_evaluator.formats.suite.plugin import Plugin, read_plugin
from skill_evaluator.formats.suite.reading import read_inside
from skill_evaluator.formats.suite.seen import SeenPlugin
from skill_evaluator.reasons import foreign
from skill_evaluator.texts import tr

_SERVERS_FILE: Final = ".mcp.json"


@dataclass(frozen=True, slots=True)
class SeenPlugins:
    """Plugins by their roots.

    Attributes:
        around: The plugin around the suite, which is read already, or None.
        known: Those that were asked for so far.
    """

    around: Plugin | None
    known: dict[Path, SeenPlugin] = field(default_factory=dict)

    def at(self, roots: Iterable[Path]) -> tuple[SeenPlugin, ...]:
        """Give what the plugins with these roots say of themselves."""
        return tuple(self._one(root) for root in roots)

    def _one(self, root: Path) -> SeenPlugin:
        if root not in self.known:
            is_around = self.around is not None and self.around.root == root
            self.known[root] = seen_plugin(self.around if self.around and is_around else read_plugin(root))
        return self.known[root]


def seen_plugin(plugin: Plugin) -> SeenPlugin:
    """Give what the rules look at of a plugin."""
    return SeenPlugin(
        root=plugin.root,
        name=plugin.name,
        skills=plugin.skills,
        servers=plugin.servers,
        servers_problem=_servers_problem(plugin.root),
        version=plugin.manifest.version,
        is_invalid=plugin.manifest.is_invalid,
    )


def _servers_problem(root: Path) -> str | None:
    file = root / _SERVERS_FILE
    if not os.path.lexists(file):
        return None
    text = read_inside(file, root=root)
    if isinstance(text, SuiteFault):
        return None if file.is_symlink() and os.path.exists(file) else text.message  # noqa: PTH110 - says no, not why
    try:
        values: object = json.loads(text.text)
    except (ValueError, RecursionError) as error:
        why = json_reason(error) if isinstance(error, ValueError) else foreign(str(error))
        return tr("is no valid JSON ({why})", why=why)
    servers = values.get("mcpServers", values) if isinstance(values, dict) else values
    return (
        None
        if isinstance(servers, dict)
        else tr("holds {found} where a mapping of servers belongs", found=described(servers))
    )
