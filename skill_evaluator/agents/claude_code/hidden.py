"""What a run may see of the plugin and of the case: the plugin's own parts where it is loaded, never the suite."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skill_evaluator.model import Arm, Setup

_GIT: Final = ".git"
_USUAL: Final = "evals"
_WRITTEN: Final = ("aggregate-result.json", "report.html", "traces", "mock-recordings")  # where results are written


@dataclass(frozen=True, kw_only=True, slots=True)
class Hidden:
    """Tells which files of a suite and its plugins are kept from a run.

    Attributes:
        setup: What the case says.
        eval_dir: Folder of the suite; None for the topmost folder of each plugin around the case.
        arm: Whether the plugins are loaded; without them, nothing of them is read either.
        results: Where results are written: earlier ones, and those of runs that go on, say what graders look for.
        run: Folder of the run, which is never kept from it.
    """

    setup: Setup
    eval_dir: Path | None = None
    arm: Arm = Arm.WITH
    results: tuple[Path, ...] = ()
    run: Path | None = None

    def readable(self) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
        """Give the folders and the single files that may be read: parts of the plugins, and folders of the case."""
        folders: list[Path] = []
        files: list[Path] = []
        left_out = (*self._suites(), *self._results())
        for plugin in self.plugins:
            for part in _around(plugin, left_out):
                (folders if part.is_dir() else files).append(part)
        return (*folders, *self.added), tuple(files)

    def unwritable(self) -> tuple[Path, ...]:
        """Give the folders in which nothing may be changed."""
        return (*self.setup.plugins, self.setup.folder, *self.added)

    def unreadable(self) -> Iterator[Path]:
        """Give what may neither be read nor changed; folders of the case that it adds are left out of it."""
        suites = self._suites()
        folders = (*self.setup.plugins, *suites, self.setup.folder)
        yield from dict.fromkeys(folder / _GIT for folder in folders)
        for suite in suites:
            yield from _without(suite, self.added)
        yield from self._results()

    @property
    def plugins(self) -> tuple[Path, ...]:
        """The plugins that are loaded."""
        return self.setup.plugins if self.arm is Arm.WITH else ()

    @property
    def absent(self) -> tuple[Path, ...]:
        """The plugins that are not loaded."""
        return () if self.arm is Arm.WITH else self.setup.plugins

    @property
    def added(self) -> tuple[Path, ...]:
        """Folders of the case that may be read."""
        return tuple(Path(os.path.normpath(self.setup.folder / name)) for name in self.setup.add_dirs)

    def _suites(self) -> tuple[Path, ...]:
        """Give the suite of the case, and the place where the plugins have one that is not run this time."""
        usual = [plugin / _USUAL for plugin in self.setup.plugins]
        return tuple(dict.fromkeys((*self._own_suite(), *usual)))

    def _results(self) -> tuple[Path, ...]:
        """Give where results are; of a folder that holds what may be read, such as the plugin, just their names."""
        readable = (*self.setup.plugins, *self.added, *((self.run,) if self.run else ()))
        found: list[Path] = []
        for place in dict.fromkeys(path for one in self.results for path in (one, _real(one))):
            holds = any(one.is_relative_to(place) or _real(one).is_relative_to(place) for one in readable)
            found += [place / name for name in _WRITTEN] if holds else [place]
        return tuple(found)

    def _own_suite(self) -> tuple[Path, ...]:
        case = self.setup.folder
        if self.eval_dir is not None and _is_in(case, self.eval_dir):
            return (self.eval_dir,)
        tops = [plugin / case.relative_to(plugin).parts[0] for plugin in self.setup.plugins if _is_in(case, plugin)]
        return tuple(tops) or (case,)


def _around(folder: Path, left_out: tuple[Path, ...]) -> Iterator[Path]:
    """Give all parts of a folder but some, as few as will do."""
    for part in _entries(folder):
        if part in left_out or part.name == _GIT:
            continue
        if any(_is_in(one, part) for one in left_out):
            yield from _around(part, left_out)
        else:
            yield part


def _without(folder: Path, kept: tuple[Path, ...]) -> Iterator[Path]:
    """Give the parts of a folder that cover all of it but what is kept."""
    if folder in kept:
        return
    if not any(_is_in(one, folder) for one in kept):
        yield folder
        return
    for part in _entries(folder):
        yield from _without(part, kept)


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _is_in(path: Path, folder: Path) -> bool:
    return path != folder and path.is_relative_to(folder)
