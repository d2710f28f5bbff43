"""What a case claims about the skill by its graders: fires, stays quiet, or nothing."""

import pytest

from skill_evaluator.formats.suite.expected import SkillClaim, claims_of, trigger_of
from skill_evaluator.graders.suite import Regex, ToolUsed
from skill_evaluator.model import Grader


def count(least: int | None, most: int | None, tool: str = "Skill") -> ToolUsed:
    return ToolUsed(tool=tool, min=least, max=most)


FIRES, QUIET, NEVER_PASSES, OPEN = count(None, None), count(0, 0), count(2, 1), count(0, 2)


@pytest.mark.parametrize(
    ("checks", "claim"),
    [
        ([], None),
        ([Regex(pattern="x")], None),
        ([count(None, None, tool="Read")], None),
        ([FIRES], True),
        ([count(1, 1)], True),
        ([count(None, 3)], True),
        ([QUIET], False),
        ([count(None, 0)], False),
        ([count(3, 0)], False),
        ([OPEN], None),
        ([NEVER_PASSES], None),
        ([FIRES, QUIET], True),
        ([QUIET, QUIET], False),
        ([QUIET, OPEN], None),
        ([NEVER_PASSES, QUIET], False),
        ([NEVER_PASSES, FIRES], True),
    ],
)
def test_a_case_claims_what_its_graders_can_pass_for(checks: list[Regex | ToolUsed], claim: bool | None) -> None:
    graders = [Grader(name=f"g{index}", check=check) for index, check in enumerate(checks)]

    assert trigger_of(graders) is claim


def about(pattern: str | None, least: int | None, most: int | None) -> Grader:
    return Grader(name="g", check=ToolUsed(tool="Skill", input_match=pattern, min=least, max=most))


@pytest.mark.parametrize(
    ("graders", "claims"),
    [
        ([about("a", 0, 0), about("b", 1, None)], [(True, "b"), (False, "a")]),
        ([about("a", 1, None), about("a", 1, 1), about("a", 0, 0)], [(True, "a")]),
        ([about("a", 1, None), about(None, 0, 0)], [(True, "a")]),
        ([about(None, 1, None), about("a", 0, 0)], [(True, None), (False, "a")]),
        ([about("a", 0, 0), about("b", 0, 0)], [(False, "a"), (False, "b")]),
        ([about(None, 0, 0)], [(False, None)]),
        ([about("a", 0, 0), about("b", 0, 2)], []),
        ([about("a", 2, 1), about("b", 1, None)], [(True, "b")]),
    ],
)
def test_each_call_that_graders_speak_of_is_claimed_once(
    graders: list[Grader], claims: list[tuple[bool, str | None]]
) -> None:
    assert claims_of(graders) == tuple(SkillClaim(fires=fires, pattern=pattern) for fires, pattern in claims)
