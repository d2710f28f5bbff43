"""Keeps the expected answers away from the agent: a test set must be none of the files that it can read."""

import os
from pathlib import Path

from skill_evaluator.api.faults import option_fault
from skill_evaluator.file_names import shown
from skill_evaluator.model import Finding, Skill
from skill_evaluator.sandbox.installed import copies


def apart_faults(skill: Skill, testset: Path) -> list[Finding]:
    """Refuse a test set that is handed over together with the skill, under its own name or by a link."""
    real = os.path.realpath(testset)
    names = [name for name, original in copies(skill) if os.path.realpath(original) == real]
    if not names:
        return []
    message = (
        f"{shown(testset)} is one of the skill's own files ({names[0]}), so the agent could read the expected answers; "
        "move it, such as beside SKILL.md as testset.json or into a folder evals"
    )
    return [option_fault("--testset", message)]
