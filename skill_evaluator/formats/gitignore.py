"""What git would leave out of a skill's folder, worked out from `.gitignore` files alone."""

import os
import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from skill_evaluator.formats.text_file import MAX_BYTES
from skill_evaluator.regular_files import read_regular

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pathspec import GitIgnoreSpec

_NAME = ".gitignore"


@dataclass(frozen=True, kw_only=True)
class Ignored:
    """Says which paths below a folder are git-ignored.

    Rules above the folder count up to the folder that holds `.git`, and only when there is one. Where they ignore the
    folder as a whole they say nothing about its parts and are dropped.

    Attributes:
        root: The folder, absolute.
    """

    root: Path
    _specs: "dict[Path, GitIgnoreSpec | None]" = field(default_factory=dict)

    def __contains__(self, relative: PurePosixPath) -> bool:
        """Say whether the path, or a folder on the way to it, is ignored."""
        steps = [*reversed(relative.parents[:-1]), relative]
        return any(self._matches(self.root / step, is_folder=step != relative) for step in steps)

    def _matches(self, path: Path, *, is_folder: bool, top: Path | None = None) -> bool:
        """Let the deepest `.gitignore` with an opinion decide, as git does."""
        verdict = False
        for folder in self._folders_above(path, top or self._top):
            spec = self._spec(folder)
            if spec is not None:
                name = path.relative_to(folder).as_posix() + ("/" if is_folder else "")
                include = spec.check_file(name).include
                verdict = verdict if include is None else include
        return verdict

    @cached_property
    def _top(self) -> Path:
        """The highest folder whose rules count."""
        repository = next(
            (folder for folder in (self.root, *self.root.parents) if os.path.lexists(folder / ".git")), None
        )
        if repository is None or repository == self.root:
            return self.root
        above = [folder for folder in (self.root, *self.root.parents) if repository in folder.parents]
        swallowed = any(self._matches(folder, is_folder=True, top=repository) for folder in above)
        return self.root if swallowed else repository

    def _folders_above(self, path: Path, top: Path) -> "Iterator[Path]":
        parents = list(path.parents)
        return reversed(parents[: parents.index(top) + 1])

    def _spec(self, folder: Path) -> "GitIgnoreSpec | None":
        if folder not in self._specs:
            self._specs[folder] = _read_spec(folder / _NAME)
        return self._specs[folder]


def _read_spec(path: Path) -> "GitIgnoreSpec | None":
    try:
        content = read_regular(path, max_bytes=MAX_BYTES)
    except OSError:
        return None
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - slow to import, and most skills have no .gitignore

    lines = content.decode("utf-8-sig", errors="replace").splitlines()
    return GitIgnoreSpec.from_lines(line for line in lines if _is_pattern(line, GitIgnoreSpec))


def _is_pattern(line: str, spec: "type[GitIgnoreSpec]") -> bool:
    """Leave out what git passes over in silence, where pathspec raises."""
    try:
        spec.from_lines([line])
    except (ValueError, re.error):
        return False
    return True
