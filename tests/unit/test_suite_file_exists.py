"""Grader `file_exists`, and what of a run graders need at all."""

import pytest
import yaml

from skill_evaluator.graders.suite import (
    GRADER_TYPES,
    Baseline,
    CallOrder,
    EvidenceNeeded,
    FileExists,
    FileTarget,
    Llm,
    Regex,
    Selector,
    ToolUsed,
    evidence_needed,
)
from skill_evaluator.model import Check, Grader, JudgedCheck, Outcome, Run
from tests.recorded_suites import suites_by_name

MADE = Run(case_id="c", created_files=("a.txt", "sub/b.md"))


@pytest.mark.parametrize(
    ("path", "exists", "passed"),
    [("*.txt", True, True), ("*.txt", False, False), ("*.md", True, False), ("*.md", False, True)],
)
def test_new_files_are_looked_for(path: str, exists: bool, passed: bool) -> None:
    assert FileExists(path=path, exists=exists).check(MADE).passed is passed


def test_the_evidence_tells_which_files_there_are() -> None:
    assert FileExists(path="*.md").check(MADE) == Outcome(
        passed=False,
        code="file_missing",
        message="No file that the agent made matches '*.md'.",
        evidence={"path": "*.md", "exists": True, "created": ["a.txt", "sub/b.md"]},
    )
    assert FileExists(path="**", exists=False).check(MADE).evidence["found"] == ["a.txt", "sub/b.md"]


@pytest.mark.parametrize(
    "run",
    [
        Run(case_id="c", output="x"),
        Run(case_id="c", triggered=True, output="x", output_cut=True, created_files=("a.txt",)),
    ],
    ids=["not looked", "not waited for"],
)
@pytest.mark.parametrize("exists", [True, False])
def test_files_that_nobody_looked_for_leave_the_question_open(run: Run, exists: bool) -> None:
    assert FileExists(path="*.txt", exists=exists).check(run).passed is None


@pytest.mark.parametrize("name", ["run/file-exists-globs", "run/file-exists-globs-2", "run/rx-files"])
@pytest.mark.usefixtures("conformance")
def test_verdicts_are_the_recorded_ones(name: str) -> None:
    suite = suites_by_name()[name]
    assert suite.script is not None
    calls = [call["input"] for rule in suite.script["rules"] for call in rule["respond"].get("tool_use", ())]
    made = sorted(call["file_path"].removeprefix("{{cwd}}/") for call in calls)
    run = Run(case_id="c", created_files=tuple(made))
    (recorded,) = suite.runs["evals/c"]

    assert recorded.verdicts
    for grader_name, passed in recorded.verdicts:
        grader = _grader(suite.files[f"evals/c/graders/{grader_name}.md"]["text"])
        assert grader.check(run).passed is passed, grader


def _grader(file: str) -> Check:
    _, options, body = file.split("---\n", 2)
    values: dict[str, str] = yaml.safe_load(options)
    if values.pop("type") == "file_exists":
        return FileExists(path=values["path"], exists=bool(values.get("exists", True)))
    return Regex(
        pattern=body.strip(), target="files", flags=values.get("flags", ""), match=values.get("match", "contains")
    )


def needed(*checks: Check | JudgedCheck) -> EvidenceNeeded:
    return evidence_needed([Grader(name=str(place), check=check) for place, check in enumerate(checks)])


@pytest.mark.parametrize(
    ("checks", "evidence"),
    [
        ([], EvidenceNeeded()),
        ([Regex(pattern="x")], EvidenceNeeded()),
        ([Regex(pattern="x", target="mock_calls")], EvidenceNeeded()),
        ([Regex(pattern="x", target="trace")], EvidenceNeeded(wants_trace=True)),
        ([Regex(pattern="x", target="files")], EvidenceNeeded(wants_created=True)),
        ([FileExists(path="x")], EvidenceNeeded(wants_created=True)),
        ([ToolUsed(tool="x")], EvidenceNeeded(wants_calls=True)),
        ([CallOrder(before=Selector(tool="x"), after=Selector(tool="y"))], EvidenceNeeded(wants_calls=True)),
        ([Llm(criteria="x")], EvidenceNeeded()),
        ([Llm(criteria="x", focus="files")], EvidenceNeeded(wants_created=True)),
        ([Llm(criteria="x", focus=FileTarget(path="p"))], EvidenceNeeded(file_paths=("p",))),
        ([Baseline(criteria="x", baseline_file="b")], EvidenceNeeded(wants_trace=True)),
        (
            [Regex(pattern="x", target=FileTarget(path=path)) for path in ("b", "a", "b")],
            EvidenceNeeded(file_paths=("a", "b")),
        ),
    ],
)
def test_graders_need_what_they_look_at(checks: list[Check | JudgedCheck], evidence: EvidenceNeeded) -> None:
    assert needed(*checks) == evidence


def test_types_have_the_names_of_the_format() -> None:
    assert dict(GRADER_TYPES) == {
        "regex": Regex,
        "tool_used": ToolUsed,
        "tool_order": CallOrder,
        "file_exists": FileExists,
        "llm": Llm,
        "baseline": Baseline,
    }
