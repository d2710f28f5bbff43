"""What came of a suite, in one line; the words for it are those of continuous integration."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from skill_evaluator.metrics.suite_notes import as_measured, ended_on_api_error
from skill_evaluator.report import numbers
from skill_evaluator.report.escape import Md
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.report.suite.cards import first_trouble
from skill_evaluator.report.suite.overview import reaches
from skill_evaluator.report.suite.overview import verdict as overview_verdict
from skill_evaluator.results.suite_result import CaseOfSuite, RunOfCase, SuiteResult


@dataclass(frozen=True, kw_only=True, slots=True)
class SuiteState:
    """What came of a suite.

    Attributes:
        state: As the page of the suite has it.
        words: The same in one line.
        reasons: What besides scores speaks against it.
    """

    state: Literal["pass", "fail", "partial"]
    words: Md
    reasons: tuple[Md, ...]


def suite_state(result: SuiteResult, say: Phrases) -> SuiteState:
    """Say what came of a suite."""
    state = overview_verdict(result, say).state
    facts = {
        "passed": result.numbers.cases_passed,
        "cases": result.numbers.cases_total,
        "threshold": Md(numbers.exactly(result.settings.threshold)),
    }
    if result.partial_reason is not None:
        facts["why"] = say(f"ci.partial_{result.partial_reason}")
    return SuiteState(
        state=state, words=say(f"ci.suite_summary_{state}", **facts), reasons=tuple(_reasons(result, say))
    )


def _reasons(result: SuiteResult, say: Phrases) -> Iterator[Md]:
    if result.refused:
        yield say("ci.suite_refused", cases=result.refused)
    runs = [run for case in result.cases for run in (*case.with_plugin, *(case.without_plugin or ()))]
    if errors := sum(map(ended_on_api_error, runs)):
        yield say("ci.suite_api_errors", runs=errors)


def is_unmeasured(case: CaseOfSuite) -> bool:
    """Whether nobody knows its score, as where all its runs ended on an API error or one was interrupted."""
    return not case.with_plugin or as_measured(case.numbers.score, case.with_plugin) is None


def failed(result: SuiteResult) -> list[CaseOfSuite]:
    """Give the cases that do not pass."""
    return [case for case in result.cases if not reaches(case, result)]


def case_words(case: CaseOfSuite, result: SuiteResult, say: Phrases) -> Md:
    """Say in one line why a case does not pass: its score, and what went wrong first."""
    what = say("ci.suite_unmeasured")
    if not is_unmeasured(case) and case.numbers.score is not None:
        threshold = result.settings.threshold
        score = Md(numbers.apart(case.numbers.score, threshold))
        what = say("ci.suite_below", score=score, threshold=Md(numbers.exactly(threshold)))
    first = first_trouble(case, say)
    if first is None:
        return what
    return say("ci.suite_first", what=what, grader=first.where, explanation=first.why)


def run_lines(case: CaseOfSuite, say: Phrases) -> Iterator[Md]:
    """Say what was found in each run with the plugin, one line for each error and each failed grader that counts."""
    for place, run in enumerate(case.with_plugin, start=1):
        yield from _lines(run, place, say)


def _lines(run: RunOfCase, place: int, say: Phrases) -> Iterator[Md]:
    if run.error is not None:
        yield say("ci.suite_ended", run=place, error=run.error)
    for grader in run.graders:
        if grader.is_scored and not grader.passed:
            yield say("ci.suite_run", run=place, grader=grader.name, explanation=grader.explanation)
