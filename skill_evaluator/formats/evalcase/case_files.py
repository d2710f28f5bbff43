"""Which files of a folder hold cases."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

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
    """

    root: Path
    manifest: Path | None
    dev: tuple[Path, ...]
    locked: tuple[Path, ...]


def find_case_files(path: Path) -> CaseFiles | None:
    """Find the cases of a folder.

    Args:
        path: The folder with `cases/`, or one file of cases.

    Returns:
        The files; None where the path is neither.
    """
    if path.suffix == SUFFIX and path.is_file():
        is_locked = LOCKED in path.absolute().parts
        return CaseFiles(
            root=path, manifest=None, dev=() if is_locked else (path,), locked=(path,) if is_locked else ()
        )
    cases = path / CASES
    if not cases.is_dir():
        return None
    manifest = path / MANIFEST
    return CaseFiles(
        root=path,
        manifest=manifest if os.path.lexists(manifest) else None,
        dev=tuple(sorted((cases / DEV).rglob(f"*{SUFFIX}"))),
        locked=tuple(sorted((cases / LOCKED).rglob(f"*{SUFFIX}"))),
    )
