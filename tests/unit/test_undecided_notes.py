"""What a report says of checks that could not look."""

from pathlib import Path

from skill_evaluator.api.run_notes import run_notes
from skill_evaluator.metrics.cases import case_result
from skill_evaluator.model import Aspect, Case, Outcome, Run, Severity, Source, Split, Verdict
from skill_evaluator.results import Note

PASSED = Outcome(passed=True, code="regex_ok", message="It matches.")
NO_FILE = Outcome(passed=None, code="not_run", message="The run keeps nothing of the file 'a.md'.")
NO_OUTPUT = Outcome(passed=None, code="not_run", message="The agent makes no output, so this was not looked at.")


def notes(**outcomes: list[Outcome]) -> dict[str, Note]:
    results = []
    for name, found in outcomes.items():
        case = Case(
            id=name,
            prompt="p",
            split=Split.TUNING,
            expect_trigger=True,
            sha256="a",
            prompt_sha256="b",
            source=Source(path="t"),
        )
        verdicts = tuple(
            Verdict(grader=str(n), aspect=Aspect.OUTPUT, severity=Severity.HARD, weight=1.0, outcome=one)
            for n, one in enumerate(found)
        )
        results.append(case_result(case, [(Run(case_id=name, triggered=True), verdicts)], planned_runs=1))
    return {note.code: note for note in run_notes(results, {}, run_dir=Path(), testset=None, scored=True)}


def test_open_cases_are_named_with_the_reason_of_the_check() -> None:
    found = notes(a=[PASSED, NO_FILE], b=[NO_FILE], c=[PASSED])

    assert set(found) == {"checks_undecided"}
    assert found["checks_undecided"].values == {
        "why": [{"message": NO_FILE.message, "cases": ["a", "b"], "graders": ["1", "0"]}]
    }


def test_an_agent_without_output_is_told_of_once() -> None:
    found = notes(a=[NO_OUTPUT], b=[NO_OUTPUT, NO_OUTPUT])

    assert {code: note.values for code, note in found.items()} == {"output_not_run": {"cases": 2}}
