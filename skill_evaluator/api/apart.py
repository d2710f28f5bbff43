"""Keeps the expected answers away from the agent: a test set must be none of the files that it can read."""

import os
from collections.abc import Iterator
from pathlib import Path

from skill_evaluator.api.faults import option_fault
from skill_evaluator.file_names import shown
from skill_evaluator.formats.evalcase.case_files import find_case_files
from skill_evaluator.model import Finding, Skill
from skill_evaluator.sandbox.installed import copies
from skill_evaluator.texts import tr


def apart_faults(skill: Skill, testset: Path) -> list[Finding]:
    """Refuse a test set that is handed over together with the skill, under its own name or by a link."""
    reals = {os.path.realpath(path): path for path in _files(testset)}
    found = [(name, reals[real]) for name, original in copies(skill) if (real := os.path.realpath(original)) in reals]
    if not found:
        return []
    name, file = found[0]
    message = tr(
        "{file} is one of the skill's own files ({name}), so the agent could read the expected answers; "
        "move it, such as beside SKILL.md as testset.json or into a folder evals",
        file=shown(file),
        name=name,
    )
    return [option_fault("--testset", message)]


def _files(testset: Path) -> Iterator[Path]:
    """Give the file itself, or all files of translation cases, locked ones too: an agent must not read those either."""
    yield testset
    if files := find_case_files(testset):
        yield from (*files.dev, *files.locked)
