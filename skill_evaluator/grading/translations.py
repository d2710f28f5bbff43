"""Translations looked at: what the assertions of a case say of one, and which text of a run is one."""

from dataclasses import replace

from skill_evaluator.model import Assertion, Candidate, Case, EvalCase, Outcome, Run
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
    return tuple([assertion_result(case.id, one, one.check.check(run)) for one in case.assertions])


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


def candidate_of(case: Case, run: Run) -> Run:
    """Give the run that the checks of a translation look at.

    Models end an answer with a line end, or begin it with one, that is no part of the translation. So white space
    around the output is left out; it stays where the text to translate has some around it too.

    Args:
        case: A case that does not say whether the skill should fire.
        run: One of its runs that did not fail.

    Returns:
        The run with the translation as `output`, and as `raw_response` the whole final output, unless a recording has
        one of its own; both None where the agent made no output.
    """
    whole = run.output
    text = whole if whole is None or _has_outer_space(case) else whole.strip()
    return replace(run, output=text, raw_response=whole if run.raw_response is None else run.raw_response)


def _has_outer_space(case: Case) -> bool:
    """Whether white space stands around the text to translate, as far as a check of the case knows that text."""
    sources = (getattr(grader.check, "source", None) for grader in case.graders)
    return any(isinstance(source, str) and source != source.strip() for source in sources)
