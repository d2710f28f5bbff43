"""What a path stands for, told by what lies there: skills, test sets, suites, plugins, folders of them."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from skill_evaluator.formats.evalcase.case_files import SUFFIX
from skill_evaluator.formats.skill_files import SKILL_FILE
from skill_evaluator.formats.suite.folders import list_folder
from skill_evaluator.formats.suite.names import CASE_FILES, GRADERS, MOCKS
from skill_evaluator.formats.target_folders import (
    holds_cases,
    inner_folders,
    is_case_folder,
    is_file,
    is_folder,
    is_plugin,
    lies_inside,
)

Kind = Literal["skill", "suite", "cases", "empty", "other"]
EVAL_DIR: Final = "evals"
_PLUGIN_MANIFEST: Final = "plugin.json"
_MANIFEST_FOLDER: Final = ".claude-plugin"


@dataclass(frozen=True, kw_only=True, slots=True)
class Target:
    """One thing to check.

    Attributes:
        kind: `skill` for a SKILL.md or its folder; `suite` for what `read_suite` takes; `cases` for what `open_cases`
            takes; `empty` for an empty folder beside plugins or skills; `other` for what its content or the lack of it
            must tell.
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
    if not is_folder(path):
        return (Target(kind=_kind_of_file(path), path=path),)
    own = tuple(_own_targets(path, eval_dir))
    if own:
        return own
    inner = tuple(_inner_targets(path))
    if any(target.kind != "empty" for target in inner):
        return inner
    if translations := _translations_in(path):
        return (*([Target(kind="suite", path=path)] if holds_cases(path) else []), *translations)
    is_part = {GRADERS, MOCKS} & {path.absolute().name, path.absolute().parent.name}
    is_suite = path.name == EVAL_DIR or _is_named_by_plugin(path.absolute()) or holds_cases(path)
    return (Target(kind="suite" if is_suite and not is_part else "other", path=path),)


def _kind_of_file(path: Path) -> Kind:
    if path.name in CASE_FILES:
        return "suite"
    is_part = {GRADERS, MOCKS} & {path.absolute().parent.name, path.absolute().parent.parent.name}
    return "cases" if path.name.endswith(SUFFIX) and is_file(path) and not is_part else "other"


def _translations_in(folder: Path) -> tuple[Target, ...]:
    """Give the folder if it holds cases of translations, else those directly in it that do."""
    if is_case_folder(folder):
        return (Target(kind="cases", path=folder),)
    return tuple(Target(kind="cases", path=one) for one in inner_folders(folder, folder) if is_case_folder(one))


def _evals_translations(folder: Path) -> tuple[Target, ...]:
    """Give the cases of translations in the evals of a skill or plugin."""
    evals = folder / EVAL_DIR
    return _translations_in(evals) if is_folder(evals) and lies_inside(evals, folder) else ()


def _is_named_by_plugin(folder: Path) -> bool:
    """Say whether a folder is the eval directory of the plugin right above it, though it holds no case."""
    above = folder.parent
    if not is_plugin(above):
        return False
    from skill_evaluator.formats.suite.discovery import folder_parts  # noqa: PLC0415 - a skill or test set needs none
    from skill_evaluator.formats.suite.plugin import read_plugin  # noqa: PLC0415

    return folder_parts(read_plugin(above).evals) == (folder.name,)


def _plugin_of(here: Path, path: Path) -> Path:
    """Give the plugin whose manifest, or whose folder of the manifest, is named; else the path as it is."""
    if here.name == _PLUGIN_MANIFEST and is_file(path):
        return _plugin_of(here.parent, path.parent) if here.parent.name == _MANIFEST_FOLDER else path.parent
    if here.name == _MANIFEST_FOLDER and is_file(path / _PLUGIN_MANIFEST):
        return Path(os.path.normpath(path / ".."))
    return path


def _own_targets(folder: Path, eval_dir: str | None) -> Iterator[Target]:
    """Give what the folder itself is."""
    is_skill = os.path.lexists(folder / SKILL_FILE)
    if eval_dir is not None or is_plugin(folder):
        yield from _skills_of(folder)
        yield from _suites_of(folder, eval_dir)
        yield from _evals_translations(folder)
    elif is_skill:
        yield Target(kind="skill", path=folder)
        if holds_cases(folder / EVAL_DIR):
            yield Target(kind="suite", path=folder / EVAL_DIR)
        yield from _evals_translations(folder)
    elif any(os.path.lexists(folder / name) for name in CASE_FILES):
        yield Target(kind="suite", path=folder)
    elif is_case_folder(folder):
        yield Target(kind="cases", path=folder)


def _suites_of(plugin: Path, eval_dir: str | None) -> Iterator[Target]:
    """Give the suite in the root of a plugin, and those deeper in it that are run with it."""
    from skill_evaluator.formats.suite.discovery import names_eval_dir  # noqa: PLC0415 - a skill or test set needs none
    from skill_evaluator.formats.suite.likely import nested_suites  # noqa: PLC0415
    from skill_evaluator.formats.suite.plugin import read_plugin  # noqa: PLC0415

    takes_all = eval_dir is None and not names_eval_dir(read_plugin(plugin.absolute()))
    nested = nested_suites(plugin, EVAL_DIR) if takes_all else ()
    is_for_translations = takes_all and _evals_translations(plugin) and not holds_cases(plugin / EVAL_DIR)
    if not is_for_translations and (not nested or is_folder(plugin / EVAL_DIR)):
        yield Target(kind="suite", path=plugin)
    for suite in nested:
        around = next((above for above in suite.parents if is_plugin(above)), plugin)
        yield Target(kind="suite", path=suite, plugin=around)


def _skills_of(plugin: Path) -> Iterator[Target]:
    """Give the skills that a plugin carries: one in its root, and those in `skills/`."""
    if os.path.lexists(plugin / SKILL_FILE):
        yield Target(kind="skill", path=plugin)
    for folder in inner_folders(plugin / "skills", plugin):
        if os.path.lexists(folder / SKILL_FILE) and lies_inside(folder / SKILL_FILE, plugin):
            yield Target(kind="skill", path=folder)


def _inner_targets(folder: Path) -> Iterator[Target]:
    """Give the plugins and skills that lie directly in a folder, and beside them suites and what is empty."""
    inner = inner_folders(folder, folder)
    known = [one for one in inner if is_plugin(one) or os.path.lexists(one / SKILL_FILE)]
    for one in inner if known else ():
        if one in known:
            yield from _own_targets(one, None)
        elif translations := _translations_in(one):
            yield from translations
        elif holds_cases(one):
            yield Target(kind="suite", path=one)
        elif list_folder(one, root=folder) == ():
            yield Target(kind="empty", path=one)
