"""Whether a path names translation cases that prompts may be made of; only names are looked at, no file is opened."""

import itertools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from skill_evaluator.formats.evalcase.case_files import (
    CASES,
    DEV,
    LOCKED,
    SUFFIX,
    find_case_files,
    holds_case_folder,
    is_locked,
)
from skill_evaluator.formats.visible import encodable
from skill_evaluator.model import Finding, Level
from skill_evaluator.texts import tr

_LINK: Final = "link-to-locked"
_LOCKED: Final = tr(
    "lies in locked/, so that no prompt is ever made of its cases; name cases of dev/, or "
    "check translations that were made elsewhere with `translation check`"
)


def names_cases(path: Path) -> bool:
    """Say whether a path names translation cases: one file of them, or a folder that holds files of them."""
    if path.suffix.lower() == SUFFIX:
        return True
    return _is_folder(path) and (_is_in_locked(path) or _holds(path) or _whole_of(path) is not None)


def prompt_faults(path: Path) -> tuple[Finding, ...]:
    """Say why no prompt can be made of what a path names, as far as names and links tell.

    Args:
        path: For which `names_cases` holds.
    """
    if not _is_folder(path):
        return (_fault(path, "locked-case", _LOCKED, line=1),) if is_locked(path) else ()
    if _is_in_locked(path):
        return (_fault(path, "locked-case", _LOCKED),)
    if (whole := _whole_of(path)) is not None:
        message = tr("is a part of a folder of cases; name the folder itself: {whole}", whole=encodable(whole))
        return (_fault(path, "no-cases", message),)
    return tuple(_links(path))


def _links(folder: Path) -> Iterator[Finding]:
    """Name files of dev/ that are locked ones: of this folder, or by a link to those of another."""
    files = find_case_files(folder)
    if files is None:
        return
    of_this = [finding for finding in files.findings if finding.code == _LINK]
    yield from of_this
    known = {finding.file for finding in of_this}
    for file in files.dev:
        if str(file) not in known and os.path.islink(file) and is_locked(file):  # noqa: PTH114 - as below
            yield _fault(
                file, _LINK, tr("leads to a locked case, so that no prompt may be made of it; remove the link"), line=1
            )


def locked_files(path: Path) -> int:
    """Count the files of locked cases beside those that may become prompts."""
    files = find_case_files(path)
    return 0 if files is None else len(files.locked)


def _holds(path: Path) -> bool:
    """Whether cases lie in a folder; the suite of another format may have a case that is called `cases`."""
    if not holds_case_folder(path):
        return False
    files = find_case_files(path)
    return files is not None and bool(files.dev or files.locked or _is_folder(path / CASES / DEV))


def _is_in_locked(folder: Path) -> bool:
    """Whether a folder is `cases/locked`, or lies below it."""
    parts = Path(os.path.realpath(folder)).parts
    return any(pair == (CASES, LOCKED) for pair in itertools.pairwise(parts))


def _whole_of(path: Path) -> str | None:
    """The folder of cases whose `cases/` or `cases/dev/` was named in its place."""
    real = Path(os.path.realpath(path))
    above = next((one.parent for one in (real, real.parent) if one.name == CASES), None)
    if above is None or real not in {above / CASES, above / CASES / DEV} or not _holds(above):
        return None
    return os.path.normpath(path / ".." if real.name == CASES else path / ".." / "..")


def _is_folder(path: Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112 - Path.is_dir raises without leave to look


def _fault(path: Path, code: str, message: str, *, line: int | None = None) -> Finding:
    return Finding(level=Level.FAIL, code=code, message=message, file=encodable(str(path)), line=line)
