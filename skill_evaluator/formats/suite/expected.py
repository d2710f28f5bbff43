"""What a case claims about the skill, told by its graders of the tool `Skill`."""

from collections.abc import Iterable
from dataclasses import dataclass

from skill_evaluator.graders.suite import ToolUsed
from skill_evaluator.model import Grader
from skill_evaluator.skill_names import SKILL_TOOL


@dataclass(frozen=True, kw_only=True, slots=True)
class SkillClaim:
    """One claim of a case: whether a call of `Skill` should be made whose input the pattern matches.

    Attributes:
        fires: Whether it should be made.
        pattern: The `input_match` of the graders that claim it; None speaks of every call.
    """

    fires: bool
    pattern: str | None

    def is_made_by(self, check: ToolUsed) -> bool:
        """Whether a grader claims this."""
        return claim_of(check) is self.fires and check.input_match == self.pattern and _is_told(check)


def claims_of(graders: Iterable[Grader]) -> tuple[SkillClaim, ...]:
    """Give each claim of a case once, calls that should be made first.

    Graders with the same pattern speak of the same call. Beside one that asks for it, those that forbid it, or every
    call, contradict it and claim nothing.
    """
    listed = tuple(graders)
    expected = trigger_of(listed)
    if expected is None:
        return ()
    checks = [check for check in (grader.check for grader in listed) if isinstance(check, ToolUsed) and _is_told(check)]
    skills = [check for check in checks if check.tool == SKILL_TOOL]
    asked = dict.fromkeys(check.input_match for check in skills if asks_for_call(check))
    forbidden = dict.fromkeys(check.input_match for check in skills if forbids_calls(check))
    contradicting = {*asked, None} if asked else set()
    return (
        *(SkillClaim(fires=True, pattern=pattern) for pattern in asked),
        *(SkillClaim(fires=False, pattern=pattern) for pattern in forbidden if pattern not in contradicting),
    )


def side_of(graders: Iterable[Grader]) -> bool | None:
    """Say on which side a case counts: False for a near miss, also where another skill should start in its place."""
    claims = claims_of(graders)
    return all(claim.fires for claim in claims) if claims else None


def trigger_of(graders: Iterable[Grader]) -> bool | None:
    """Say what graders claim: True where one asks for a call of `Skill`, False where all of them forbid it.

    Those that no number of calls passes, such as `min: 2` with `max: 1`, claim nothing.
    """
    checks = [grader.check for grader in graders]
    skills = [check for check in checks if isinstance(check, ToolUsed) and check.tool == SKILL_TOOL]
    told = [check for check in skills if _is_told(check)]
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


def _is_told(check: ToolUsed) -> bool:
    return forbids_calls(check) or can_pass(check)


def can_pass(check: ToolUsed) -> bool:
    """Say whether some number of calls passes."""
    return check.max is None or least_calls(check) <= check.max


def least_calls(check: ToolUsed) -> int:
    """Give how many calls there must be."""
    return 1 if check.min is None else check.min
