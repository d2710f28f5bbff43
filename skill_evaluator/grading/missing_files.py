"""Files that graders look at and a run did not keep: some of them are known not to have been there."""

import posixpath
from dataclasses import replace
from typing import TYPE_CHECKING

from skill_evaluator.graders.suite.needs import evidence_needed
from skill_evaluator.model import Case, Run, SeenFile

if TYPE_CHECKING:
    from collections.abc import Mapping

_SKILLS = "skills"  # where agents lay out the files of skills; folders with a dot are theirs too


def with_missing_files(case: Case, run: Run) -> Run:
    """Add the files that a grader looks at and that cannot have been there after the run.

    That is known where all new files are listed: one that is neither among them nor laid out by the case was not there.
    Of files below a folder with a dot, or of the skills, nothing is known, since nobody listed what lay there before.

    Args:
        case: The case with its graders, which may be others than when the run was made.
        run: One of its runs.
    """
    if run.created_files is None:
        return run
    there = {*map(posixpath.normpath, case.files), *run.created_files}
    missing: Mapping[str, SeenFile] = {
        path: SeenFile(state="missing")
        for path in evidence_needed(case.graders).file_paths
        if path not in run.seen_files and _is_absent(path, there)
    }
    return replace(run, seen_files={**run.seen_files, **missing}) if missing else run


def _is_absent(path: str, there: set[str]) -> bool:
    plain = posixpath.normpath(path)
    parts = plain.split("/")
    if parts[0] == _SKILLS or any(part.startswith(".") for part in parts[:-1]):
        return False
    return not any(known == plain or known.startswith(f"{plain}/") for known in there)
