"""Which runs are graded, and by which graders."""

from dataclasses import dataclass

import pytest

from skill_evaluator.graders import CHECKS, Contains, ToolOrder
from skill_evaluator.grading import grade_run
from skill_evaluator.model import (
    Aspect,
    Case,
    Failure,
    FailureKind,
    Grader,
    Outcome,
    Run,
    Severity,
    Source,
    Split,
    ToolCall,
)

GRADERS = (
    Grader(name="says id", check=Contains(text="id")),
    Grader(
        name="reads", check=ToolOrder(names=("read",)), aspect=Aspect.TOOL_ORDER, weight=2.0, severity=Severity.REPORT
    ),
)
RUN = Run(case_id="c", triggered=True, output="an id", tool_calls=(ToolCall(name="write"),))


def case(*, expect_trigger: bool | None = True, graders: tuple[Grader, ...] = GRADERS) -> Case:
    return Case(
        id="c",
        prompt="p",
        split=Split.ACCEPTANCE,
        expect_trigger=expect_trigger,
        sha256="0" * 64,
        prompt_sha256="1" * 64,
        source=Source(path="testset.json"),
        graders=graders,
    )


def test_every_grader_gives_a_verdict_in_order() -> None:
    said, read = grade_run(case(), RUN)

    assert (said.grader, said.aspect, said.severity, said.weight) == ("says id", Aspect.OUTPUT, Severity.HARD, 1.0)
    assert said.outcome.passed
    assert (read.grader, read.aspect, read.severity, read.weight) == ("reads", Aspect.TOOL_ORDER, Severity.REPORT, 2.0)
    assert read.outcome.code == "tools_missing"


@pytest.mark.parametrize(
    ("expect_trigger", "run"),
    [
        (False, RUN),
        (True, Run(case_id="c", triggered=False, output="an id")),
        (True, Run(case_id="c", triggered=None, output="an id")),
        (True, Run(case_id="c", output="an id", failure=Failure(kind=FailureKind.TIMEOUT, message="after 300 s"))),
    ],
)
def test_output_that_is_not_the_skills_own_is_not_graded(expect_trigger: bool | None, run: Run) -> None:
    assert grade_run(case(expect_trigger=expect_trigger), run) == ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Broken:
    """A check with a bug."""

    def check(self, run: Run) -> Outcome:
        raise KeyError(run.case_id)


def test_bug_in_a_check_is_not_taken_for_a_failure_of_the_skill() -> None:
    with pytest.raises(KeyError):
        grade_run(case(graders=(Grader(name="broken", check=Broken()),)), RUN)


def test_checks_are_named_and_fixed() -> None:
    assert set(CHECKS) == {"contains", "not_contains", "regex", "params", "tool_order"}
    with pytest.raises(TypeError):
        CHECKS["mine"] = Broken  # type: ignore[index]  # the very thing that must not work
