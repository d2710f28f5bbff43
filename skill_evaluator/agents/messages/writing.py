"""The tools that write, into the files that a run has in memory: offered where a grader looks at files."""

from typing import TYPE_CHECKING, Final

from skill_evaluator.agents.messages.tool_result import ToolResult, refused
from skill_evaluator.agents.messages.workspace import SKILLS, NoText, Workspace, inside, outside
from skill_evaluator.model import JsonObject

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_BYTES: Final = 2_000_000  # of one file
MOST_WRITTEN: Final = 1_000  # files that one run may make


def write(workspace: Workspace, arguments: JsonObject) -> ToolResult:
    """Make a file, or put a text in place of what it holds; `arguments` are those of the tool Write."""
    match arguments:
        case {"path": str(given), "content": str(content)}:
            return _put(workspace, given, content, "written")
        case _:
            return refused("Write takes a path (text) and the content (text)")


def edit(workspace: Workspace, arguments: JsonObject) -> ToolResult:
    """Replace one piece of a file; `arguments` are those of the tool Edit."""
    match arguments:
        case {"path": str(given), "old_text": str(old), "new_text": str(new)} if old:
            pass
        case _:
            return refused("Edit takes a path (text), old_text (text that is not empty) and new_text (text)")
    path = inside(given)
    text = workspace.files.get(path) if path else None
    if text is None:
        return refused(outside(given) if path is None else f"there is no file {given!r}")
    if isinstance(text, NoText):
        return refused(f"{given!r} {text.why}")
    if (count := text.count(old)) != 1:
        return refused(f"old_text stands {count} times in {given!r}; it must stand there once")
    return _put(workspace, given, text.replace(old, new), "changed")


def _put(workspace: Workspace, given: str, content: str, done: str) -> ToolResult:
    path = inside(given)
    if path is None:
        return refused(outside(given))
    if why := _why_not(workspace, path, content):
        return refused(f"{given!r} {why}")
    workspace.put(path, content)
    return ToolResult(text=f"{path}: {done}")


def _why_not(workspace: Workspace, path: str, content: str) -> str | None:
    files: Mapping[str, object] = workspace.files
    above = ["/".join(path.split("/")[:count]) for count in range(1, path.count("/") + 1)]
    checks = (
        (not path or any(name.startswith(f"{path}/") for name in files), "is a folder"),
        (any(folder in files for folder in above), "lies below a file, which is no folder"),
        (path.split("/", maxsplit=1)[0].casefold() == SKILLS, "is a file of a skill, and these stay as they are"),
        (len(content.encode(errors="replace")) > MAX_BYTES, f"would be larger than {MAX_BYTES:,} bytes"),
        (path not in files and len(workspace.created) >= MOST_WRITTEN, "is one file too many"),
    )
    return next((why for wrong, why in checks if wrong), None)
