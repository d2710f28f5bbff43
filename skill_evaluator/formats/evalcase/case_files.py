"""Which files of a folder hold cases, and what lies there that is none."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skill_evaluator.formats.evalcase.form import Fault
from skill_evaluator.formats.evalcase.spots import finding_of
from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.folders import Entry, list_folder, walk_folders
from skill_evaluator.model import Finding, Level
from skill_evaluator.texts import tr

MANIFEST: Final = "manifest.yaml"
CASES: Final = "cases"
DEV: Final = "dev"
LOCKED: Final = "locked"
SUFFIX: Final = ".jsonl"


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseFiles:
    """The files of one folder of cases.

    Attributes:
        root: The folder, or the single file that was named.
        manifest: Its manifest, or None.
        dev: Files of cases, by name.
        locked: Files of cases that no prompt is made of, by name.
        findings: What lies there and is not read, or does not belong there.
    """

    root: Path
    manifest: Path | None
    dev: tuple[Path, ...] = ()
    locked: tuple[Path, ...] = ()
    findings: tuple[Finding, ...] = ()


def find_case_files(path: Path) -> CaseFiles | None:
    """Find the cases of a folder; no file is opened.

    Args:
        path: The folder with `cases/`, or one file of cases; for a file, the manifest is that of its folder.

    Returns:
        The files; None where the path is neither.
    """
    if os.path.isfile(path):  # noqa: PTH113 - Path.is_file raises without leave to look
        manifest = _manifest_above(path)
        if is_locked(path):
            return CaseFiles(root=path, manifest=manifest, locked=(path,))
        return CaseFiles(root=path, manifest=manifest, dev=(path,))
    if not holds_case_folder(path):
        return None
    dev, dev_findings = _files_in(path / CASES / DEV, path)
    locked, locked_findings = _files_in(path / CASES / LOCKED, path)
    findings = (*_misplaced(path), *dev_findings, *locked_findings, *_links_to_locked(dev, locked))
    return CaseFiles(root=path, manifest=_manifest_of(path), dev=dev, locked=locked, findings=findings)


def holds_case_folder(path: Path) -> bool:
    """Say whether a folder is one of cases: it has a folder `cases`."""
    return os.path.isdir(path / CASES)  # noqa: PTH112 - Path.is_dir raises without leave to look


def is_locked(path: Path) -> bool:
    """Say whether a path leads below a folder `locked`, as it is written or as its links lead."""
    written = os.path.abspath(path)  # noqa: PTH100 - resolve would follow links
    return any(LOCKED in Path(one).parts[:-1] for one in (written, os.path.realpath(path)))


def _manifest_of(folder: Path) -> Path | None:
    manifest = folder / MANIFEST
    return manifest if os.path.lexists(manifest) else None


def _manifest_above(file: Path) -> Path | None:
    here = Path(os.path.abspath(file))  # noqa: PTH100 - resolve would follow links
    above = next((folder.parent for folder in here.parents if folder.name == CASES), None)
    return _manifest_of(above) if above else None


def _files_in(folder: Path, root: Path) -> tuple[tuple[Path, ...], tuple[Finding, ...]]:
    """Give the files of cases below a folder, and what else is there."""
    if not os.path.lexists(folder):
        return (), ()
    files: list[Path] = []
    findings: list[Finding] = []
    for inner, entries in walk_folders(folder, root=root, descend=lambda _, found: found):
        if isinstance(entries, SuiteFault):
            findings.append(_not_listed(entries, inner))
            continue
        for entry in entries:
            if entry.name.endswith(SUFFIX) and entry.kind not in {"folder", "folder-link"}:
                files.append(entry.path)
            elif (fault := _not_read(entry)) is not None:
                findings.append(finding_of(fault, entry.path))
    return tuple(sorted(files)), tuple(findings)


def _not_listed(fault: SuiteFault, folder: Path) -> Finding:
    """Say why a folder cannot be gone through; of two faults the usual words are about suites and plugins."""
    code, message = fault.code, fault.message
    if code == "leads-outside":
        message = tr(
            "leads out of the folder that was named, so it is not read; put the files of cases themselves there"
        )
    elif os.path.exists(folder) and not os.path.isdir(folder):  # noqa: PTH110, PTH112 - as above
        code, message = (
            "misplaced-file",
            tr("is no folder; make a folder of that name, and put the files of cases into it"),
        )
    return finding_of(Fault(code=code, parts=(), message=message), folder)


def _not_read(entry: Entry) -> Fault | None:
    if entry.kind == "folder" or entry.name.startswith("."):
        return None
    if entry.kind == "folder-link":
        message = tr("is a link to a folder, which is not followed; put the files of cases there")
        return Fault(code="folder-link", parts=(), message=message)
    message = tr(
        "is not read: files of cases are JSON Lines, and their names end in {suffix}; rename it or move it away",
        suffix=SUFFIX,
    )
    return Fault(code="not-read", parts=(), message=message, level=Level.WARN)


def _misplaced(root: Path) -> tuple[Finding, ...]:
    """Name files of cases that lie in `cases/` outside of its two folders."""
    entries = list_folder(root / CASES, root=root)
    if isinstance(entries, SuiteFault):
        return (_not_listed(entries, root / CASES),)
    files = [entry.path for entry in entries if entry.name.endswith(SUFFIX) and entry.kind != "folder"]
    for entry in entries:
        if entry.kind == "folder" and entry.name not in {DEV, LOCKED}:
            files += _files_in(entry.path, root)[0]
    message = tr(
        "is not read here; move it to {cases}/{dev}/, or to {cases}/{locked}/ if no prompt may be made of it",
        cases=CASES,
        dev=DEV,
        locked=LOCKED,
    )
    return tuple(finding_of(Fault(code="misplaced-file", parts=(), message=message), file) for file in files)


def _links_to_locked(dev: tuple[Path, ...], locked: tuple[Path, ...]) -> tuple[Finding, ...]:
    """Name files of `dev/` that are files of `locked/` by another name: prompts would be made of them."""
    known = {identity: file for file in locked if (identity := _identity(file))}
    found = ((file, known[identity]) for file in dev if (identity := _identity(file)) in known)
    return tuple(finding_of(_same_file(other), file) for file, other in found)


def _same_file(other: Path) -> Fault:
    message = tr(
        "is the same file as {other}, so prompts would be made of locked cases; remove the link", other=str(other)
    )
    return Fault(code="link-to-locked", parts=(), message=message)


def _identity(file: Path) -> tuple[int, int] | None:
    try:
        status = file.stat()
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino
