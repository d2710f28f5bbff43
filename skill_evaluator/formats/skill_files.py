"""Which files make up a skill, and their hash: what an agent is given, and what must not change while it runs."""

import hashlib
import os
import re
import urllib.parse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from skill_evaluator.formats.gitignore import Ignored
from skill_evaluator.formats.markdown_text import without_fences
from skill_evaluator.formats.text_file import MAX_BYTES
from skill_evaluator.formats.visible import encodable
from skill_evaluator.regular_files import check_regular, read_regular

if TYPE_CHECKING:
    from skill_evaluator.model import Skill

SKILL_FILE: Final = "SKILL.md"
PART_FOLDERS: Final = ("assets", "references", "scripts")
# Test sets and reports of a skill often lie beside it; an agent under test must never see the expected answers.
_APART: Final = frozenset({"evals", "reports", "testset.json", "testsets", "tests"})
_CACHES: Final = frozenset({"__pycache__", "node_modules"})  # made by running a script, part of no skill

_LINK: Final = re.compile(r"\]\(\s*(?:<([^<>\n]+)>|([^\s()]+))|^ {0,3}\[[^\]\n]+\]:\s*<?([^\s<>]+)", re.MULTILINE)


def list_skill_files(skill_file: Path, text: str) -> tuple[str, ...]:
    """List the skill's files: SKILL.md, its parts, and the files inside its folder that it links to.

    Left out are hidden and git-ignored files, test sets and reports, caches of interpreters, whatever is no regular
    file, and symbolic links that lead out of the folder or to something left out.

    Args:
        skill_file: The SKILL.md.
        text: Its content, looked through for relative links.

    Returns:
        Paths relative to its folder, POSIX style, sorted; the SKILL.md itself always among them. Bytes of a name that
        are no UTF-8 stand as Python gives them (surrogates); `encodable` makes them fit for a report.
    """
    root = _real(skill_file.parent)
    ignored = Ignored(root=root)
    candidates = {*_walk(root), *_links(text)}
    kept = {str(path) for path in candidates if _belongs(root, path, ignored)}
    return tuple(sorted({*kept, skill_file.name}))


def hash_skill_files(root: Path, files: Sequence[str]) -> str:
    """Hash names and bytes of files, in an order of its own.

    Args:
        root: Folder the names are relative to.
        files: Names, POSIX style.

    Returns:
        64 hex digits. Names are framed by their length, so no name can be mistaken for the end of another.

    Raises:
        OSError: If a file cannot be read.
    """
    whole = hashlib.sha256()
    for name in sorted(files):
        whole.update(f"{len(name)}:{name}:{_hash_file(root / name)}\n".encode(errors="surrogateescape"))
    return whole.hexdigest()


def skill_file_of(path: Path) -> Path:
    """Give the skill file that a path stands for: itself, or the SKILL.md of a folder, existing or not."""
    inner = path / SKILL_FILE
    is_folder = os.path.isdir(path)  # noqa: PTH112 - Path.is_dir may raise
    return inner if is_folder and (path.name != SKILL_FILE or os.path.lexists(inner)) else path


def skill_file_hashes(skill_file_or_folder: Path) -> Mapping[str, str]:
    """Hash each of a skill's files by itself, as they are now, to find out later what has changed.

    Args:
        skill_file_or_folder: The skill file, whatever its name, or the folder of a SKILL.md.

    Returns:
        64 hex digits by relative path; a file that cannot be read has the empty text. Without the skill file only the
        other parts are there. Bytes of a name that are no UTF-8 are written out.
    """
    skill_file = skill_file_of(skill_file_or_folder)
    try:
        text = read_regular(skill_file, max_bytes=MAX_BYTES).decode("utf-8-sig", errors="replace")
    except (OSError, ValueError):
        text = ""
    hashes = {name: _hash_or_nothing(skill_file.parent / name) for name in list_skill_files(skill_file, text)}
    return {encodable(name): digest for name, digest in hashes.items() if digest or name != skill_file.name}


def lies_in_skill(skill: "Skill", path: Path) -> bool:
    """Say whether writing to a path could touch the skill.

    Args:
        skill: The skill as read.
        path: A file or folder, existing or not.

    Returns:
        True for a skill file, for the skill's own folder, for anything in scripts, references and assets, and for a
        folder that directly holds a skill file.
    """
    root, target = _real(skill.path.parent), _real(path)
    named = {root / skill.path.name, *(root / name for name in skill.files)}
    files = {_real(file) for file in named} | named
    if target in files or target in {file.parent for file in files}:
        return True
    return any(target.is_relative_to(root / part) for part in PART_FOLDERS)


def _walk(root: Path) -> Iterator[PurePosixPath]:
    """Go through the parts and into links: each real folder once by its own name, and once by the first link to it."""
    seen: set[tuple[Path, bool]] = set()
    waiting = [(PurePosixPath(part), False) for part in reversed(PART_FOLDERS)]
    while waiting:
        folder, below_link = waiting.pop()
        real, is_link = _real(root / folder), os.path.islink(root / folder)  # noqa: PTH114 - Path.is_symlink may raise
        visit = (real, below_link or is_link)
        circle = is_link and _real(root / folder.parent).is_relative_to(real)
        if visit in seen or circle or not real.is_relative_to(root):
            continue
        seen.add(visit)
        paths = [folder / name for name in _names(root / folder)]
        folders = [path for path in paths if os.path.isdir(root / path)]  # noqa: PTH112 - Path.is_dir may raise
        waiting += [(path, visit[1]) for path in reversed(folders)]
        yield from sorted({*paths}.difference(folders))


def _names(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208 - names are all that is wanted
    except OSError:
        return []


def _links(text: str) -> Iterator[PurePosixPath]:
    """Find the targets of relative Markdown links; code fences hold examples."""
    for match in _LINK.finditer("\n".join(without_fences(text))):
        target = urllib.parse.unquote((match[1] or match[2] or match[3]).partition("#")[0].partition("?")[0])
        path = os.path.normpath(target) if target else ".."
        if not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:|/|\\|\.\.|\.$", path) and "\0" not in path:
            yield PurePosixPath(path)


def _belongs(root: Path, path: PurePosixPath, ignored: Ignored) -> bool:
    """Judge a file by its name and, for a symbolic link, by what it leads to."""
    real = _real(root / path)
    if not real.is_relative_to(root) or not os.path.isfile(real):  # noqa: PTH113 - Path.is_file raises without leave to look
        return False
    target = PurePosixPath(real.relative_to(root).as_posix())
    return all(_may_belong(name) and name not in ignored for name in (path, target))


def _may_belong(path: PurePosixPath) -> bool:
    hidden = any(part.startswith(".") or part in _CACHES for part in path.parts)
    return not hidden and path.parts[0] not in _APART


def _real(path: Path) -> Path:
    """Follow all links; a path that cannot be followed, as without a working folder, stands for itself."""
    try:
        return Path(os.path.realpath(path))  # Path.resolve raises on a link that leads to itself
    except (OSError, ValueError, RecursionError):
        return path


def _hash_file(path: Path) -> str:
    check_regular(path)
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _hash_or_nothing(path: Path) -> str:
    try:
        return _hash_file(path)
    except (OSError, ValueError):
        return ""
