"""The folders of one run of Claude Code."""

from dataclasses import dataclass
from pathlib import Path


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
        return cls(root=root, config=root / "config", home=home, cwd=home / "cwd", out=root / "out", tmp=root / "tmp")
