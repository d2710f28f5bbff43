"""The assertions of a case, on one candidate."""

from dataclasses import dataclass

import pytest

from skill_evaluator.grading.translations import grade_candidate
from skill_evaluator.model import Assertion, Candidate, EvalCase, Outcome, Provenance, Run, Severity, Source
from skill_evaluator.results.assertions import AssertionResult


@dataclass(frozen=True)
class Says:
    """A check that says what it was told to, and shows what it was given."""

    passed: bool | None
    code: str

    def check(self, run: Run) -> Outcome:
        evidence = {"output": run.output, "raw": run.raw_response}
        return Outcome(passed=self.passed, code=self.code, message="said", evidence=evidence)


def case(*assertions: Assertion) -> EvalCase:
    return EvalCase(
        id="a.001",
        source_locale="en",
        target_locale="fr",
        domain="ui",
        source="s",
        assertions=assertions,
        provenance=Provenance(kind="synthetic", license="CC0-1.0"),
        place=Source(path="a.jsonl", line=1),
    )


def test_gives_one_result_for_each_assertion_in_the_order_of_the_case() -> None:
    graded = grade_candidate(
        case(
            Assertion(name="b", severity=Severity.REPORT, check=Says(passed=None, code="b_undecided")),
            Assertion(name="a", severity=Severity.HARD, check=Says(passed=False, code="a_missing")),
            Assertion(name="a", severity=Severity.HARD, check=Says(passed=True, code="ok")),
        ),
        Candidate(case_id="a.001", text="t", raw_response="r"),
    )

    assert [(one.assertion, one.severity, one.passed, one.code) for one in graded] == [
        ("b", Severity.REPORT, None, "b_undecided"),
        ("a", Severity.HARD, False, "a_missing"),
        ("a", Severity.HARD, True, "ok"),
    ]
    assert graded[0] == AssertionResult(
        case_id="a.001",
        assertion="b",
        passed=None,
        severity=Severity.REPORT,
        code="b_undecided",
        message="said",
        evidence={"output": "t", "raw": "r"},
    )


def test_a_response_that_was_not_kept_stays_none_and_an_empty_text_a_text() -> None:
    (graded,) = grade_candidate(
        case(Assertion(name="a", severity=Severity.HARD, check=Says(passed=True, code="ok"))),
        Candidate(case_id="a.001", text=""),
    )

    assert graded.evidence == {"output": "", "raw": None}


def test_a_candidate_of_another_case_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match=r"'b\.001'"):
        grade_candidate(case(), Candidate(case_id="b.001", text=""))
