"""Options of a run that cannot work, each told with its remedy."""

import os
from pathlib import Path

from skill_evaluator.api.request import Request
from skill_evaluator.formats.skill_md import lies_in_skill
from skill_evaluator.model import Finding, Level, Skill

MIN_RUNS = 3  # seed rule 8


def option_faults(request: Request, skill: Skill | None) -> list[Finding]:
    """Every fault of the options that needs no other file to be read; an unreadable skill owns no folder."""
    faults = []
    runs = request.runs
    if runs is not None and runs < 1:
        faults.append(option_fault("--runs", f"{runs} is no number of repetitions; at least {MIN_RUNS} are needed"))
    elif runs is not None and runs < MIN_RUNS and not request.draft:
        message = f"{runs} repetitions cannot show stability; use {MIN_RUNS} or more, or --draft for a quick look"
        faults.append(option_fault("--runs", message))
    if not 0 <= request.pass_threshold <= 1:
        faults.append(option_fault("--pass-threshold", f"{request.pass_threshold} is outside 0..1; 0.85 is usual"))
    if request.concurrency < 1:
        faults.append(
            option_fault("--concurrency", f"{request.concurrency} is below 1; 1 asks one case after the other")
        )
    return faults + _folder_faults(request, skill)


def _folder_faults(request: Request, skill: Skill | None) -> list[Finding]:
    faults = []
    for option, folder in (("--output-dir", request.output_dir), ("the state folder", request.state_dir)):
        if skill and lies_in_skill(skill, folder):
            message = (
                f"{str(folder)!r} belongs to the skill under test, which is never written to; "
                "name a folder outside it, such as reports"
            )
            faults.append(option_fault(option, message))
        elif not _can_be_written(folder):
            faults.append(option_fault(option, f"{str(folder)!r} is no folder that can be written; name another one"))
    return faults


def _can_be_written(folder: Path) -> bool:
    existing = folder.absolute()
    while not existing.exists():
        existing = existing.parent
    return existing.is_dir() and os.access(existing, os.W_OK | os.X_OK)


def option_fault(name: str, message: str) -> Finding:
    """A fault of an option, which has no file and no line."""
    return Finding(level=Level.FAIL, code="option", message=f"{name}: {message}")
