"""A suite's answer as Markdown, for terminals and pull requests."""

from collections.abc import Iterator

from skill_evaluator.metrics.result_measures import measures_of_result
from skill_evaluator.report.escape import Md, Table, table
from skill_evaluator.report.moments import moment_of
from skill_evaluator.report.phrases import Phrases, phrases
from skill_evaluator.report.suite.cards import CaseCard, ClaimView, cards
from skill_evaluator.report.suite.effect import effect
from skill_evaluator.report.suite.figures import UNDEFINED
from skill_evaluator.report.suite.notes import notes_in_words
from skill_evaluator.report.suite.overview import measured, problems, suite_name, verdict
from skill_evaluator.report.suite.run_cards import RunCard
from skill_evaluator.report.suite.tiles import tiles
from skill_evaluator.report.suite.triggering import stability_rows, trigger_view
from skill_evaluator.report.words import Lang
from skill_evaluator.results.suite_result import SuiteResult

_MOST_FAILURES = 5  # of one case; the page and the JSON have all of them
_MARKS = {"pass": Md("✅"), "fail": Md("❌"), "partial": Md("⚠")}


def suite_result_to_markdown(result: SuiteResult, lang: Lang = "en") -> str:
    """Lay an answer out for people; whatever others wrote stands in code spans.

    Args:
        result: The answer.
        lang: The language of the words.
    """
    say, measures = phrases(lang), measures_of_result(result)
    shown, found = cards(result, measures, say), verdict(result, say)
    return say.environment.get_template("suite_report.md.j2").render(
        name=suite_name(result),
        mark=_MARKS[found.state],
        verdict=found,
        effect=effect(result, say),
        started=moment_of(result.started_at, say.lang),
        measured=[*measured(result, measures, say)],
        tiles=table(
            say.cells("suite.numbers_header"),
            ([tile.label, tile.value, tile.detail or Md("")] for tile in tiles(result, measures, say)),
        ),
        notes=[*problems(result, say), *notes_in_words(measures.notes, say)],
        cases=_case_table(shown, say) if shown else None,
        trigger=trigger_view(measures, say),
        stability=stability_rows(measures, say),
        failures=[(card, [*_failures(card, say)]) for card in shown if not card.passed or card.has_trouble],
    )


def _case_table(shown: tuple[CaseCard, ...], say: Phrases) -> Table:
    two_arms = any(card.delta is not None for card in shown)
    header = say.cells("suite.cases_header_arms" if two_arms else "suite.cases_header")
    return table(header, ([*_case_row(card, say, two_arms=two_arms)] for card in shown))


def _case_row(card: CaseCard, say: Phrases, *, two_arms: bool) -> Iterator[Md]:
    yield _MARKS["pass" if card.passed else "fail"]
    yield say.quote(card.name)
    yield card.score
    if two_arms:
        yield card.without or UNDEFINED
        yield card.delta or UNDEFINED
    yield say.join(_wanted(claim, say) for claim in card.claims) or UNDEFINED
    yield say.join(Md(claim.fired if claim.is_right else f"**{claim.fired}**") for claim in card.claims) or UNDEFINED
    yield say.together(card.first_trouble.where) if card.first_trouble else UNDEFINED


def _wanted(claim: ClaimView, say: Phrases) -> Md:
    if claim.skill is None:
        return claim.wanted
    return say("suite.of_skill", skill=claim.skill, what=claim.wanted)


def _failures(card: CaseCard, say: Phrases) -> Iterator[Md]:
    """Say where and why a case lost points, run by run."""
    found = [line for run in card.with_runs for line in _failures_of(run, say)]
    found += [line for run in card.without_runs if run.error is not None for line in _failures_of(run, say)]
    yield from found[:_MOST_FAILURES]
    if len(found) > _MOST_FAILURES:
        yield say("suite.lost_more", more=len(found) - _MOST_FAILURES)


def _failures_of(run: RunCard, say: Phrases) -> Iterator[Md]:
    if run.error is not None:
        yield say("suite.lost_line", run=run.title, where=run.ending or say("suite.error"), why=run.error)
    for grader in run.graders:
        if not grader.passed:
            yield say("suite.lost_line", run=run.title, where=grader.name, why=grader.explanation)
