"""Plugins that Claude Code has installed, and where sessions load them from.

A plugin of a marketplace that is a folder on this machine is loaded from there, as long as the catalog of that folder
lists it; any other from the copy that was made when it was installed. A plugin in a skills directory is loaded from
there; that of a project only where the project is trusted.

Source: Probed with Claude Code 2.1.332: what `claude plugin install` writes, and what is evaluated by its name then.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skill_evaluator.api.plugin_eval.claude_home import claude_folder, mapping_at, mapping_in
from skill_evaluator.api.plugin_eval.trust import untrusted
from skill_evaluator.errors import EvaluatorError
from skill_evaluator.formats.suite.names import OWN_PLACE
from skill_evaluator.formats.suite.plugin import read_plugin
from skill_evaluator.model import one_line
from skill_evaluator.texts import tr

SKILLS_DIR: Final = "skills-dir"
_CATALOG: Final = ".claude-plugin/marketplace.json"
_FOLDERS: Final = ("directory", "file")  # kinds of marketplace that lie on this machine


@dataclass(frozen=True, kw_only=True, slots=True)
class InstalledPlugin:
    """An installed plugin.

    Attributes:
        id: `name@marketplace`.
        root: Where sessions load it from; it need not exist.
    """

    id: str
    root: Path


def find_installed(name: str) -> InstalledPlugin | None:
    """Find an installed plugin; whether it is enabled does not matter.

    Args:
        name: `name@marketplace`, `name@skills-dir`, or the name alone.

    Returns:
        The plugin, or None where none is called so.

    Raises:
        EvaluatorError: If several are, or no session could load it.
    """
    known = _all()
    ids = [name] if name in known else [one for one in known if one.rpartition("@")[0] == name]
    if len(ids) > 1:
        raise EvaluatorError(
            one_line(tr("FAIL {name} names several plugins: {ids}; name one of these", name=name, ids=", ".join(ids)))
        )
    if not ids:
        return None
    root = known[ids[0]]
    return InstalledPlugin(id=ids[0], root=root if root is not None else _installed_root(ids[0]))


def installed_ids() -> tuple[str, ...]:
    """Give what is installed, as `name@marketplace`, sorted."""
    return tuple(sorted(_all()))


def _all() -> Mapping[str, Path | None]:
    """Give all ids with their roots; None for the root of one that a marketplace offered."""
    installed: dict[str, Path | None] = dict.fromkeys(_records())
    for root in _skills_plugins():
        installed.setdefault(f"{read_plugin(root).name}@{SKILLS_DIR}", root)
    return installed


def _skills_plugins() -> tuple[Path, ...]:
    project = Path.cwd()
    of_project = _plugins_in(project / ".claude" / "skills")
    trusted = of_project if of_project and not untrusted([project]) else ()
    return (*_plugins_in(claude_folder() / "skills"), *trusted)


def _plugins_in(folder: Path) -> tuple[Path, ...]:
    try:
        inside = sorted(folder.iterdir())
    except OSError:
        return ()
    return tuple(one for one in inside if (one / OWN_PLACE).is_file())


def _records() -> Mapping[str, object]:
    return mapping_at(mapping_in(claude_folder() / "plugins" / "installed_plugins.json"), "plugins")


def _installed_root(plugin: str) -> Path:
    """Say where sessions load a plugin of a marketplace from."""
    name, _, marketplace = plugin.rpartition("@")
    known = mapping_at(mapping_in(claude_folder() / "plugins" / "known_marketplaces.json"), marketplace)
    location = known.get("installLocation")
    if mapping_at(known, "source").get("source") in _FOLDERS and isinstance(location, str):
        in_place = _in_place(plugin, name, Path(location))
        if in_place is not None:
            return in_place
    copy = _copy(plugin)
    if copy is None:
        raise _unloadable(plugin, tr("Claude Code has not noted where its copy lies"), tr("install it again"))
    return copy


def _in_place(plugin: str, name: str, marketplace: Path) -> Path | None:
    """Give the folder of a plugin in a marketplace on this machine; None where it comes from elsewhere."""
    catalog = mapping_in(marketplace / _CATALOG)
    if catalog is None:
        problem = tr(
            "the catalog of its marketplace, {marketplace}, cannot be read", marketplace=marketplace / _CATALOG
        )
        raise _unloadable(plugin, problem, tr("restore it"))
    listed = catalog.get("plugins")
    entries = listed if isinstance(listed, list) else []
    entry = next((one for one in entries if isinstance(one, dict) and one.get("name") == name), None)
    if entry is None:
        raise _unloadable(
            plugin,
            tr("its marketplace, {marketplace}, no longer lists it", marketplace=marketplace),
            tr("list it there again"),
        )
    source = entry.get("source")
    if not isinstance(source, str):
        return None
    top = mapping_at(catalog, "metadata").get("pluginRoot")
    start = marketplace / top if isinstance(top, str) and not source.startswith(("./", "../")) else marketplace
    folder = start / source
    return folder if folder.resolve().is_relative_to(marketplace.resolve()) else None


def _copy(plugin: str) -> Path | None:
    """Give the copy that was installed: for the project in which we are, else for the user, else any."""
    records = _records().get(plugin)
    entries = [one for one in records if isinstance(one, dict)] if isinstance(records, list) else []
    paths = [one["installPath"] for one in sorted(entries, key=_distance) if isinstance(one.get("installPath"), str)]
    return Path(paths[0]) if paths else None


def _distance(entry: Mapping[str, object]) -> int:
    project = entry.get("projectPath")
    if isinstance(project, str):
        return 0 if Path.cwd().is_relative_to(project) else 2
    return 1


def _unloadable(plugin: str, problem: str, remedy: str) -> EvaluatorError:
    return EvaluatorError(
        one_line(
            tr(
                "FAIL {plugin}: no session could load it: {problem}; {remedy}, or name the plugin's folder instead",
                plugin=plugin,
                problem=problem,
                remedy=remedy,
            )
        )
    )
