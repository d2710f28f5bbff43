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
        Paths relative to its folder, POSIX style, sorted; the SKILL.md itself always among them.
    """
    root = _real(skill_file.parent)
    ignored = Ignored(root=root)
    candidates = {*_parts(root), *_links(text)}
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


def skill_file_hashes(root: Path) -> Mapping[str, str]:
    """Hash each of a skill's files by itself, as they are now, to find out later what has changed.

    Args:
        root: The folder of SKILL.md, or the SKILL.md.

    Returns:
        64 hex digits by relative path; a file that cannot be read has the empty text. Without a SKILL.md only the
        other parts are there.
    """
    skill_file = root if root.is_file() else root / SKILL_FILE
    try:
        text = skill_file.read_text(encoding="utf-8-sig", errors="replace")
    except OSError:
        text = ""
    hashes = {name: _hash_or_nothing(skill_file.parent / name) for name in list_skill_files(skill_file, text)}
    return {name: digest for name, digest in hashes.items() if digest or name != skill_file.name}


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
    files = {_real(root / name) for name in skill.files} | {root / name for name in skill.files}
    if target in files or target in {file.parent for file in files}:
        return True
    return any(target.is_relative_to(root / part) for part in PART_FOLDERS)


def _parts(root: Path) -> Iterator[PurePosixPath]:
    for part in PART_FOLDERS:
        yield from _walk(root, PurePosixPath(part), frozenset())


def _walk(root: Path, folder: PurePosixPath, above: frozenset[Path]) -> Iterator[PurePosixPath]:
    """Go through a folder, into links as well, but never in a circle."""
    real = _real(root / folder)
    if real in above or not real.is_relative_to(root):
        return
    try:
        entries = sorted(os.scandir(root / folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        path = folder / entry.name
        if os.path.isdir(root / path):  # noqa: PTH112 - DirEntry.is_dir raises without leave to look
            yield from _walk(root, path, above | {real})
        else:
            yield path


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
    return not hidden and path.parts[0] not in _APART and _is_text(str(path))


def _is_text(name: str) -> bool:
    """A name that is no UTF-8 on disk could not be written into a report."""
    return not any("\ud800" <= char <= "\udfff" for char in name)


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))  # Path.resolve raises on a link that leads to itself


def _hash_file(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _hash_or_nothing(path: Path) -> str:
    try:
        return _hash_file(path)
    except OSError:
        return ""
