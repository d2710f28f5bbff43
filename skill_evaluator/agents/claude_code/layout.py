"""The folders of one run of Claude Code."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

WORKSPACE: Final = "home/cwd"  # relative to the folder of a run
_GIT_CONFIG: Final = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"
_COMMON: Final = ".\n"
_USER: Final = "[user]\n\tname = Plugin Eval\n\temail = eval@example.invalid\n"
_STATE: Final = '{"hasCompletedOnboarding": true}\n'


@dataclass(frozen=True, kw_only=True, slots=True)
class Layout:
    """Where one run lives.

    Attributes:
        root: Holds all the others; a real path, without links.
        config: Configuration of the program.
        home: Home of the run's user, and the top of a git repository.
        cwd: Working folder of the program, in the home; graders look at it.
        out: What is kept of the run.
        tmp: For temporary files of the program.
    """

    root: Path
    config: Path
    home: Path
    cwd: Path
    out: Path
    tmp: Path

    @classmethod
    def below(cls, root: Path) -> "Layout":
        """Name the folders of a run; none is made."""
        home = root / "home"
        return cls(
            root=root, config=root / "config", home=home, cwd=root / WORKSPACE, out=root / "out", tmp=root / "tmp"
        )


def furnish(layout: Layout) -> None:
    """Make what a run needs beyond its empty folders: a repository without a commit, and an empty configuration.

    The files of the repository are written by hand, since starting git would take longer than all the rest. The model
    is told of the repository and its user, so both are as the real `claude plugin eval` has them. `commondir` says what
    holds without it too; where it is missing, the sandbox of a granted shell bars its place, and git does not start.

    Raises:
        OSError: If they cannot be written, as on a full disk.
    """
    git = layout.home / ".git"
    for folder in (layout.config, layout.out, git / "objects", git / "refs" / "heads"):
        folder.mkdir(parents=True, exist_ok=True)  # the configuration may hold skills already
    for file, text in (
        (git / "HEAD", "ref: refs/heads/main\n"),
        (git / "config", _GIT_CONFIG),
        (git / "commondir", _COMMON),
        (layout.home / ".gitconfig", _USER),
        (layout.config / ".claude.json", _STATE),
    ):
        file.write_bytes(text.encode())
