"""Every assertion of every case, on its candidate; pair by pair, so that memory does not grow with their number."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from skill_evaluator.errors import InputError
from skill_evaluator.formats.evalcase.candidates import CandidateSource, open_candidates
from skill_evaluator.formats.evalcase.reading import CaseSource, open_cases
from skill_evaluator.formats.visible import visible
from skill_evaluator.grading.translations import grade_candidate
from skill_evaluator.model import Candidate, EvalCase, Finding, Level
from skill_evaluator.results.assertions import AssertionResult

_T = TypeVar("_T")
_AT_ONCE: Final = 64  # pairs
_ROOM: Final = 100_000  # characters


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
            for cases in _batches(self.cases, lambda case: len(case.source)):
                pairs = ((case, candidates.find(case.id)) for case in cases)
                for batch in _batches(pairs, lambda pair: _size(pair[1])):
                    yield from [_checked(*pair) for pair in batch]
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


def _batches(items: Iterable[_T], size_of: Callable[[_T], int]) -> Iterator[list[_T]]:
    """Take some items at once, but never many large ones: a processor is faster if it does the same a few times."""
    batch: list[_T] = []
    size = 0
    for item in items:
        batch.append(item)
        size += size_of(item)
        if len(batch) >= _AT_ONCE or size >= _ROOM:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _size(candidate: Candidate | None) -> int:
    return 0 if candidate is None else len(candidate.text) + len(candidate.raw_response or "")


def _checked(case: EvalCase, candidate: Candidate | None) -> tuple[AssertionResult, ...] | Finding:
    return _without_candidate(case) if candidate is None else grade_candidate(case, candidate)


def _without_candidate(case: EvalCase) -> Finding:
    remedy = "leave locked cases out with --without-locked" if case.locked else "leave the case out"
    message = f"case {visible(case.id)!r} has no candidate; add one, or {remedy}"
    file = visible(case.place.path)
    return Finding(level=Level.FAIL, code="no-candidate", message=message, file=file, line=case.place.line)
