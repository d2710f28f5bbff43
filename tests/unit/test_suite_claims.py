"""What a case of a suite says of one of several skills."""

import pytest

from skill_evaluator.formats.suite_claims import Claim, Target, claim_about
from skill_evaluator.graders.suite import ToolUsed
from skill_evaluator.model import Case, Grader, Source, Split

TARGET = Target(
    names=("minutes", "minutes-folder"), plugin="office", others=(("standup", "daily"), ("slides",)), commands=("pdf",)
)


def fires(pattern: str | None = None, **more: int) -> ToolUsed:
    return ToolUsed(tool="Skill", input_match=pattern, **more)


def quiet(pattern: str | None = None) -> ToolUsed:
    return ToolUsed(tool="Skill", input_match=pattern, min=0, max=0)


def claim(*checks: ToolUsed, target: Target = TARGET) -> Claim:
    graders = tuple(Grader(name=str(place), check=check) for place, check in enumerate(checks))
    case = Case(
        id="a",
        prompt="do it",
        split=Split.TUNING,
        expect_trigger=None,
        sha256="",
        prompt_sha256="",
        source=Source(path="p"),
        graders=graders,
    )
    return claim_about(case, target)


@pytest.mark.parametrize(
    ("checks", "expected", "instead"),
    [
        ([fires()], True, None),
        ([fires("minutes")], True, None),
        ([fires("minutes-folder")], True, None),
        ([fires('"office:minutes"')], True, None),
        ([fires(r'^\{"skill":"minutes"\}$')], True, None),
        ([fires("standup|minutes")], True, None),
        ([fires(min=2)], True, None),
        ([quiet()], False, None),
        ([quiet("minutes")], False, None),
        ([fires("standup")], False, "standup"),
        ([fires("daily")], False, "standup"),
        ([fires("office:standup")], False, "standup"),
        ([fires("standup"), quiet("minutes")], False, "standup"),
        ([fires("standup|slides")], False, None),
        ([fires("standup"), fires("slides")], False, None),
        ([fires("pdf")], False, None),
        ([fires(), quiet("minutes")], False, None),
        ([fires("minutes"), quiet("standup")], True, None),
        ([fires("minutes"), fires("standup")], True, None),
        ([fires("minutes"), quiet("minutes")], None, None),
        ([quiet("standup")], None, None),
        ([fires("minute-taker")], None, None),
        ([fires("standup"), fires("minute-taker")], None, None),
        ([fires('minutes","args"')], None, None),
        ([fires("(")], None, None),
        ([fires(min=0)], None, None),
        ([], None, None),
    ],
)
def test_a_case_speaks_of_the_skills_whose_calls_its_patterns_match(
    checks: list[ToolUsed],
    expected: bool | None,
    instead: str | None,
) -> None:
    found = claim(*checks)

    assert (found.fires, found.instead) == (expected, instead)
    assert bool(found.why) is (expected is None)


def test_the_name_of_the_plugin_alone_is_no_name_of_a_skill() -> None:
    target = Target(names=("minutes",), plugin="standup", others=(("standup",),))

    assert claim(fires("standup"), target=target) == Claim(fires=False, instead="standup")
    assert claim(fires("standup:minutes"), target=target).fires is True
    assert claim(fires("standup:"), target=target).fires is True


def test_without_a_plugin_the_own_name_is_all_that_is_known() -> None:
    target = Target(names=("minutes",))

    assert claim(fires("minutes"), target=target).fires is True
    assert claim(quiet(), target=target).fires is False
    assert claim(fires("standup"), target=target).fires is None
