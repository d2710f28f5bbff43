"""Paths that a case names: what the real program refuses at the start of every run.

Nothing outside of the plugin is looked at.

Source: Suites recorded with Claude Code 2.1.332.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from skill_evaluator.formats.reasons import system_reason
from skill_evaluator.formats.suite.environment import folder_name_problem
from skill_evaluator.formats.suite.faults import KeyPath, SuiteFault
from skill_evaluator.formats.suite.history import history_problem
from skill_evaluator.formats.suite.reading import is_inside
from skill_evaluator.texts import tr

_VERSION_CONTROL: Final = frozenset({".git", ".hg", ".svn", ".bzr", ".jj", ".sl", "CVS", "_darcs"})
KEPT_FOR_THE_CASE: Final = ("graders", "mocks")  # folders of a case that the agent must not see


def add_dirs_faults(case: Path, add_dirs: Sequence[str], baselines: Iterable[str]) -> Iterator[SuiteFault]:
    """Give what is wrong with the folders that the agent may read.

    Args:
        case: Folder of the case.
        add_dirs: Them as written.
        baselines: Files that graders compare with, as written; the agent must not see them either.
    """
    hidden = [real_path(case / name) for name in (*KEPT_FOR_THE_CASE, *baselines)] if add_dirs else []
    for index, written in enumerate(add_dirs):
        problem = _folder_problem(case, written, hidden)
        if problem:
            yield path_fault(
                "bad-add-dirs",
                ("add_dirs", index),
                tr("`add_dirs` names {written!r}, which {problem}", written=written, problem=problem),
            )


def history_fault(case: Path, written: str | None, *, root: Path) -> SuiteFault | None:
    """Say what is wrong with the transcript that a case goes on with; None where it names none.

    Args:
        case: Folder of the case.
        written: `history_file` as written, or None.
        root: The outermost folder that may be read.
    """
    if not written:
        return None
    problem = file_problem(case, written, root) or history_problem(case / written, root)
    if problem is None:
        return None
    return path_fault(
        "bad-history-file",
        ("history_file",),
        tr("`history_file` names {written!r}, which {problem}", written=written, problem=problem),
    )


def scaffold_fault(case: Path, written: str | None) -> SuiteFault | None:
    """Say that a script lies outside of the case by its path; where no script is run, that does not matter."""
    if not written or not is_outward(case, written):
        return None
    message = tr(
        "`scaffold_script` names {written!r}, which leads out of the case; put the script into the case's folder",
        written=written,
    )
    return replace(path_fault("bad-scaffold-script", ("scaffold_script",), message), effect="fails-with-scaffold")


def plugin_problem(plugin: Path, case: Path, eval_dir: Path) -> str | None:
    """Say why a folder cannot be loaded as the plugin of a case.

    Args:
        plugin: The folder, which exists.
        case: Folder of the case.
        eval_dir: Folder of the suite.
    """
    real, own, suite = real_path(plugin), real_path(case), real_path(eval_dir)
    if not real.is_dir():
        return tr("is a file; name the folder of a plugin, the one that holds .claude-plugin/plugin.json")
    if own.is_relative_to(real / eval_dir.name) or real == suite or not real.is_relative_to(suite):
        return None
    kept = [real_path(case / name) for name in KEPT_FOR_THE_CASE]
    if real != own and real.is_relative_to(own) and not any(real.is_relative_to(folder) for folder in kept):
        return None
    return tr("lies in the suite and covers a case, graders or mocks; keep a plugin outside or in a folder of its case")


def _folder_problem(case: Path, written: str, hidden: Iterable[Path]) -> str | None:
    try:
        if _leads_out(case, written):
            return tr("leads out of the case; put the folder into the case's folder")
        real = real_path(case / written)
        if not real.exists():
            return tr("does not exist; check the path")
    except (OSError, ValueError) as error:
        return tr("cannot be followed ({why}); check the path", why=reason_of(error))
    if not _VERSION_CONTROL.isdisjoint(real.relative_to(real_path(case)).parts):
        return tr("lies in what a version control keeps for itself; name the files that are meant")
    return _real_folder_problem(real_path(case), real, hidden) or _name_problem(case, written)


def _name_problem(case: Path, written: str) -> str | None:
    problem = folder_name_problem(Path(os.path.normpath(case / written)), below=Path(os.path.normpath(case)))
    return tr("cannot be named to the agent: {problem}", problem=problem) if problem else None


def _real_folder_problem(case: Path, real: Path, hidden: Iterable[Path]) -> str | None:
    if real == case:
        return tr("is the folder of the case itself; move what the agent may read into a folder of its own")
    if not real.is_dir():
        return tr("is a file; name the folder that holds it")
    if any(real.is_relative_to(path) or path.is_relative_to(real) for path in hidden if path != case):
        return tr("holds graders, mocks or a baseline, which the agent must not see; move those or the folder")
    return None


def file_problem(case: Path, written: str, root: Path) -> str | None:
    """Say why a file that a case names cannot be taken from where it lies, whatever is in it.

    Args:
        case: Folder of the case.
        written: The file as written.
        root: The outermost folder that may be read.
    """
    try:
        if is_outward(case, written):
            return tr("leads out of the case; put the file into the case's folder")
        path = case / written
        if not os.path.lexists(path):
            return tr("does not exist; check the path")
        if not is_inside(path, root):
            return tr("leads out of the plugin; put the file itself into the case's folder")
        return tr("is no file; name a transcript") if is_other(path) else None
    except (OSError, ValueError) as error:
        return tr("cannot be followed ({why}); check the path", why=reason_of(error))


def _leads_out(case: Path, written: str) -> bool:
    return is_outward(case, written) or not real_path(case / written).is_relative_to(real_path(case))


def is_outward(case: Path, written: str) -> bool:
    """Say whether a path leaves its folder by its letters; one that comes back does not."""
    goal = Path(os.path.normpath(case / written))
    return Path(written).is_absolute() or not goal.is_relative_to(os.path.normpath(case))


def is_other(path: Path) -> bool:
    """Say whether something stands at a path that is no file."""
    return path.exists() and not path.is_file()


def reason_of(error: OSError | ValueError) -> str:
    """Say why a path cannot be followed."""
    return system_reason(error)


def real_path(path: Path) -> Path:
    """Follow all links of a path, which need not exist."""
    return Path(os.path.realpath(path))


def path_fault(code: str, path: KeyPath, message: str) -> SuiteFault:
    """Make the fault of a path that fails every run."""
    return SuiteFault(code=code, path=path, message=message, effect="fails")
