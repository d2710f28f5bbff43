"""What a path stands for, told by what lies there: skills, test sets, suites, plugins, folders of them."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from skill_evaluator.formats.skill_files import SKILL_FILE
from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.folders import list_folder, walk_folders
from skill_evaluator.formats.suite.names import CASE_FILES, GRADERS, MOCKS, PLACES
from skill_evaluator.formats.suite.reading import is_inside

Kind = Literal["skill", "suite", "empty", "other"]
EVAL_DIR: Final = "evals"
_MANIFEST: Final = "plugin.json"
_MANIFEST_FOLDER: Final = ".claude-plugin"


@dataclass(frozen=True, kw_only=True, slots=True)
class Target:
    """One thing to check.

    Attributes:
        kind: `skill` for a SKILL.md or its folder; `suite` for what `read_suite` takes; `empty` for an empty folder
            beside plugins or skills; `other` for what its content or the lack of it must tell.
        path: As the user would name it.
        plugin: The plugin with which a suite deeper in it is run, or None for the nearest.
    """

    kind: Kind
    path: Path
    plugin: Path | None = None


def find_targets(path: Path, *, eval_dir: str | None = None) -> tuple[Target, ...]:
    """Tell what a path stands for.

    Args:
        path: A file or folder, existing or not; a plugin's manifest and its folder stand for the plugin.
        eval_dir: As `--eval-dir`: the folder is a plugin then, whatever else it holds.

    Returns:
        At least one target: skills before the suite of the same folder, folders by name.
    """
    try:
        path = _plugin_of(path.absolute(), path)
    except OSError:  # the working folder is gone
        return (Target(kind="other", path=path),)
    if not _is_folder(path):
        return (Target(kind="suite" if path.name in CASE_FILES else "other", path=path),)
    own = tuple(_own_targets(path, eval_dir))
    if own:
        return own
    inner = tuple(_inner_targets(path))
    if any(target.kind != "empty" for target in inner):
        return inner
    is_part = {GRADERS, MOCKS} & {path.absolute().name, path.absolute().parent.name}
    is_suite = path.name == EVAL_DIR or _is_named_by_plugin(path.absolute()) or holds_cases(path)
    return (Target(kind="suite" if is_suite and not is_part else "other", path=path),)


def _is_named_by_plugin(folder: Path) -> bool:
    """Say whether a folder is the eval directory of the plugin right above it, though it holds no case."""
    above = folder.parent
    if not _is_plugin(above):
        return False
    from skill_evaluator.formats.suite.discovery import folder_parts  # noqa: PLC0415 - a skill or test set needs none
    from skill_evaluator.formats.suite.plugin import read_plugin  # noqa: PLC0415

    return folder_parts(read_plugin(above).evals) == (folder.name,)


def _plugin_of(here: Path, path: Path) -> Path:
    """Give the plugin whose manifest, or whose folder of the manifest, is named; else the path as it is."""
    if here.name == _MANIFEST and _is_file(path):
        return _plugin_of(here.parent, path.parent) if here.parent.name == _MANIFEST_FOLDER else path.parent
    if here.name == _MANIFEST_FOLDER and _is_file(path / _MANIFEST):
        return Path(os.path.normpath(path / ".."))
    return path


def _own_targets(folder: Path, eval_dir: str | None) -> Iterator[Target]:
    """Give what the folder itself is."""
    is_skill = os.path.lexists(folder / SKILL_FILE)
    if eval_dir is not None or _is_plugin(folder):
        yield from _skills_of(folder)
        yield from _suites_of(folder, eval_dir)
    elif is_skill:
        yield Target(kind="skill", path=folder)
        if holds_cases(folder / EVAL_DIR):
            yield Target(kind="suite", path=folder / EVAL_DIR)
    elif any(os.path.lexists(folder / name) for name in CASE_FILES):
        yield Target(kind="suite", path=folder)


def _suites_of(plugin: Path, eval_dir: str | None) -> Iterator[Target]:
    """Give the suite in the root of a plugin, and those deeper in it that are run with it."""
    from skill_evaluator.formats.suite.discovery import names_eval_dir  # noqa: PLC0415 - a skill or test set needs none
    from skill_evaluator.formats.suite.likely import nested_suites  # noqa: PLC0415
    from skill_evaluator.formats.suite.plugin import read_plugin  # noqa: PLC0415

    takes_all = eval_dir is None and not names_eval_dir(read_plugin(plugin.absolute()))
    nested = nested_suites(plugin, EVAL_DIR) if takes_all else ()
    if not nested or _is_folder(plugin / EVAL_DIR):
        yield Target(kind="suite", path=plugin)
    for suite in nested:
        around = next((above for above in suite.parents if _is_plugin(above)), plugin)
        yield Target(kind="suite", path=suite, plugin=around)


def _skills_of(plugin: Path) -> Iterator[Target]:
    """Give the skills that a plugin carries: one in its root, and those in `skills/`."""
    if os.path.lexists(plugin / SKILL_FILE):
        yield Target(kind="skill", path=plugin)
    for folder in _folders(plugin / "skills", plugin):
        if os.path.lexists(folder / SKILL_FILE) and _lies_inside(folder / SKILL_FILE, plugin):
            yield Target(kind="skill", path=folder)


def _inner_targets(folder: Path) -> Iterator[Target]:
    """Give the plugins and skills that lie directly in a folder, and beside them suites and what is empty."""
    inner = _folders(folder, folder)
    known = [one for one in inner if _is_plugin(one) or os.path.lexists(one / SKILL_FILE)]
    for one in inner if known else ():
        if one in known:
            yield from _own_targets(one, None)
        elif holds_cases(one):
            yield Target(kind="suite", path=one)
        elif list_folder(one, root=folder) == ():
            yield Target(kind="empty", path=one)


def holds_cases(folder: Path) -> bool:
    """Say whether a case lies somewhere below a folder; links are not followed."""
    if not _is_folder(folder) or os.path.islink(folder):  # noqa: PTH114 - Path.is_symlink may raise
        return False
    for _, entries in walk_folders(folder, root=folder, descend=lambda _, inner: inner):
        if isinstance(entries, SuiteFault):
            continue
        if any(entry.kind in {"file", "file-link"} and entry.name in CASE_FILES for entry in entries):
            return True
    return False


def _folders(folder: Path, root: Path) -> list[Path]:
    entries = list_folder(folder, root=root)
    if isinstance(entries, SuiteFault):
        return []
    return [
        entry.path for entry in entries if entry.kind in {"folder", "folder-link"} and _lies_inside(entry.path, root)
    ]


def _lies_inside(path: Path, root: Path) -> bool:
    try:
        return is_inside(path, root)
    except (OSError, ValueError):
        return False


def _is_plugin(folder: Path) -> bool:
    return any(_is_file(folder / name) for name in PLACES)


def _is_file(path: Path) -> bool:
    return os.path.isfile(path)  # noqa: PTH113 - Path.is_file raises without leave to look


def _is_folder(path: Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112 - Path.is_dir raises without leave to look
