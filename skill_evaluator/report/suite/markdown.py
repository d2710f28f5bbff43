"""A suite's answer as Markdown, for terminals and pull requests."""

from collections.abc import Iterator

from skill_evaluator.metrics.result_measures import measures_of_result
from skill_evaluator.report.escape import Md, Table, table
from skill_evaluator.report.phrases import Phrases, phrases
from skill_evaluator.report.suite.cards import CaseCard, ClaimView, RunCard, cards
from skill_evaluator.report.suite.figures import moment
from skill_evaluator.report.suite.overview import measured, problems, suite_name, tiles, verdict
from skill_evaluator.report.suite.triggering import TriggerTable, stability_rows, trigger_table
from skill_evaluator.results.suite_result import SuiteResult

_NONE = Md("—")
_MOST_FAILURES = 5  # of one case; the page and the JSON have all of them
_MARKS = {"pass": Md("✅"), "fail": Md("❌"), "partial": Md("⚠")}


def suite_result_to_markdown(result: SuiteResult) -> str:
    """Lay an answer out for people; whatever others wrote stands in code spans."""
    say, measures = phrases("en"), measures_of_result(result)
    shown, found, trigger = cards(result, measures), verdict(result), trigger_table(measures)
    return say.environment.get_template("suite_report.md.j2").render(
        name=suite_name(result),
        mark=_MARKS[found.state],
        verdict=found,
        started=moment(result.started_at),
        measured=[*measured(result, measures)],
        tiles=table(
            [Md("Number"), Md("Value"), Md("")],
            ([tile.label, tile.value, tile.detail or Md("")] for tile in tiles(result, measures)),
        ),
        notes=[*problems(result), *map(sentence, measures.notes)],
        cases=_case_table(shown, say) if shown else None,
        trigger=trigger and _rate_table(trigger),
        skills=_skill_table(trigger, say) if trigger and trigger.skills else None,
        other=trigger.other if trigger else None,
        stability=stability_rows(measures),
        failures=[(card, [*_failures(card)]) for card in shown if not card.passed or card.has_trouble],
    )


def sentence(note: str) -> str | Md:
    """Let a note stand as a sentence where Markdown has no power over it; a file may hold any."""
    return Md(note) if _is_plain(note) else note


def _is_plain(text: str) -> bool:
    """Whether Markdown has no power over a text.

    >>> _is_plain("2 runs ended at the turn cap: raise it."), _is_plain("[click](javascript:x)"), _is_plain("a `b`")
    (True, False, False)
    """
    return text.isprintable() and not set(text) & set("`*[]<>\\|#!&~$")


def _case_table(shown: tuple[CaseCard, ...], say: Phrases) -> Table:
    two_arms = any(card.delta is not None for card in shown)
    header = ["", "Case", "Score", *(["Without", "Delta"] if two_arms else []), "Should fire", "Fired", "First trouble"]
    return table(map(Md, header), ([*_case_row(card, say, two_arms=two_arms)] for card in shown))


def _case_row(card: CaseCard, say: Phrases, *, two_arms: bool) -> Iterator[Md]:
    yield _MARKS["pass" if card.passed else "fail"]
    yield say.quote(card.name)
    yield card.score
    if two_arms:
        yield card.without or _NONE
        yield card.delta or _NONE
    yield Md(", ".join(_named(claim, claim.wanted, say) for claim in card.claims)) or _NONE
    yield Md(", ".join(Md(claim.fired if claim.is_right else f"**{claim.fired}**") for claim in card.claims)) or _NONE
    yield say.quote(card.first_failure[0]) if card.first_failure else _NONE


def _named(claim: ClaimView, words: Md, say: Phrases) -> str:
    if claim.skill is None:
        return words
    return f"{_skill(claim.skill, say)}: {words}"


def _skill_table(trigger: TriggerTable, say: Phrases) -> Table:
    header = map(Md, ("Skill", "Recall", "Interval", "False triggers", "Interval"))
    rows = (
        [_skill(row.skill, say), row.recall, row.recall_interval, row.false, row.false_interval]
        for row in trigger.skills
    )
    return table(header, rows)


def _skill(name: str, say: Phrases) -> Md:
    return name if isinstance(name, Md) else say.quote(name)


def _rate_table(trigger: TriggerTable) -> Table:
    header = ["Rate", "By case", "Interval", "By run", *(["Interval"] if trigger.has_run_intervals else [])]
    rows = [[rate.label, rate.by_case, rate.case_interval, rate.by_run, rate.run_interval] for rate in trigger.rates]
    return table(map(Md, header), (row[: len(header)] for row in rows))


def _failures(card: CaseCard) -> Iterator[tuple[Md, str, str]]:
    """Give where and why a case lost points, run by run: the run, the grader, its words."""
    found = [one for run in card.with_runs for one in _failures_of(run)]
    found += [one for run in card.without_runs if run.error is not None for one in _failures_of(run)]
    yield from found[:_MOST_FAILURES]
    if len(found) > _MOST_FAILURES:
        yield Md("and"), Md(f"{len(found) - _MOST_FAILURES} more"), Md("the HTML report has all of them")


def _failures_of(run: RunCard) -> Iterator[tuple[Md, str, str]]:
    if run.error is not None:
        yield run.title, run.ending or "", run.error
    for grader in run.graders:
        if not grader.passed:
            yield run.title, grader.name, grader.explanation
