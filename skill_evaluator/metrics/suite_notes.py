"""What a reader must know before believing the numbers of a suite, one sentence each."""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Final

from skill_evaluator.metrics.paired import FEWEST_CASES
from skill_evaluator.model import INTERRUPTED
from skill_evaluator.results import CaseResult
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
    """Give a number of a case; None where a run behind it was interrupted.

    In files such a run counts with the score of what it did until then, which is no measure of it: it is 0 where
    nothing could be graded, and 1 where graders want nothing but that something be absent.

    Args:
        value: A score, or a difference of scores.
        arms: The runs that it comes from; None for an arm without any.
    """
    is_cut = any(ending_of(run) is Ending.INTERRUPTED for runs in arms for run in runs or ())
    return None if is_cut else value


def ended_on_api_error(run: RunOfCase) -> bool:
    """Whether the model's service ended the run; a file that does not tell is judged by its words."""
    if run.is_api_error is None:
        return run.error is not None and not run.graders and _API.search(run.error) is not None
    return run.is_api_error


def notes_of(cases: Sequence[CaseOfSuite], triggers: Sequence[CaseResult | None]) -> tuple[str, ...]:
    """Give the notes of a suite.

    Args:
        cases: Its cases in order.
        triggers: For each of them what its runs with the plugin tell of triggering, or None.
    """
    results = [trigger for trigger in triggers if trigger is not None]
    return (
        *_fired_notes(cases, triggers),
        *_unscored_notes(cases, triggers),
        *_ending_notes(cases),
        *_few_notes(len(cases), results),
    )


def _fired_notes(cases: Sequence[CaseOfSuite], triggers: Sequence[CaseResult | None]) -> Iterator[str]:
    pairs = zip(cases, triggers, strict=True)
    positives = [(case, told) for case, told in pairs if told is not None and told.expect_trigger and told.valid_runs]
    runs = sum(told.valid_runs for _, told in positives)
    if not positives or any(told.triggered_runs for _, told in positives):
        return
    yield f"The skill never fired: in none of {_count(runs, 'run')} in which it should have."
    if passed := sum(case.numbers.score == 1 for case, _ in positives):
        scored = _count(passed, "positive case")
        yield f"{scored} scored 1.00 all the same: the graders that count pass without the skill, so that says nothing."


def _unscored_notes(cases: Sequence[CaseOfSuite], triggers: Sequence[CaseResult | None]) -> Iterator[str]:
    """Where both arms ran, graders of the tool Skill do not count, so a false trigger costs nothing."""
    pairs = zip(cases, triggers, strict=True)
    negatives = [case for case, told in pairs if told is not None and not told.expect_trigger and told.decision]
    if passed := sum(case.numbers.score == 1 for case in negatives):
        scored = _count(passed, "case")
        yield f"{scored} scored 1.00 though the skill fired where it should stay quiet: that grader is not scored."


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


def _few_notes(cases: int, results: Sequence[CaseResult]) -> Iterator[str]:
    positives = sum(result.expect_trigger for result in results if result.decision is not None)
    negatives = sum(not result.expect_trigger for result in results if result.decision is not None)
    if cases and not results:
        yield "No case says whether the skill should fire: add tool_used graders of the tool Skill."
        return
    if cases > len(results):
        yield f"{cases - len(results)} of {cases} cases do not say whether the skill should fire."
    if results and not any(not result.expect_trigger for result in results):
        yield "No case says that the skill should stay quiet, so false triggers cannot be seen."
    if results and min(positives, negatives) < FEWEST_CASES:
        yield (
            f"{_count(positives, 'positive case')} and {_count(negatives, 'negative case')} tell of triggering; with "
            f"fewer than {FEWEST_CASES} of a kind the rates are rough."
        )


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
