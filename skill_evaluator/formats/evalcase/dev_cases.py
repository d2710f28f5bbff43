"""Which files of cases may become prompts, and what is wrong with those that were named; locked ones are not opened."""

import os
from collections.abc import Iterator
from pathlib import Path

from skill_evaluator.formats.evalcase.case_files import CASES, DEV, LOCKED, SUFFIX, CaseFiles, find_case_files
from skill_evaluator.formats.visible import encodable
from skill_evaluator.model import Finding, Level

_NO_FILES = CaseFiles(root=Path(), manifest=None, dev=(), locked=())


def names_cases(path: Path) -> bool:
    """Say whether a path names translation cases: one file of them, or a folder that holds files of them."""
    if path.suffix.lower() == SUFFIX:
        return True
    return os.path.isdir(path) and (_lies_in_locked(path) or _holds(path) or _part_of(path) is not None)  # noqa: PTH112 - Path.is_dir may raise


def prompt_faults(path: Path) -> tuple[Finding, ...]:
    """Say why no prompt can be made of what a path names.

    Only names and what the file system tells of files are looked at; nothing is opened.

    Args:
        path: For which `names_cases` holds.
    """
    if _lies_in_locked(path):
        return (_fault(path, "locked-case", _LOCKED, line=None if _is_folder(path) else 1),)
    if (above := _part_of(path)) is not None:
        message = f"is a part of a folder of cases; name the folder itself: {encodable(str(above))}"
        return (_fault(path, "no-cases", message),)
    files = find_case_files(path)
    if files is None:
        return ()  # a file that is not there; whoever reads it says so
    if not files.dev:
        locked = f", and the {_files(len(files.locked))} in {LOCKED}/ are not opened" if files.locked else ""
        return (_fault(path, "no-cases", f"no {SUFFIX} file lies in {CASES}/{DEV}/{locked}; put cases there"),)
    return tuple(_disguised(files))


def locked_files(path: Path) -> int:
    """Count the files of locked cases beside those that may become prompts."""
    return len((find_case_files(path) or _NO_FILES).locked)


_LOCKED = (
    "lies in locked/, so that no prompt is ever made of its cases; name cases of dev/, or check translations that were "
    "made elsewhere with `translation check`"
)


def _disguised(files: CaseFiles) -> Iterator[Finding]:
    """Files of dev/ that are a locked one under another name."""
    locked = {one for file in files.locked if (one := _identity(file)) is not None}
    for file in files.dev:
        if _lies_in_locked(file) or _identity(file) in locked:
            message = "is a locked file under another name, so that no prompt may be made of it; take the link away"
            yield _fault(file, "locked-case", message, line=1)


def _identity(file: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(file)  # noqa: PTH116 - as short as Path.stat
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _lies_in_locked(path: Path) -> bool:
    """Whether a path leads into `locked/`, by its name or by where its links end."""
    return any(LOCKED in Path(one).parts for one in (os.path.abspath(path), os.path.realpath(path)))  # noqa: PTH100 - links are followed apart


def _holds(path: Path) -> bool:
    files = find_case_files(path)
    return files is not None and bool(files.dev or files.locked or _is_folder(path / CASES / DEV))


def _part_of(path: Path) -> Path | None:
    """The folder of cases whose `cases/` or `cases/dev/` was named in its place."""
    real = Path(os.path.realpath(path))
    above = {CASES: real.parent, DEV: real.parent.parent}.get(real.name)
    is_part = above is not None and real in {above / CASES, above / CASES / DEV}
    return above if above is not None and is_part and _is_folder(real) and _holds(above) else None


def _is_folder(path: Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112 - Path.is_dir may raise


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count} files"


def _fault(path: Path, code: str, message: str, *, line: int | None = None) -> Finding:
    return Finding(level=Level.FAIL, code=code, message=message, file=encodable(str(path)), line=line)
