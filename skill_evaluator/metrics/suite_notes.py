"""What a reader must know before believing the numbers of a suite: codes and values, worded by `report.suite`."""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Final

from skill_evaluator.metrics.paired import FEWEST_CASES
from skill_evaluator.metrics.suite_claims import ClaimResult, never_fired
from skill_evaluator.model import INTERRUPTED
from skill_evaluator.results import Note
from skill_evaluator.results.suite_result import CaseOfSuite, RunOfCase

# Words of the real program, of its child and of this product; a file keeps nothing else of why a run ended.
_TURNS: Final = re.compile(r"max_turns|max(?:imum)?\b.{0,20}\bturns", re.IGNORECASE)
_TIME: Final = re.compile(r"\btim(?:ed|e)[ -]?out\b|timeout", re.IGNORECASE)
_API: Final = re.compile(r"\bAPI error\b", re.IGNORECASE)


class Ending(StrEnum):
    """Why a run ended before its agent was done."""

    API_ERROR = "api_error"
    STAND_IN = "stand_in"
    INTERRUPTED = "interrupted"
    TURNS = "turns"
    TIME = "time"
    OTHER = "other"


def ending_of(run: RunOfCase) -> Ending | None:
    """Say why a run ended abnormally; None where it did not."""
    if run.aborted is not None:
        return Ending.STAND_IN
    if run.error is None:
        return None
    if ended_on_api_error(run):
        return Ending.API_ERROR
    if run.error == INTERRUPTED:
        return Ending.INTERRUPTED
    return Ending.TURNS if _TURNS.search(run.error) else Ending.TIME if _TIME.search(run.error) else Ending.OTHER


def as_measured(value: float | None, *arms: Sequence[RunOfCase] | None) -> float | None:
    """Give a number of a case as people are to read it; None where nobody measured it, though files have a number.

    That is so where a run behind it was interrupted, and where the model's service ended all runs of an arm.

    Args:
        value: A score, or a difference of scores.
        arms: The runs that it comes from; None for an arm without any.
    """
    lost = any(runs and all(not run.graders and ended_on_api_error(run) for run in runs) for runs in arms)
    return None if lost else if_not_interrupted(value, *arms)


def if_not_interrupted(value: float | None, *arms: Sequence[RunOfCase] | None) -> float | None:
    """Give a number of a case; None where a run behind it was interrupted.

    In files such a run counts with the score of what it did until then, which is no measure of it: it is 0 where
    nothing could be graded, and 1 where graders want nothing but that something be absent.
    """
    is_cut = any(ending_of(run) is Ending.INTERRUPTED for runs in arms for run in runs or ())
    return None if is_cut else value


def ended_on_api_error(run: RunOfCase) -> bool:
    """Whether the model's service ended the run; a file that does not tell is judged by its words."""
    if run.is_api_error is None:
        return run.error is not None and not run.graders and _API.search(run.error) is not None
    return run.is_api_error


def notes_of(
    cases: Sequence[CaseOfSuite], claims: Sequence[Sequence[ClaimResult]], *, is_partial: bool = False
) -> tuple[Note, ...]:
    """Give the notes of a suite.

    Args:
        cases: Its cases in order.
        claims: For each of them what came of its claims.
        is_partial: Whether some run of the plan is missing, so that cases may be missing too.
    """
    return (
        *_fired_notes(cases, claims),
        *_unscored_notes(cases, claims),
        *_ending_notes(cases),
        *_few_notes(claims, is_partial=is_partial),
    )


def _fired_notes(cases: Sequence[CaseOfSuite], claims: Sequence[Sequence[ClaimResult]]) -> Iterator[Note]:
    positives = [
        (case, claim)
        for case, made in zip(cases, claims, strict=True)
        for claim in made
        if claim.told.expect_trigger and claim.told.valid_runs
    ]
    for skill in dict.fromkeys(claim.skill for _, claim in positives):
        meant = [(case, claim.told) for case, claim in positives if claim.skill == skill]
        if not never_fired(told for _, told in meant):
            continue
        runs = sum(told.valid_runs for _, told in meant)
        if skill is None:
            yield _note("never_fired", runs=runs)
        else:
            names = list(dict.fromkeys(case.name for case, _ in meant))
            yield _note("never_fired_skill", skill=skill, runs=runs, names=names)
        if passed := len({case.folder for case, _ in meant if case.numbers.score == 1}):
            yield _note("passed_silent", cases=passed)


def _unscored_notes(cases: Sequence[CaseOfSuite], claims: Sequence[Sequence[ClaimResult]]) -> Iterator[Note]:
    """Where both arms ran, graders of the tool Skill do not count, so a false trigger costs nothing."""
    negatives = [
        case
        for case, made in zip(cases, claims, strict=True)
        if any(claim.told.decision and not claim.told.expect_trigger for claim in made)
    ]
    if passed := sum(case.numbers.score == 1 for case in negatives):
        yield _note("false_unscored", cases=passed)


def _ending_notes(cases: Sequence[CaseOfSuite]) -> Iterator[Note]:
    with_runs = [run for case in cases for run in case.with_plugin]
    all_runs = [*with_runs, *(run for case in cases for run in case.without_plugin or ())]
    lowered = [run for run in with_runs if run.score != 1]
    found = {
        "api_errors": _ended(all_runs, Ending.API_ERROR),
        "interrupts": _ended(all_runs, Ending.INTERRUPTED),
        "turn_cap": _ended(lowered, Ending.TURNS),
        "time_limit": _ended(lowered, Ending.TIME),
        "unasked_judge": sum(run.skipped_paid_graders for run in all_runs),
    }
    yield from (_note(code, runs=runs) for code, runs in found.items() if runs)


def _ended(runs: Iterable[RunOfCase], ending: Ending) -> int:
    return sum(ending_of(run) is ending for run in runs)


def _few_notes(claims: Sequence[Sequence[ClaimResult]], *, is_partial: bool) -> Iterator[Note]:
    results = [claim.told for made in claims for claim in made]
    positives = sum(result.expect_trigger is True for result in results if result.decision is not None)
    negatives = sum(result.expect_trigger is False for result in results if result.decision is not None)
    silent = sum(not made for made in claims)
    if claims and not results:
        yield _note("all_silent")
        return
    if silent:
        yield _note("some_silent", silent=silent, cases=len(claims))
    if results and not is_partial and not any(not result.expect_trigger for result in results):
        yield _note("no_negatives")
    if results and min(positives, negatives) < FEWEST_CASES:
        yield _note("few_claims", positives=positives, negatives=negatives, least=FEWEST_CASES)


def _note(code: str, **values: int | str | list[str]) -> Note:
    return Note(code=code, values=values)
