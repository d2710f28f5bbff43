"""The page of a suite's result in a real browser: quiet, readable, and narrow enough for a telephone."""

from dataclasses import replace
from itertools import product

import pytest

from skill_evaluator.model import Aborted
from skill_evaluator.model.stand_ins import StandInServer, StandInTool, StandInUse
from skill_evaluator.report.suite.html import suite_result_to_html
from skill_evaluator.report.words import Lang
from skill_evaluator.results.suite_result import GraderResult, SuiteResult
from tests.browser import Browser
from tests.unit.suite_results import FIRED, TIN, case, found, recorded_result, run, suite
from tests.unit.test_suite_page import hostile

SHOWN = [*product(("light", "dark"), ("en", "zh"))]


def rich() -> SuiteResult:
    """A case that is worse with the plugin, with votes, an indicator, stand-ins, an abort and a time limit."""
    votes = GraderResult(
        name="tone",
        passed=False,
        weight=2.0,
        explanation="no",
        judge_votes=(False, True, False),
        evidence="a\nb\n" * 99,
    )
    servers = (
        StandInServer(server="tracker", kind="shadow", tools=(StandInTool(tool="open", responder="fixed"),)),
        StandInServer(server="github", kind="shadow", is_withheld=True),
    )
    use = StandInUse(servers=servers, total=3, errors=1, unmocked=(("tracker/close", 2),), warnings=("odd",))
    first = replace(run(votes, found(FIRED, passed=False, scored=False), score=0.5), stand_ins=use)
    ended = replace(run(score=0.0), aborted=Aborted(server="tracker", tool="close", reason="expect"))
    late, good = run(found(TIN, passed=True), error="timed out after 300s"), run(found(TIN, passed=True))
    worse = case("a-name-without-any-break-" * 8, first, ended, late, score=0.5, without=[good, good], delta=-0.5)
    return suite(worse, case("b", good, without=[good], delta=0.0), threshold=0.8)


@pytest.mark.parametrize(("theme", "lang"), SHOWN)
@pytest.mark.parametrize("width", [360, 1440])
def test_a_page_is_quiet_accessible_and_fits(browser: Browser, theme: str, lang: Lang, width: int) -> None:
    page = suite_result_to_html(rich(), lang)
    with browser.open(page, width=width, theme=theme, still=True) as opened:  # type: ignore[arg-type]
        assert opened.errors == opened.requests == []
        assert not opened.overflows()
        assert opened.axe() == []


def test_hostile_texts_do_nothing(browser: Browser) -> None:
    with browser.open(suite_result_to_html(hostile()), width=360) as opened:
        assert opened.errors == opened.requests == []
        assert not opened.overflows()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_verdict_cause_and_what_may_mend_it_are_seen_first(browser: Browser, lang: Lang) -> None:
    with browser.open(suite_result_to_html(recorded_result("own/tide-old"), lang), width=1440) as opened:
        assert opened.bottom("#result") < 768
        assert opened.bottom(".causes li:last-child") < 768


def test_a_cause_leads_to_its_card_by_keyboard(browser: Browser) -> None:
    with browser.open(suite_result_to_html(rich()), width=768, still=True) as opened:
        opened.page.locator(".causes a").first.focus()
        opened.page.keyboard.press("Enter")

        assert opened.page.evaluate("document.querySelector(':target').matches('article.card.worse')")


def test_a_card_that_is_worse_is_marked_at_its_left_edge(browser: Browser) -> None:
    with browser.open(suite_result_to_html(rich()), width=768) as opened:
        wide = [
            float(width.removesuffix("px"))
            for width in opened.page.evaluate(
                "[...document.querySelectorAll('article.card')].map(one => getComputedStyle(one).borderLeftWidth)"
            )
        ]
        assert wide[0] > 2 * wide[1]
