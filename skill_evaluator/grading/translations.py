"""The assertions of a translation case, looked at in one translation."""

from skill_evaluator.model import Assertion, Candidate, EvalCase, Outcome, Run
from skill_evaluator.results.assertions import AssertionResult


def grade_candidate(case: EvalCase, candidate: Candidate) -> tuple[AssertionResult, ...]:
    """Look at a translation with every assertion of its case.

    Args:
        case: The case.
        candidate: A translation of it.

    Returns:
        One result an assertion, in the order of the case.

    Raises:
        ValueError: If the translation is one of another case.
    """
    if candidate.case_id != case.id:
        raise ValueError(f"a translation of {candidate.case_id!r} cannot be checked by the case {case.id!r}")
    run = Run(case_id=case.id, output=candidate.text, raw_response=candidate.raw_response)
    return tuple(assertion_result(case.id, one, one.check.check(run)) for one in case.assertions)


def assertion_result(case_id: str, assertion: Assertion, outcome: Outcome) -> AssertionResult:
    """Put what a check said into the form of the contract."""
    return AssertionResult(
        case_id=case_id,
        assertion=assertion.name,
        passed=outcome.passed,
        severity=assertion.severity,
        code=outcome.code,
        message=outcome.message,
        evidence=outcome.evidence,
    )
