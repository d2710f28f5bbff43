"""How a judge voted: where its votes were not all for the output, and how steady they were."""

from collections.abc import Iterator

from skill_evaluator.metrics.votes import Tally, voted
from skill_evaluator.model import Split
from skill_evaluator.report import numbers
from skill_evaluator.report.escape import Md, Table, table
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.report.scores import cases_of
from skill_evaluator.results import CaseResult, Report, VoteCount


def vote_lines(votes: VoteCount, say: Phrases) -> Iterator[Md]:
    """How often the votes on one run parted, and how many calls failed; no text stands among them that must fail."""
    divided = votes.divided
    if divided.denominator:
        share = Md(numbers.percent(divided.value or 0.0))
        yield say("page.votes_divided", divided=divided.numerator, verdicts=divided.denominator, share=share)
    if votes.failed:
        yield say("page.votes_failed", failed=votes.failed, calls=votes.asked)


def vote_tables(report: Report, say: Phrases) -> Iterator[tuple[Md, Table]]:
    """The graders that did not get all votes, one row for each of a case."""
    rows = [row for split in Split for case in cases_of(report, split) for row in _rows(case, say)]
    if rows:
        yield say("page.votes"), table(say.cells("page.votes_header"), rows)


def _rows(case: CaseResult, say: Phrases) -> Iterator[list[Md]]:
    by_grader: dict[str, list[Tally]] = {}
    for verdict, tally in voted(case):
        by_grader.setdefault(verdict.grader, []).append(tally)
    for grader, tallies in by_grader.items():
        if any(set(tally.votes) != {True} for tally in tallies):
            yield [say.quote(case.id), say.quote(grader), say.join(_said(tally, say) for tally in tallies)]


def _said(tally: Tally, say: Phrases) -> Md:
    if not tally.is_whole:
        return say("page.votes_missing")
    return say("page.votes_for", votes=tally.votes.count(True), of=len(tally.votes))
