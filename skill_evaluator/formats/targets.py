"""What a path stands for, told by what lies there: skills, test sets, suites, plugins, folders of them."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from skill_evaluator.formats.skill_files import SKILL_FILE
from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.reading import is_inside, list_folder, walk_folders

Kind = Literal["skill", "suite", "other"]
CASE_FILES: Final = ("prompt.md", "case.yaml")
MANIFESTS: Final = ("plugin.json", ".claude-plugin/plugin.json")
EVAL_DIR: Final = "evals"


@dataclass(frozen=True, kw_only=True, slots=True)
class Target:
    """One thing to check.

    Attributes:
        kind: `skill` for a SKILL.md or its folder; `suite` for what `read_suite` takes; `other` for what its content
            or the lack of it must tell.
        path: As the user would name it.
    """

    kind: Kind
    path: Path


def find_targets(path: Path, *, eval_dir: str | None = None) -> tuple[Target, ...]:
    """Tell what a path stands for.

    Args:
        path: A file or folder, existing or not.
        eval_dir: As `--eval-dir`: the folder is a plugin then, whatever else it holds.

    Returns:
        At least one target: skills before the suite of the same folder, folders by name.
    """
    if not _is_folder(path):
        return (Target(kind="suite" if path.name in CASE_FILES else "other", path=path),)
    own = tuple(_own_targets(path, eval_dir))
    if own:
        return own
    inner = tuple(_inner_targets(path))
    if inner:
        return inner
    is_suite = path.name == EVAL_DIR or _is_plugin(path.absolute().parent) or holds_cases(path)
    return (Target(kind="suite" if is_suite else "other", path=path),)


def _own_targets(folder: Path, eval_dir: str | None) -> Iterator[Target]:
    """Give what the folder itself is."""
    is_skill = os.path.lexists(folder / SKILL_FILE)
    if eval_dir is not None or _is_plugin(folder):
        yield from _skills_of(folder)
        yield Target(kind="suite", path=folder)
    elif is_skill:
        yield Target(kind="skill", path=folder)
        if holds_cases(folder / EVAL_DIR):
            yield Target(kind="suite", path=folder / EVAL_DIR)
    elif any(os.path.lexists(folder / name) for name in CASE_FILES):
        yield Target(kind="suite", path=folder)


def _skills_of(plugin: Path) -> Iterator[Target]:
    """Give the skills that a plugin carries: one in its root, and those in `skills/`."""
    if os.path.lexists(plugin / SKILL_FILE):
        yield Target(kind="skill", path=plugin)
    for folder in _folders(plugin / "skills", plugin):
        if os.path.lexists(folder / SKILL_FILE) and _lies_inside(folder / SKILL_FILE, plugin):
            yield Target(kind="skill", path=folder)


def _inner_targets(folder: Path) -> Iterator[Target]:
    """Give the plugins and skills that lie directly in a folder."""
    for inner in _folders(folder, folder):
        if _is_plugin(inner) or os.path.lexists(inner / SKILL_FILE):
            yield from _own_targets(inner, None)


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
    return any(os.path.isfile(folder / name) for name in MANIFESTS)  # noqa: PTH113 - Path.is_file raises without leave


def _is_folder(path: Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112 - Path.is_dir raises without leave to look
