"""Every assertion of every case, on its candidate; pair by pair, so that memory does not grow with their number."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from skill_evaluator.credentials import MASK, mask_credentials
from skill_evaluator.errors import InputError
from skill_evaluator.formats.evalcase.candidates import CandidateSource, open_candidates
from skill_evaluator.formats.evalcase.reading import CaseSource, open_cases
from skill_evaluator.formats.visible import visible
from skill_evaluator.grading.translations import grade_candidate
from skill_evaluator.model import Candidate, EvalCase, Finding, Level
from skill_evaluator.results.assertions import AssertionResult
from skill_evaluator.texts import tr


@dataclass(frozen=True, kw_only=True, slots=True)
class TranslationCheck:
    """Cases and candidates that are sound; going through it checks them.

    Attributes:
        warnings: What is doubtful about the cases, all WARN.
        cases: The cases.
        candidates: The candidates.
    """

    warnings: tuple[Finding, ...]
    cases: CaseSource
    candidates: CandidateSource

    def __iter__(self) -> Iterator[tuple[AssertionResult, ...] | Finding]:
        """Check pair by pair, in the order of the cases.

        Yields:
            The results of one pair, one an assertion, in the order of the case. A FAIL `no-candidate` for a case that
            has none; at the end a FAIL `no-case` for each candidate that no case has asked for.

        Raises:
            InputError: If a file has changed since it was checked. What came before may be wrong too.
        """
        with self.candidates.opened() as candidates:
            for case in self.cases:
                candidate = candidates.find(case.id)
                yield _without_candidate(case) if candidate is None else _graded(case, candidate)
            yield from candidates.left_over()


def check_translations(
    cases: Path, candidates: Path, *, since: Path | None = None, include_locked: bool = True
) -> TranslationCheck:
    """Read cases and candidates for checking.

    Args:
        cases: A folder with `cases/`, or one file of cases.
        candidates: A file of candidates.
        since: An earlier folder of cases; an id that means something else now is a fault. None for no such check.
        include_locked: False leaves locked cases out, of which `translation candidates` makes no candidates either.

    Returns:
        What checks them when it is gone through, as often as wanted.

    Raises:
        InputError: If one of them cannot be used; names every fault of both.
    """
    case_source = open_cases(cases, since=since, include_locked=include_locked)
    candidate_source = open_candidates(candidates)
    faults = [one for one in case_source.findings if one.level is Level.FAIL] + [*candidate_source.findings]
    if faults:
        raise InputError(faults)
    return TranslationCheck(warnings=case_source.findings, cases=case_source, candidates=candidate_source)


def _graded(case: EvalCase, candidate: Candidate) -> tuple[AssertionResult, ...]:
    """Check one pair; no result shows a credential that a provider or a model wrote.

    Evidence is taken from the text with masks in it, since a part of a credential has no shape to be known by.
    """
    results = grade_candidate(case, candidate)
    if all(result.passed for result in results):
        return results  # what passes shows nothing of the text
    masked = _without_credentials(candidate)
    if masked == candidate:
        return results
    return tuple(map(_shown, results, grade_candidate(case, masked)))


def _shown(result: AssertionResult, masked: AssertionResult) -> AssertionResult:
    if result.code == masked.code:
        return masked
    message = tr("The translation holds a credential, without which this would be otherwise; nothing of it is shown.")
    return replace(result, message=message, evidence={"credential": MASK})


def _without_credentials(candidate: Candidate) -> Candidate:
    raw = candidate.raw_response
    masked = None if raw is None else mask_credentials(raw)
    return replace(candidate, text=mask_credentials(candidate.text), raw_response=masked)


def _without_candidate(case: EvalCase) -> Finding:
    remedy = tr("leave locked cases out with --without-locked") if case.locked else tr("leave the case out")
    message = tr("case {case!r} has no candidate; add one, or {remedy}", case=visible(case.id), remedy=remedy)
    file = visible(case.place.path)
    return Finding(level=Level.FAIL, code="no-candidate", message=message, file=file, line=case.place.line)
