"""What a reader must know before believing the numbers of a suite, one sentence each."""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Final

from skill_evaluator.metrics.paired import FEWEST_CASES
from skill_evaluator.metrics.suite_claims import ClaimResult, never_fired
from skill_evaluator.model import INTERRUPTED
from skill_evaluator.results.suite_result import CaseOfSuite, RunOfCase

# Words of the real program, of its child and of this product; a file keeps nothing else of why a run ended.
_TURNS: Final = re.compile(r"max_turns|max(?:imum)?\b.{0,20}\bturns", re.IGNORECASE)
_TIME: Final = re.compile(r"\btim(?:ed|e)[ -]?out\b|timeout", re.IGNORECASE)
_MOST_NAMED: Final = 5
_REMEDY: Final = "Graders of the tool Skill count with `arm: both` in them, or in a single arm (--ablation none)."
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
) -> tuple[str, ...]:
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


def _fired_notes(cases: Sequence[CaseOfSuite], claims: Sequence[Sequence[ClaimResult]]) -> Iterator[str]:
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
        named = "The skill" if skill is None else f"The skill {skill}"
        where = "" if skill is None else f" ({_names(case.name for case, _ in meant)})"
        yield f"{named} never fired: in none of {_count(runs, 'run')} in which it should have{where}."
        if passed := len({case.folder for case, _ in meant if case.numbers.score == 1}):
            scored = _count(passed, "positive case")
            yield f"{scored} scored 1.00 all the same: the graders that count pass without it. {_REMEDY}"


def _unscored_notes(cases: Sequence[CaseOfSuite], claims: Sequence[Sequence[ClaimResult]]) -> Iterator[str]:
    """Where both arms ran, graders of the tool Skill do not count, so a false trigger costs nothing."""
    negatives = [
        case
        for case, made in zip(cases, claims, strict=True)
        if any(claim.told.decision and not claim.told.expect_trigger for claim in made)
    ]
    if passed := sum(case.numbers.score == 1 for case in negatives):
        scored = _count(passed, "case")
        yield f"{scored} scored 1.00 though the skill fired where it should stay quiet: that grader is not scored."


def _names(names: Iterable[str]) -> str:
    listed = list(dict.fromkeys(names))
    more = len(listed) - _MOST_NAMED
    return ", ".join(listed[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _ending_notes(cases: Sequence[CaseOfSuite]) -> Iterator[str]:
    with_runs = [run for case in cases for run in case.with_plugin]
    all_runs = [*with_runs, *(run for case in cases for run in case.without_plugin or ())]
    if api := _ended(all_runs, Ending.API_ERROR):
        yield f"{_count(len(api), 'run')} ended on an API error and scored 0, which says nothing of the plugin."
    if stopped := _ended(all_runs, Ending.INTERRUPTED):
        runs = _count(len(stopped), "run")
        yield f"{runs} ended by an interrupt: what came until then counts in the file, and its case has no measure."
    for ending, what, remedy in _CAPS:
        if lowered := [run for run in _ended(with_runs, ending) if run.score != 1]:
            runs = _count(len(lowered), "run")
            yield f"{runs} with the plugin ended at {what}, which may have lowered the score: {remedy}."
    if skipped := sum(run.skipped_paid_graders for run in all_runs):
        runs = _count(skipped, "run")
        yield f"In {runs} the cost ceiling kept the judge from being asked; its graders count as failed."


_CAPS: Final = (
    (Ending.TURNS, "the turn cap", "raise max_turns"),
    (Ending.TIME, "the time limit", "raise timeout_seconds"),
)


def _ended(runs: Iterable[RunOfCase], ending: Ending) -> list[RunOfCase]:
    return [run for run in runs if ending_of(run) is ending]


def _few_notes(claims: Sequence[Sequence[ClaimResult]], *, is_partial: bool) -> Iterator[str]:
    results = [claim.told for made in claims for claim in made]
    positives = sum(result.expect_trigger is True for result in results if result.decision is not None)
    negatives = sum(result.expect_trigger is False for result in results if result.decision is not None)
    silent = sum(not made for made in claims)
    if claims and not results:
        yield "No case says whether the skill should fire: add tool_used graders of the tool Skill."
        return
    if silent:
        yield f"{silent} of {len(claims)} cases do not say whether the skill should fire."
    if results and not is_partial and not any(not result.expect_trigger for result in results):
        yield "No case says that the skill should stay quiet, so false triggers cannot be seen."
    if results and min(positives, negatives) < FEWEST_CASES:
        yield (
            f"{_count(positives, 'positive case')} and {_count(negatives, 'negative case')} tell of triggering; with "
            f"fewer than {FEWEST_CASES} of a kind the rates are rough."
        )


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
