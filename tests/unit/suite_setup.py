"""Cases of eval suites and runs of them, for tests to score."""

from pathlib import Path

from skill_evaluator.graders.suite import Regex, ToolUsed
from skill_evaluator.model import (
    Arm,
    Case,
    Check,
    Failure,
    FailureKind,
    Grader,
    JudgedCheck,
    MockServer,
    Run,
    Setup,
    Source,
    Split,
    ToolCall,
)

TIN, GLASS = Regex(pattern="tin"), Regex(pattern="glass")
FIRED = ToolUsed(tool="Skill")
QUIET = ToolUsed(tool="Skill", min=0, max=0)
SKILL_CALL = ToolCall(name="Skill", arguments={"skill": "pantry:label-maker"})


def suite_case(*graders: Grader, name: str = "shelf", mocks: tuple[MockServer, ...] = ()) -> Case:
    return Case(
        id=name,
        prompt="Label my shelf.",
        split=Split.ACCEPTANCE,
        expect_trigger=None,
        sha256="0" * 64,
        prompt_sha256="1" * 64,
        source=Source(path="prompt.md"),
        graders=graders,
        setup=Setup(folder=Path("evals") / name, mocks=mocks),
    )


def grader(name: str, check: Check | JudgedCheck, weight: float = 1.0) -> Grader:
    return Grader(name=name, check=check, weight=weight)


def suite_run(output: str = "a tin", *calls: ToolCall, arm: Arm = Arm.WITH, index: int = 0, case: str = "shelf") -> Run:
    return Run(
        case_id=case,
        arm=arm,
        index=index,
        triggered=bool(calls),
        output=output,
        tool_calls=calls,
        created_files=(),
    )


def failed_run(kind: FailureKind, *, arm: Arm = Arm.WITH, index: int = 0, traced: bool = True) -> Run:
    failure = Failure(kind=kind, message="it ended")
    return Run(
        case_id="shelf",
        arm=arm,
        index=index,
        output="a tin",
        tool_calls=(),
        failure=failure,
        trace=() if traced else None,
    )
