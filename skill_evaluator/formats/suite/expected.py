"""What a case claims about the skill, told by its graders of the tool `Skill`."""

from collections.abc import Iterable

from skill_evaluator.graders.suite import ToolUsed
from skill_evaluator.model import Grader
from skill_evaluator.skill_names import SKILL_TOOL


def trigger_of(graders: Iterable[Grader]) -> bool | None:
    """Say what graders claim: True where one asks for a call of `Skill`, False where all of them forbid it.

    Those that no number of calls passes, such as `min: 2` with `max: 1`, claim nothing.
    """
    checks = [grader.check for grader in graders]
    skills = [check for check in checks if isinstance(check, ToolUsed) and check.tool == SKILL_TOOL]
    told = [check for check in skills if forbids_calls(check) or can_pass(check)]
    if any(asks_for_call(check) for check in told):
        return True
    return False if told and all(forbids_calls(check) for check in told) else None


def claim_of(check: ToolUsed) -> bool | None:
    """Say what one grader of `Skill` claims, or None for nothing."""
    return False if forbids_calls(check) else True if asks_for_call(check) else None


def asks_for_call(check: ToolUsed) -> bool:
    """Say whether a grader passes only where there is a call, and can pass."""
    return not forbids_calls(check) and least_calls(check) >= 1 and can_pass(check)


def forbids_calls(check: ToolUsed) -> bool:
    """Say whether a grader is there to forbid calls: `max: 0` is meant so whatever `min` says, which is 1 by itself."""
    return check.max == 0


def can_pass(check: ToolUsed) -> bool:
    """Say whether some number of calls passes."""
    return check.max is None or least_calls(check) <= check.max


def least_calls(check: ToolUsed) -> int:
    """Give how many calls there must be."""
    return 1 if check.min is None else check.min
