"""What a case claims about the skill, told by its graders of the tool `Skill`."""

from collections.abc import Iterable

from skill_evaluator.graders.suite import ToolUsed
from skill_evaluator.model import Grader

_SKILL_TOOL = "Skill"


def trigger_of(graders: Iterable[Grader]) -> bool | None:
    """Say what graders claim: True where one asks for a call of `Skill`, False where all of them forbid it."""
    checks = [grader.check for grader in graders]
    skills = [check for check in checks if isinstance(check, ToolUsed) and check.tool == _SKILL_TOOL]
    if any(check.max != 0 and (1 if check.min is None else check.min) >= 1 for check in skills):
        return True
    return False if skills and all(check.max == 0 for check in skills) else None
