"""Keeps the page of a large result small: long texts lose more of their middle, then whole cards are left out.

What is left out is said on the page; the table of cases and the JSON have all of them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from skill_evaluator.report.escape import Html, Md, cut_middle
from skill_evaluator.report.in_html import html_text
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.report.suite.cards import CaseCard
from skill_evaluator.results.suite_result import CaseOfSuite, GraderResult, RunOfCase, SuiteResult

LIMITS = (20_000, 4_000, 1_000, 300)  # characters of one text; the largest is chosen that fits
_MOST_CHARACTERS = 4_000_000  # of all texts together
_MOST_BYTES = 12_000_000  # of all cards together
_MOST_DETAILS = 6_000  # graders with their words; beyond, those that passed are shown without


@dataclass(frozen=True, kw_only=True, slots=True)
class Bounds:
    """How much is shown: characters of one text, and whether graders that passed say what they found."""

    limit: int
    has_passed_details: bool

    def notes(self, say: Phrases) -> Iterator[Md]:
        """Say what is left out, where that is more than usual."""
        if self.limit < LIMITS[0]:
            yield say("suite.shortened", limit=self.limit)
        if not self.has_passed_details:
            yield say("suite.passed_details_left_out")


def bounds_of(result: SuiteResult) -> Bounds:
    """Choose how much of a result is shown."""
    graders = [grader for case in result.cases for run in _runs(case) for grader in run.graders]
    has_passed_details = len(graders) <= _MOST_DETAILS
    lengths = [len(text) for case in result.cases for text in _texts(case, has_passed_details=has_passed_details)]
    fitting = (limit for limit in LIMITS if sum(min(length, limit) for length in lengths) <= _MOST_CHARACTERS)
    return Bounds(limit=next(fitting, LIMITS[-1]), has_passed_details=has_passed_details)


def shown_text(text: str, limit: int, say: Phrases) -> Html:
    """Show a text of others line by line, its middle left out where it is long."""
    shown = cut_middle(text.replace("\r\n", "\n"), limit, f"\n{say('suite.cut')}\n")
    return Html(html_text(shown, limit=len(shown)))


def that_fit(cards: Sequence[CaseCard], render: Callable[[CaseCard], str]) -> Mapping[str, Html]:
    """Render cards, those first that did not pass, until there is no more room.

    Args:
        cards: All, in order.
        render: Makes one.

    Returns:
        Those that fit, in order, by their anchors.
    """
    made: dict[int, Html] = {}
    room = _MOST_BYTES
    for place in sorted(range(len(cards)), key=lambda at: (cards[at].passed and not cards[at].is_worse, at)):
        text = render(cards[place])
        room -= len(text.encode(errors="replace"))
        if room < 0:
            break
        made[place] = Html(text)
    return {cards[place].anchor: made[place] for place in sorted(made)}


def _texts(case: CaseOfSuite, *, has_passed_details: bool) -> Iterator[str]:
    yield case.prompt
    for run in _runs(case):
        yield run.error or ""
        for grader in run.graders:
            if has_passed_details or not grader.passed:
                yield from _of_grader(grader)


def _of_grader(grader: GraderResult) -> Iterator[str]:
    yield grader.explanation
    yield grader.evidence or ""


def _runs(case: CaseOfSuite) -> Sequence[RunOfCase]:
    return (*case.with_plugin, *(case.without_plugin or ()))
