"""What a run of an eval suite can read: copies of files under the paths that they really have, kept in memory.

Nothing else is there: a path that leads anywhere else is a file that does not exist. The working folder is empty.
"""

import os
import posixpath
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skill_evaluator.agents.messages.searching import glob, grep
from skill_evaluator.agents.messages.suite_offer import CWD
from skill_evaluator.agents.messages.tool_result import ToolResult, refused
from skill_evaluator.agents.messages.workspace import NoText, SkillTree, Workspace, text_of
from skill_evaluator.model import JsonObject

MOST_FILES: Final = 5_000
MOST_CHARS: Final = 50_000_000  # of all of them
_SKIPPED: Final = frozenset({".git", "node_modules", "__pycache__"})


@dataclass(frozen=True, kw_only=True, slots=True)
class SuiteFiles:
    """Files by path, without the slash that all of them begin with."""

    files: Mapping[str, str | NoText]

    def and_those_of(self, other: "SuiteFiles") -> "SuiteFiles":
        """Put two together."""
        return SuiteFiles(files={**self.files, **other.files})

    def answer(self, tool: str, arguments: JsonObject) -> ToolResult | None:
        """Carry out a call of a tool that reads; None for any other tool."""
        call = _TOOLS.get(tool)
        return None if call is None else call(self, arguments)

    def read(self, arguments: JsonObject) -> ToolResult:
        """Give numbered lines of a file; `arguments` are those of the tool Read."""
        path = arguments.get("file_path", arguments.get("path"))
        if not isinstance(path, str) or not path:
            return refused("Read takes a file_path (text), and offset and limit (whole numbers from 1 on)")
        return self._workspace.read({**arguments, "path": _placed(path)})

    def glob(self, arguments: JsonObject) -> ToolResult:
        """List the files whose path matches; `arguments` are those of the tool Glob."""
        pattern, folder = arguments.get("pattern"), arguments.get("path", CWD)
        if not isinstance(pattern, str) or not pattern or not isinstance(folder, str):
            return refused("Glob takes a pattern (text) and a path (text)")
        found = glob(self._workspace, {"pattern": _placed(f"{folder or CWD}/{pattern}", pattern)})
        return found if found.is_error else _with_slashes(found, self.files)

    def grep(self, arguments: JsonObject) -> ToolResult:
        """Find lines; `arguments` are those of the tool Grep."""
        folder = arguments.get("path", CWD)
        if not isinstance(folder, str):
            return refused("Grep takes a pattern (text) and a path (text)")
        where = _placed(folder or CWD)
        if not any(name == where or name.startswith(f"{where}/") for name in self.files):
            is_empty = where == _placed(CWD)
            return ToolResult(text="no line matches") if is_empty else refused(f"there is no file or folder {folder!r}")
        found = grep(self._workspace, {**arguments, "path": where})
        return found if found.is_error else _with_slashes(found, self.files)

    @property
    def _workspace(self) -> Workspace:
        return Workspace(tree=SkillTree(files=self.files, names={}), case_files={})


_TOOLS: Final[Mapping[str, Callable[[SuiteFiles, JsonObject], ToolResult]]] = {
    "Read": SuiteFiles.read,
    "Glob": SuiteFiles.glob,
    "Grep": SuiteFiles.grep,
}


def files_below(folder: Path) -> SuiteFiles:
    """Read all text files below a folder, hidden ones too.

    Args:
        folder: The folder, absolute. Links in it that lead out of it are not followed.

    Returns:
        As many as there is room for.
    """
    return _read_all(_walked(folder))


def files_at(paths: Iterable[Path]) -> SuiteFiles:
    """Read files, each under its own path, absolute."""
    return _read_all(paths)


def _read_all(paths: Iterable[Path]) -> SuiteFiles:
    files: dict[str, str | NoText] = {}
    left = MOST_CHARS
    for path in paths:
        text = text_of(path)
        left -= len(text) if isinstance(text, str) else 0
        if len(files) >= MOST_FILES or left < 0:
            break
        files[path.as_posix().lstrip("/")] = text
    return SuiteFiles(files=files)


def _walked(folder: Path) -> Iterable[Path]:
    real = folder.resolve()
    for above, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED)
        for name in sorted(names):
            path = Path(above, name)
            if path.resolve().is_relative_to(real) and path.is_file():
                yield path


def _placed(path: str, given: str | None = None) -> str:
    """Give a path as the files have it; a relative one starts in the working folder."""
    whole = given if given is not None and given.startswith("/") else path
    return posixpath.normpath(posixpath.join(CWD, whole)).lstrip("/")


def _with_slashes(found: ToolResult, files: Mapping[str, object]) -> ToolResult:
    """Write the paths of an answer as absolute ones."""
    lines = found.text.split("\n")
    return ToolResult(text="\n".join(f"/{line}" if line.partition(":")[0] in files else line for line in lines))
