"""Copies of skills: what an agent is offered, and whether it changed what it was offered.

Only the files that make up a skill are copied. Test sets and expected answers, which often lie beside it, never are.
"""

import hashlib
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from skill_evaluator.file_names import slug
from skill_evaluator.model import Skill

SKILL_FILE = "SKILL.md"
_PARTS = ("assets", "references", "scripts")  # new files in these belong to the skill, as in the original
_CACHES = frozenset({"__pycache__", "node_modules"})  # made by running a script, no edit
_SAFE_NAME = re.compile(r"[^\W_][\w.-]{0,79}")
_RAW_BYTE = re.compile(r"\\udc([89a-f][0-9a-f])")  # how a byte of a name that is no UTF-8 is written out


def folder_name(skill: Skill) -> str:
    """Name the folder of a copy: the skill's own name, unless no file system would take it."""
    return skill.name if _SAFE_NAME.fullmatch(skill.name) else slug(skill.name)


def install(skill: Skill, skills: Path) -> None:
    """Copy a skill's files below its own folder; SKILL.md gets that name, whatever the original's is.

    Raises:
        OSError: If a file cannot be read or written.
    """
    for name, original in copies(skill):
        copy = skills / folder_name(skill) / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(original, copy)


def copies(skill: Skill) -> Iterator[tuple[str, Path]]:
    """Give each of a skill's files: its name in a copy, POSIX style, and where the original lies."""
    for name in skill.files:
        yield _name_of_copy(skill, name), skill.path.parent / _real_name(skill, name)


def hash_copy(skill: Skill, skills: Path) -> Mapping[str, str]:
    """Hash the copy as it is now, to find out later what has changed.

    Returns:
        64 hex digits by the name of the original's file; "" for a file that is gone or cannot be read. New files in
        scripts, references and assets count, hidden files and caches of interpreters do not.
    """
    folder = skills / folder_name(skill)
    listed = {_name_of_copy(skill, name): name for name in skill.files}
    for name in _found(folder):
        listed.setdefault(name, name)
    return {original: _hash(folder / copy) for copy, original in listed.items()}


def changed_files(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[str, ...]:
    """Name the files that were changed, added or removed, sorted."""
    return tuple(sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name)))


def _name_of_copy(skill: Skill, name: str) -> str:
    return SKILL_FILE if name == skill.path.name else name


def _real_name(skill: Skill, name: str) -> str:
    """Undo the writing out of bytes, unless a file has that very name."""
    if os.path.lexists(skill.path.parent / name):
        return name
    return _RAW_BYTE.sub(lambda found: chr(0xDC00 + int(found[1], 16)), name)


def _found(folder: Path) -> Iterator[str]:
    for part in _PARTS:
        for above, folders, names in os.walk(folder / part):
            folders[:] = [name for name in folders if name not in _CACHES and not name.startswith(".")]
            for name in names:
                if not name.startswith("."):
                    yield (Path(above) / name).relative_to(folder).as_posix()


def _hash(file: Path) -> str:
    """Hash a regular file; an agent may have put a pipe in its place, which would never end."""
    try:
        if not file.is_file():
            return ""
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except (OSError, ValueError):
        return ""
