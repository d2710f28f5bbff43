"""The files a model can read and write: kept in memory, so that no path it may think of leads anywhere else."""

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from skill_evaluator.agents.messages.tool_result import ToolResult, refused
from skill_evaluator.model import Case, Finding, JsonObject, Level, SeenFile, Skill
from skill_evaluator.regular_files import read_regular
from skill_evaluator.sandbox.folder import is_confined
from skill_evaluator.sandbox.installed import SKILL_FILE, copies, folder_name
from skill_evaluator.sendable import sendable
from skill_evaluator.texts import tr

SKILLS = "skills"
MAX_BYTES = 2_000_000  # of one file of a skill
MAX_LINES = 2_000  # of one answer
MAX_LINE = 2_000  # characters of one line
MAX_TEXT = 60_000  # characters of one answer


@dataclass(frozen=True, kw_only=True, slots=True)
class NoText:
    """A file that is there and cannot be shown, and why."""

    why: str


Files = Mapping[str, str | NoText]


@dataclass(frozen=True, kw_only=True, slots=True)
class SkillTree:
    """The files of the skills that are offered.

    Attributes:
        files: Texts by path relative to the working folder.
        names: Name of the skill by the path of its SKILL.md.
    """

    files: Files
    names: Mapping[str, str]

    def without(self, skill: Skill) -> "SkillTree":
        """Leave one skill out."""
        folder = f"{skill_folder(skill)}/"
        files = {path: text for path, text in self.files.items() if not path.startswith(folder)}
        return SkillTree(files=files, names={path: name for path, name in self.names.items() if path in files})


def skill_folder(skill: Skill) -> str:
    """Where the files of a skill stand, relative to the working folder."""
    return f"{SKILLS}/{folder_name(skill)}"


def read_skills(skills: Sequence[Skill]) -> SkillTree:
    """Read the listed files of skills from the disk, once."""
    files = {f"{skill_folder(skill)}/{name}": text_of(path) for skill in skills for name, path in copies(skill)}
    return SkillTree(files=files, names={f"{skill_folder(skill)}/{SKILL_FILE}": skill.name for skill in skills})


def file_faults(cases: Sequence[Case], tree: SkillTree) -> tuple[Finding, ...]:
    """Refuse files of a case that would stand where the files of a skill stand."""
    folders = {"/".join(path.split("/")[:2]).casefold() for path in tree.files}
    return tuple(
        Finding(
            level=Level.FAIL,
            code="file-in-skill",
            message=tr("the file {path!r} would lie among the files of a skill; give it another path", path=path),
            file=case.source.path,
            case=case.id,
            line=case.source.line,
            values={"path": path},
        )
        for case in cases
        for path in case.files
        if "/".join(path.split("/")[:2]).casefold() in folders or path.casefold() == SKILLS
    )


def text_of(path: Path) -> str | NoText:
    """Read a file as text, or say why it cannot be shown."""
    try:
        raw = read_regular(path, max_bytes=MAX_BYTES + 1)
    except (OSError, ValueError):
        return NoText(why="cannot be read")
    if len(raw) > MAX_BYTES:
        return NoText(why=f"is larger than {MAX_BYTES:,} bytes and cannot be read here")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    return NoText(why="is binary and cannot be read as text") if "\0" in text else text


@dataclass(frozen=True, kw_only=True, slots=True)
class Workspace:
    """The working folder of one run.

    Attributes:
        tree: Files of the skills.
        case_files: Files of the case, as they were laid out.
        files: Both together, as the model has changed them so far.
    """

    tree: SkillTree
    case_files: Mapping[str, str]
    files: dict[str, str | NoText] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "files", {**self.case_files, **self.tree.files})

    def put(self, path: str, content: str) -> None:
        """Write a file; `path` is one that `inside` gave."""
        self.files[path] = content

    @property
    def created(self) -> tuple[str, ...]:
        """Files that are new, sorted."""
        return tuple(sorted(self.files.keys() - self.case_files.keys() - self.tree.files.keys()))

    def look_at(self, path: str) -> SeenFile:
        """Give one file as a grader sees it: text of the case or of the model."""
        if "\0" in path:
            return SeenFile(state="unreadable")
        plain = posixpath.normpath(path) if path else "."
        if path.startswith("/") or plain.split("/")[0] == "..":
            return SeenFile(state="outside")
        found = self.files.get(plain)
        if found is None:
            is_folder = plain == "." or any(name.startswith(f"{plain}/") for name in self.files)
            return SeenFile(state="not_a_file" if is_folder else "missing")
        return (
            SeenFile(state="unreadable") if isinstance(found, NoText) else SeenFile.of(found.encode(errors="replace"))
        )

    def read(self, arguments: JsonObject) -> ToolResult:
        """Give numbered lines of a file; `arguments` are those of the tool Read."""
        match arguments:
            case {"path": str(given)}:
                pass
            case _:
                return refused("Read takes a path (text), and offset and limit (whole numbers from 1 on)")
        first, count = _number(arguments, "offset", 1), _number(arguments, "limit", MAX_LINES)
        if first is None or count is None:
            return refused("offset and limit are whole numbers from 1 on")
        path = inside(given)
        if path is None:
            return refused(outside(given))
        found = self.files.get(path)
        if found is None:
            is_folder = any(name.startswith(f"{path}/") for name in self.files)
            return refused(f"{given!r} is a folder; list it with Glob" if is_folder else f"there is no file {given!r}")
        if isinstance(found, NoText):
            return refused(f"{given!r} {found.why}")
        return _lines_of(found, first, min(count, MAX_LINES), self.tree.names.get(path))


def inside(path: str) -> str | None:
    """Give a path relative to the working folder in its plain form, "" for the folder itself; None for any other."""
    plain = path
    while plain.startswith("./"):
        plain = plain[2:].lstrip("/") if plain[2:] else ""
    plain = plain.removesuffix("/")
    if plain in {"", "."}:
        return None if path.startswith("/") else ""
    return plain if is_confined(plain) and not plain.startswith("~") else None


def outside(path: str) -> str:
    """Say that a path leads out."""
    return f"{path!r} is outside: paths are relative to the working folder, and nothing beyond it can be read"


def shortened(line: str, limit: int) -> str:
    """Cut a long line, and say so."""
    return line if len(line) <= limit else f"{line[:limit]} [{len(line) - limit} more characters in this line]"


def _number(arguments: JsonObject, key: str, default: int) -> int | None:
    value = arguments.get(key)
    if value is None:
        return default
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _lines_of(text: str, first: int, count: int, skill: str | None) -> ToolResult:
    lines = text.removesuffix("\n").split("\n")
    if not text:
        return ToolResult(text="[the file is empty]", opened=skill)
    if first > len(lines):
        return refused(f"the file has {len(lines)} lines, so there is no line {first}")
    shown, size = [], 0
    for number, line in enumerate(lines[first - 1 : first - 1 + count], first):
        shown.append(f"{number}\t{shortened(line.removesuffix(chr(13)), MAX_LINE)}")
        size += len(shown[-1])
        if size > MAX_TEXT:
            break
    last = first + len(shown) - 1
    if last < len(lines):
        shown.append(f"[lines {first} to {last} of {len(lines)}; go on with offset {last + 1}]")
    return ToolResult(text=sendable("\n".join(shown)), opened=skill)
