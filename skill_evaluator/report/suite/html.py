"""A suite's answer as one page for people that asks for nothing from outside."""

from collections.abc import Iterator
from functools import partial

from skill_evaluator.metrics.result_measures import measures_of_result
from skill_evaluator.report.escape import Html, Md
from skill_evaluator.report.moments import moment_of
from skill_evaluator.report.page.charts import legend_of, strip_chart
from skill_evaluator.report.page.shell import page
from skill_evaluator.report.phrases import Phrases, phrases
from skill_evaluator.report.suite.bounds import bounds_of, shown_text, that_fit
from skill_evaluator.report.suite.cards import bar_width, cards
from skill_evaluator.report.suite.effect import causes, effect
from skill_evaluator.report.suite.figures import UNDEFINED
from skill_evaluator.report.suite.filters import filters, kinds_of, orders
from skill_evaluator.report.suite.notes import notes_in_words
from skill_evaluator.report.suite.overview import measured, problems, suite_name, threshold, verdict
from skill_evaluator.report.suite.tiles import tiles
from skill_evaluator.report.suite.triggering import stability_table, trigger_view
from skill_evaluator.report.words import Lang
from skill_evaluator.results.suite_result import SuiteResult

_CARD = "page/suite_card.html.j2"
_SIGNS = {"pass": "✓", "fail": "✗", "partial": "!"}
_DEFINED = ("score", "threshold", "delta", "indicator", "triggers", "interval", "stand_in")


def suite_result_to_html(result: SuiteResult, lang: Lang = "en") -> str:
    """Lay an answer out as a page; the same answer gives the same bytes.

    Whatever others wrote is escaped, shows control characters and marks of direction by signs, and loses its middle
    where it is long; so does more of it where the whole page would be large.

    Args:
        result: The answer.
        lang: The language of the words.
    """
    say, measures, bounds = phrases(lang, "html"), measures_of_result(result), bounds_of(result)
    shown = cards(result, measures, say)
    common = {
        "show": partial(shown_text, limit=bounds.limit, say=say),
        "threshold": threshold(result),
        "tick": bar_width(result.settings.threshold),
        "has_passed_details": bounds.has_passed_details,
    }
    numbers = [*tiles(result, measures, say)]
    card = say.environment.get_template(_CARD)
    fitting = that_fit(shown, lambda one: card.render(card=one, **common))
    found, two_arms = verdict(result, say), any(case.without_plugin is not None for case in result.cases)
    content = {
        "name": suite_name(result),
        "started": moment_of(result.started_at, say.lang),
        "verdict": found,
        "state": Html(found.state),
        "sign": Html(_SIGNS[found.state]),
        "legend": [Html(key) for key in legend_of(tile.strip for tile in numbers if tile.strip)],
        "effect": effect(result, say),
        "causes": causes(shown, measures, say),
        "tiles": [(tile, strip_chart(tile.strip) if tile.strip else None) for tile in numbers],
        "problems": [*problems(result, say), *bounds.notes(say), *_left_out(len(shown) - len(fitting), say)],
        "notes": notes_in_words(measures.notes, say),
        "measured": [*measured(result, measures, say)],
        "two_arms": two_arms,
        "filters": filters(shown, say, two_arms=two_arms),
        "orders": orders(say, two_arms=two_arms),
        "kinds_of": kinds_of,
        "header": say.cells("suite.cases_header_arms" if two_arms else "suite.cases_header")[1:-1],
        "undefined": UNDEFINED,
        "trigger": trigger_view(measures, say),
        "stability": stability_table(measures, say),
        "cards": shown,
        "card_texts": fitting,
        "defined": [say(f"suite_define.{key}") for key in _DEFINED],
    }
    return page("suite.html.j2", {**content, **common}, say)


def _left_out(number: int, say: Phrases) -> Iterator[Md]:
    if number:
        yield say("suite.cards_left_out", cases=number)
