"""The plugin that a suite tests: where its root is, and what the rules need to know of it.

Source: Suites recorded with Claude Code 2.1.332, and its manual, "Test plugins with evals".
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skill_evaluator.formats.skill_files import SKILL_FILE
from skill_evaluator.formats.suite.faults import SuiteFault, Values
from skill_evaluator.formats.suite.folders import Entry, list_folder
from skill_evaluator.formats.suite.frontmatter import read_suite_text
from skill_evaluator.formats.suite.manifest import Manifest, read_manifest
from skill_evaluator.formats.suite.names import OWN_PLACE, PLACES
from skill_evaluator.formats.suite.reading import is_inside, read_inside

_PARTS: Final = {"skills", "commands", "agents", "hooks", "output-styles", ".mcp.json", ".lsp.json", SKILL_FILE}
_HOME_OF: Final = {"skills": "skills", "commands": "commands"}  # folder that is searched without any manifest


@dataclass(frozen=True, kw_only=True, slots=True)
class Plugin:
    """A plugin under test.

    Attributes:
        root: Its folder, absolute.
        name: What stands before the colon in the names of its skills.
        skills: Names by which its skills and commands can be called, without the plugin's, sorted.
        own_skills: The names of each of its skills: the one it gives itself, where it does, and that of its folder.
        skill_folders: The folders of its skills, absolute, each once, in the order in which they are found.
        servers: MCP servers that it declares, as folders of `mocks/` have them in short, sorted.
        manifest: What it says of itself.
        evals: `experimental.evals` as its manifest has it, of whatever type; None where it says nothing.
        sets_evals: Whether its manifest has that key.
        top_evals: Whether its manifest has `evals` at the top, where it means nothing.
    """

    root: Path
    name: str
    manifest: Manifest
    skills: tuple[str, ...] = ()
    own_skills: tuple[tuple[str, ...], ...] = ()
    skill_folders: tuple[Path, ...] = ()
    servers: tuple[str, ...] = ()
    evals: object = None
    sets_evals: bool = False
    top_evals: bool = False

    @property
    def commands(self) -> tuple[str, ...]:
        """Names by which something is called that is none of its skills."""
        own = {name for names in self.own_skills for name in names}
        return tuple(name for name in self.skills if name not in own)


def find_root(start: Path, eval_dir: Sequence[str]) -> Path | None:
    """Find the root of the plugin that a folder belongs to, or None.

    A folder with a manifest is one, and a skill of its own (a folder with a SKILL.md) that holds an eval directory.

    Args:
        start: The folder, absolute; it and those above it are looked at.
        eval_dir: The parts of the path of the eval directory below a root.
    """
    return next((folder for folder in (start, *start.parents) if is_root(folder, eval_dir)), None)


def read_plugin(root: Path) -> Plugin:
    """Read what a plugin says of itself."""
    manifest = read_manifest(root, root=root)
    values = manifest.values
    experimental = values.get("experimental")
    own = experimental if isinstance(experimental, dict) else {}
    full = values if manifest.path == root / OWN_PLACE and not manifest.faults else {}
    found = tuple(_own_skills(root, full))
    own_skills = tuple(dict.fromkeys(names for _, names in found))
    return Plugin(
        root=root,
        name=manifest.name,
        manifest=manifest,
        skills=tuple(sorted({*(name for names in own_skills for name in names), *_commands(root, full)})),
        own_skills=own_skills,
        skill_folders=tuple(dict.fromkeys(folder for folder, _ in found)),
        servers=tuple(sorted(manifest.servers.keys() - set(manifest.servers.values()))),
        evals=own.get("evals"),
        sets_evals="evals" in own,
        top_evals="evals" in values and "evals" not in own,
    )


def is_root(folder: Path, eval_dir: Sequence[str]) -> bool:
    """Say whether a folder is the root of a plugin; see `find_root`."""
    try:
        if any(os.path.lexists(f"{folder}/{place}") for place in PLACES):  # for each case: Path is slow
            return True
        return (folder / SKILL_FILE).is_file() and folder.joinpath(*eval_dir).is_dir()
    except OSError:
        return False


def is_bare(folder: Path, root: Path) -> bool:
    """Say whether a folder has nothing in it that makes a plugin: no manifest, skill, command, agent, hook, server.

    Args:
        folder: The folder.
        root: The outermost folder that may be read.
    """
    names = {entry.name for entry in _entries(folder, root if folder.is_relative_to(root) else folder)}
    return not names & _PARTS and not any((folder / place).exists() for place in PLACES)


def _own_skills(root: Path, values: Values) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Give the folder of each skill and its names; one that two ways lead to comes twice."""
    folders = [root]
    for folder in _folders(root, values, "skills"):
        inside = [entry.path for entry in _entries(folder, root) if entry.kind in ("folder", "folder-link")]
        folders += [folder, *inside]
    yield from ((folder, names) for folder in folders if (names := _skill_names(folder, root)))


def _commands(root: Path, values: Values) -> Iterator[str]:
    for folder in _folders(root, values, "commands"):
        for entry in _entries(folder, root):
            if entry.name.endswith(".md"):
                yield entry.path.stem
            elif entry.kind == "folder":
                yield from (f"{entry.name}:{inner.path.stem}" for inner in _entries(entry.path, root))
        if folder.suffix == ".md":
            yield folder.stem


def _folders(root: Path, values: Values, key: str) -> Iterator[Path]:
    """Give the places of a kind: the usual one, and those that the manifest names."""
    named = values.get(key)
    yield root / _HOME_OF[key]
    for written in [named] if isinstance(named, str) else named if isinstance(named, list) else []:
        if isinstance(written, str) and is_inside(root / written, root):
            yield root / written


def _entries(folder: Path, root: Path) -> tuple[Entry, ...]:
    entries = list_folder(folder, root=root)
    return () if isinstance(entries, SuiteFault) else entries


def _skill_names(folder: Path, root: Path) -> tuple[str, ...]:
    """Give the names of the skill in a folder, if there is one: the one it gives itself and the folder's."""
    text = read_inside(folder / SKILL_FILE, root=root)
    if isinstance(text, SuiteFault):
        return ()
    parts = read_suite_text(text.text)
    name = None if isinstance(parts, SuiteFault) else parts.values.get("name")
    return tuple(dict.fromkeys([name, folder.name] if isinstance(name, str) else [folder.name]))
