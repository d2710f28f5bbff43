"""The folder of one run: made before it, removed after it, whatever happened."""

import contextlib
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath

from skill_evaluator.model import Skill
from skill_evaluator.sandbox.installed import install
from skill_evaluator.sandbox.owner import kept_name, new_prefix
from skill_evaluator.sandbox.processes import end_processes
from skill_evaluator.sandbox.removal import remove_tree


@dataclass(frozen=True, kw_only=True, slots=True)
class Sandbox:
    """Where one run lives.

    Attributes:
        root: Holds all the others; a real path, without links.
        skills: Copies of the skills, each in a folder of its name.
        workspace_place: Where the workspace is, relative to the root.
    """

    root: Path
    skills: Path
    workspace_place: str = "workspace"

    @property
    def home(self) -> Path:
        """The home of the run's user: nothing personal is in it."""
        return self.root / "home"

    @property
    def workspace(self) -> Path:
        """The working folder of the child, with the files of the case."""
        return self.root / self.workspace_place

    @property
    def tmp(self) -> Path:
        """For temporary files of the child."""
        return self.root / "tmp"

    @property
    def marker(self) -> str:
        """A value that no other run has; every process of the run carries it."""
        return self.root.name

    @property
    def kept_as(self) -> Path:
        """Where the folder lies once the run is over, if it is kept: no sweep takes the name for an orphan's."""
        return self.root.with_name(kept_name(self.root.name))


@contextlib.contextmanager
def open_sandbox(
    *,
    skills: Sequence[Skill] = (),
    skills_place: str = "skills",
    files: Mapping[str, str] | None = None,
    workspace_place: str = "workspace",
    keep: bool = False,
) -> Iterator[Sandbox]:
    """Make a folder for one run; in the end, its processes are killed and it is removed.

    Args:
        skills: What is installed: their listed files, never the test sets beside them.
        skills_place: Where, relative to the root, such as `home/.claude/skills`.
        files: Texts that stand in the workspace, by relative POSIX path.
        workspace_place: Where the workspace is, relative to the root.
        keep: Whether the folder is kept as `Sandbox.kept_as` instead of removed.

    Raises:
        OSError: If it cannot be made, as on a full disk.
        ValueError: If a path leads out of where it belongs.
    """
    root = Path(os.path.realpath(tempfile.mkdtemp(prefix=new_prefix())))
    folder = Sandbox(root=root, skills=_inside(root, skills_place), workspace_place=workspace_place)
    try:
        for part in (folder.home, folder.workspace, folder.tmp):
            part.mkdir()
        _write(folder.workspace, files or {})
        for skill in skills:
            install(skill, folder.skills)
        yield folder
    finally:
        end_processes(marker=folder.marker, root=root, looks=1)  # whoever started something has looked with care
        if keep:
            with contextlib.suppress(OSError):
                root.rename(folder.kept_as)
        else:
            remove_tree(root)


def is_confined(path: str) -> bool:
    r"""Whether a relative POSIX path stays inside the folder it is relative to, on any system.

    >>> [is_confined(path) for path in ("a/b.txt", "/a", "../a", "a/../../b", "C:/a", "a\\b", "")]
    [True, False, False, False, False, False, False]
    """
    parts = path.split("/")
    plain = all(part not in {"", ".", ".."} for part in parts)
    return plain and "\\" not in path and "\0" not in path and not PureWindowsPath(path).drive


def _inside(folder: Path, path: str) -> Path:
    if not is_confined(path):
        raise ValueError(f"{path!r} leads out of {folder}")
    return folder / PurePosixPath(path)


def _write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        file = _inside(folder, name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode(errors="surrogatepass"))
