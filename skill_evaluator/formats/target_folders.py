"""What lies in a folder that was named: questions that tell what to read it as."""

import os
from pathlib import Path

from skill_evaluator.formats.evalcase.case_files import CASES, DEV, LOCKED, MANIFEST, SUFFIX, holds_case_folder
from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.folders import list_folder, walk_folders
from skill_evaluator.formats.suite.names import CASE_FILES, PLACES
from skill_evaluator.formats.suite.reading import is_inside


def is_case_folder(folder: Path) -> bool:
    """Say whether a folder is laid out for cases of translations; one of eval cases may have a folder `cases` too."""
    entries = list_folder(folder / CASES, root=folder) if holds_case_folder(folder) else ()
    if isinstance(entries, SuiteFault):
        return False
    is_laid_out = any(entry.name in {DEV, LOCKED} or entry.name.endswith(SUFFIX) for entry in entries)
    return (is_laid_out or os.path.lexists(folder / MANIFEST)) and not holds_cases(folder / CASES)


def holds_cases(folder: Path) -> bool:
    """Say whether a case lies somewhere below a folder; links are not followed."""
    if not is_folder(folder) or os.path.islink(folder):  # noqa: PTH114 - Path.is_symlink may raise
        return False
    for _, entries in walk_folders(folder, root=folder, descend=lambda _, inner: inner):
        if isinstance(entries, SuiteFault):
            continue
        if any(entry.kind in {"file", "file-link"} and entry.name in CASE_FILES for entry in entries):
            return True
    return False


def inner_folders(folder: Path, root: Path) -> list[Path]:
    """Give the folders directly in a folder; of links only those that stay inside of the root."""
    entries = list_folder(folder, root=root)
    if isinstance(entries, SuiteFault):
        return []
    return [
        entry.path for entry in entries if entry.kind in {"folder", "folder-link"} and lies_inside(entry.path, root)
    ]


def lies_inside(path: Path, root: Path) -> bool:
    """Say whether a path leads to a place inside of a folder."""
    try:
        return is_inside(path, root)
    except (OSError, ValueError):
        return False


def is_plugin(folder: Path) -> bool:
    """Say whether a folder is a plugin: it has a manifest."""
    return any(is_file(folder / name) for name in PLACES)


def is_file(path: Path) -> bool:
    """Say whether a path is a file, or a link to one."""
    return os.path.isfile(path)  # noqa: PTH113 - Path.is_file raises without leave to look


def is_folder(path: Path) -> bool:
    """Say whether a path is a folder, or a link to one."""
    return os.path.isdir(path)  # noqa: PTH112 - Path.is_dir raises without leave to look
