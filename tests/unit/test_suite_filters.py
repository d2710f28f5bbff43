"""The cases of a suite's page are searched, filtered and put in order by keyboard, and nothing stops meanwhile."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from skill_evaluator.report.suite.html import suite_result_to_html
from skill_evaluator.results.suite_result import SuiteResult
from tests.browser import Browser, Opened
from tests.unit.suite_results import TIN, case, found, run, suite

GOOD, BAD = run(found(TIN, passed=True)), run(found(TIN, passed=False), score=0.0)
LATE = run(found(TIN, passed=False), score=0.25, error="timed out after 300s")


def mixed() -> SuiteResult:
    """Five cases: good; worse with the plugin; late; good, though worse; good, and the same."""
    plum = replace(case("jar 10", GOOD, without=[BAD], delta=1.0), prompt="Where are the Plums?")
    return suite(
        plum,
        case("jar 9", BAD, score=0.0, without=[GOOD], delta=-1.0),
        case("an egg", LATE, score=0.25, without=[LATE], delta=0.0),
        case("worse", run(found(TIN, passed=True), score=0.8), score=0.8, without=[GOOD], delta=-0.2),
        case("same", GOOD, without=[GOOD], delta=0.0),
        threshold=0.8,
    )


def shown(opened: Opened) -> list[str]:
    """The cases that the table shows, in its order; the cards below are the same."""
    rows, cards = (
        opened.page.evaluate(
            "([all, name]) => [...document.querySelectorAll(all)].filter(one => one.checkVisibility())"
            ".map(one => one.querySelector(name).textContent)",
            list(selectors),
        )
        for selectors in ((".suite-cases tbody tr", "a"), (".cards article", "h3"))
    )
    assert rows == cards
    return [str(row) for row in rows]


def said(opened: Opened) -> str:
    return opened.page.get_by_role("status").inner_text()


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opened]:
    with browser.open(suite_result_to_html(mixed()), width=768, still=True) as opened:
        yield opened
        assert opened.errors == opened.requests == []


def test_cases_are_filtered_by_keyboard_and_counted_aloud(opened: Opened) -> None:
    opened.page.get_by_role("combobox", name="Show", exact=True).focus()
    for key, cases in (
        ("b", ["jar 9", "an egg"]),
        ("w", ["jar 9", "worse"]),
        ("a run", ["an egg"]),
    ):
        opened.page.keyboard.type(key)
        assert shown(opened) == cases
        assert said(opened) == f"{len(cases)} of 5 cases are shown."
        assert opened.page.locator("#cards-shown").inner_text() == said(opened)
        opened.page.wait_for_timeout(1_100)  # keys typed sooner are of one word
    opened.page.keyboard.press("Tab")
    opened.page.keyboard.press("Tab")
    opened.page.keyboard.press("Enter")

    assert shown(opened) == ["jar 10", "jar 9", "an egg", "worse", "same"]
    assert not opened.page.locator("#cards-shown").is_visible()


@pytest.mark.parametrize(
    ("order", "cases"),
    [
        ("score", ["jar 9", "an egg", "worse", "jar 10", "same"]),
        ("delta", ["jar 9", "worse", "an egg", "same", "jar 10"]),
        ("name", ["an egg", "jar 9", "jar 10", "same", "worse"]),
    ],
)
def test_cases_are_put_in_order_and_back(opened: Opened, order: str, cases: list[str]) -> None:
    choice = opened.page.get_by_role("combobox", name="Order")
    choice.select_option(order)
    assert shown(opened) == cases
    choice.select_option("suite")

    assert shown(opened) == ["jar 10", "jar 9", "an egg", "worse", "same"]


@pytest.mark.parametrize(
    ("text", "cases"),
    [
        ("JAR", ["jar 10", "jar 9"]),
        ("plums", ["jar 10"]),
        ("timed out", ["an egg"]),
        ("weight", []),  # a word of the page, not of a case
    ],
)
def test_names_prompts_and_what_was_found_are_searched(opened: Opened, text: str, cases: list[str]) -> None:
    opened.page.keyboard.press("Tab")
    opened.page.get_by_role("searchbox").focus()
    opened.page.keyboard.type(text)

    assert shown(opened) == cases
    assert said(opened) == (
        f"{len(cases)} of 5 cases are shown." if cases else "None of 5 cases fits; change the filters."
    )


def test_a_link_to_a_hidden_case_shows_all_again(opened: Opened) -> None:
    opened.page.get_by_role("searchbox").fill("plums")
    opened.page.locator(".causes a", has_text="jar 9").click()

    assert len(shown(opened)) == 5
    assert opened.page.evaluate("document.querySelector(':target').id") == "case-2"
    opened.page.get_by_role("searchbox").fill("plums")
    opened.page.evaluate("location.hash = '#case-3'")
    opened.page.wait_for_function("document.getElementById('case-3').checkVisibility()")


def test_a_suite_in_one_arm_has_nothing_to_compare(browser: Browser) -> None:
    with browser.open(suite_result_to_html(suite(case("a", GOOD), case("b", BAD, score=0.0)))) as opened:
        labels = opened.page.locator("#suite-filters option").all_inner_texts()

    assert labels == [
        "all (2)",
        "below the threshold (1)",
        "a run ended abnormally (0)",
        "as in the suite",
        "lowest score first",
        "by name",
    ]


def test_what_nobody_measured_stands_last(browser: Browser) -> None:
    cut = run(score=0.0, error="interrupted")
    result = suite(case("cut", cut, score=0.0), case("good", GOOD), case("bad", BAD, score=0.0))
    with browser.open(suite_result_to_html(result)) as opened:
        opened.page.get_by_role("combobox", name="Order").select_option("score")
        assert shown(opened) == ["bad", "good", "cut"]


def test_without_a_script_all_is_shown_and_nothing_promised(browser: Browser) -> None:
    with browser.open(suite_result_to_html(mixed()), script=False) as opened:
        assert not opened.page.locator("#suite-filters").is_visible()
        assert len(opened.page.locator("article").all()) == 5


@pytest.fixture(scope="module")
def many() -> str:
    """The page of 201 cases; the last is the only one below the threshold."""
    cases = [case(f"case {place}", GOOD) for place in range(1, 201)]
    return suite_result_to_html(suite(*cases, case("case 201", BAD, score=0.0)))


def count(opened: Opened) -> tuple[int, int]:
    rows, cards = (opened.page.locator(every).count() for every in (".suite-cases tbody tr", ".cards article"))
    return rows, cards


def test_of_many_cases_only_a_page_is_there_so_that_nothing_waits(browser: Browser, many: str) -> None:
    with browser.open(many) as opened:
        assert count(opened) == (200, 50)
        pages = opened.page.get_by_role("navigation", name="Pages of cases", exact=True)
        pages.get_by_role("button", name="Last").focus()
        opened.page.keyboard.press("Enter")
        assert count(opened) == (200, 1)
        assert pages.locator("span").inner_text() == "Page 5 of 5"
        opened.page.get_by_role("combobox", name="Order").select_option("score")
        assert opened.page.locator(".suite-cases tbody tr a").first.inner_text() == "case 201"
        assert opened.page.locator(".cards h3").first.text_content() == "case 201"
        opened.page.get_by_role("searchbox").fill("case 20")
        assert shown(opened) == ["case 201", "case 20", "case 200"]
        assert not pages.is_visible()
        assert opened.errors == []


def test_links_lead_to_cards_of_other_pages(browser: Browser, many: str) -> None:
    with browser.open(many) as opened:
        opened.page.locator(".causes a", has_text="case 201").click()
        assert opened.page.evaluate("document.querySelector(':target h3').textContent") == "case 201"
        opened.page.evaluate("location.hash = '#case-60'")
        opened.page.wait_for_function("document.getElementById('case-60')?.getBoundingClientRect().top < innerHeight")


def test_all_that_was_chosen_is_printed(browser: Browser, many: str) -> None:
    with browser.open(many) as opened:
        opened.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert count(opened) == (201, 201)
        opened.page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert count(opened) == (200, 50)
