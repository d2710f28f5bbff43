"""The list of cases in Chromium: it sorts, filters, pages and links by keyboard, and runs no text of others."""

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.unit.case_pages import golden, made_case, page_of, with_cases
from tests.unit.test_page_hostile import ATTACKS, hostile

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from skill_evaluator.report.words import Lang
    from tests.browser import Browser

MANY = with_cases(
    tuple(replace(made_case(number, right=number % 30 != 7), tags=(f"t{number % 3}",)) for number in range(1, 131))
)


def ids(page: "Page") -> list[str]:
    return page.locator("#case-rows th").all_inner_texts()


def status(page: "Page") -> str:
    return page.locator("#cases-shown").inner_text()


def press(page: "Page", selector: str, *keys: str) -> None:
    page.focus(selector)
    for key in keys:
        page.keyboard.press(key)


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_the_list_is_accessible_and_quiet(browser: "Browser", lang: "Lang", theme: str, width: int) -> None:
    with browser.open(page_of(golden(), lang), width=width, theme="dark" if theme == "dark" else "light") as opened:
        assert opened.errors == opened.requests == []
        assert opened.axe() == []
        assert not opened.overflows()


def test_columns_sort_by_keyboard_up_down_and_back(browser: "Browser") -> None:
    with browser.open(page_of(MANY)) as opened:
        page, head = opened.page, "th button[data-column=id]"
        usual = ids(page)
        press(page, head, "Enter")
        up, said = ids(page), page.locator("th", has=page.locator("button[data-column=id]")).get_attribute("aria-sort")
        press(page, head, "Space")
        down = ids(page)
        press(page, head, "Enter")

        assert usual[:3] == ["c1", "c3", "c5"]  # acceptance first
        assert (up[:3], said) == (["c1", "c2", "c3"], "ascending")
        assert down[:3] == ["c130", "c129", "c128"]
        assert ids(page) == usual
        assert opened.errors == []


def test_what_is_not_known_stands_last_either_way(browser: "Browser") -> None:
    silent = replace(made_case(1), runs=tuple(replace(run, usage=None) for run in made_case(1).runs))
    cheap, dear = made_case(3, runs=2), made_case(5, runs=4)
    with browser.open(page_of(with_cases((silent, cheap, dear)))) as opened:
        head = "th button[data-column=cost]"
        press(opened.page, head, "Enter")
        up = ids(opened.page)
        press(opened.page, head, "Enter")

        assert (up, ids(opened.page)) == (["c3", "c5", "c1"], ["c5", "c3", "c1"])


def test_filters_and_search_leave_out_what_does_not_fit_and_say_so(browser: "Browser") -> None:
    with browser.open(page_of(MANY)) as opened:
        page = opened.page
        assert status(page) == "130 of 130 cases are shown."
        page.select_option("select[name=outcome]", label="✗ wrong")
        assert ids(page) == ["c7", "c37", "c67", "c97", "c127"]
        page.select_option("select[name=tags]", label="t1")
        assert (ids(page), status(page)) == (["c7", "c37", "c67", "c97", "c127"], "5 of 130 cases are shown.")
        press(page, "input[type=search]", *"level 12")
        assert (ids(page), status(page)) == (["c127"], "1 of 130 cases are shown.")
        press(page, "input[type=search]", *"zz")
        assert (ids(page), status(page)) == ([], "None of 130 cases fits; change the filters.")
        press(page, "button[type=reset]", "Enter")
        assert status(page) == "130 of 130 cases are shown."
        assert opened.errors == []


def test_a_choice_is_made_by_keyboard(browser: "Browser") -> None:
    with browser.open(page_of(MANY)) as opened:
        press(opened.page, "select[name=split]", "ArrowDown", "ArrowDown")

        assert (ids(opened.page)[0], status(opened.page)) == ("c2", "65 of 130 cases are shown.")


def test_pages_turn_by_keyboard(browser: "Browser") -> None:
    with browser.open(page_of(MANY)) as opened:
        page = opened.page
        press(page, "#row-pages button[value=next]", "Enter")
        second = ids(page)
        press(page, "#row-pages button[value=last]", "Enter")
        last, said = ids(page), page.locator("#row-pages span").inner_text()
        press(page, "#row-pages button[value=next]", "Enter")
        stays = ids(page)
        press(page, "#row-pages button[value=first]", "Enter")

        assert (second[0], len(second)) == ("c101", 50)
        assert (last, said) == (stays, "Page 3 of 3")
        assert (last[-1], ids(page)[0]) == ("c130", "c1")
        press(page, "#card-pages button[value=last]", "Enter")
        assert page.locator("#case-cards > details").count() == 10
        assert opened.errors == []


def test_a_row_opens_its_card_and_the_card_leads_back(browser: "Browser") -> None:
    with browser.open(page_of(MANY), still=False) as opened:
        page = opened.page
        press(page, "#row-c99 a", "Enter")
        page.wait_for_selector("#case-c99[open]")
        assert page.evaluate("document.activeElement.closest('details').id") == "case-c99"
        assert page.evaluate("location.hash") == "#case-c99"
        press(page, "#row-pages button[value=last]", "Enter")
        press(page, "#case-c99 a", "Enter")
        assert page.evaluate("document.activeElement.closest('tr').id") == "row-c99"


def test_an_address_leads_to_its_card_past_filters(browser: "Browser") -> None:
    with browser.open(page_of(MANY)) as opened:
        page = opened.page
        page.select_option("select[name=outcome]", label="✗ wrong")
        page.evaluate("location.hash = '#case-c88'")
        page.wait_for_selector("#case-c88[open]")

        assert status(page) == "130 of 130 cases are shown."
        page.evaluate("location.hash = '#case-none'")
        assert opened.errors == []


def test_without_a_script_the_first_page_is_there(browser: "Browser") -> None:
    with browser.open(page_of(MANY), script=False) as opened:
        assert len(ids(opened.page)) == 50
        assert opened.page.locator("#case-cards > details").count() == 10
        assert "Without JavaScript" in opened.page.locator("#case-list").inner_text()
        assert not opened.page.locator("form").is_visible()


def test_what_is_folded_is_printed(browser: "Browser") -> None:
    with browser.open(page_of(golden())) as opened:
        page = opened.page
        folded = page.locator("details:not([open])").count()
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        printed = page.locator("details:not([open])").count()
        page.evaluate("dispatchEvent(new Event('afterprint'))")

        assert (folded > 0, printed, page.locator("details:not([open])").count()) == (True, 0, folded)


@pytest.mark.parametrize("text", ATTACKS)
def test_texts_of_others_run_nothing_and_stay_text(browser: "Browser", text: str) -> None:
    """Their script would be stopped by the policy, which counts as an error here."""
    with browser.open(page_of(hostile(text, text))) as opened:
        page = opened.page
        for bar in ("#row-pages", "#card-pages"):
            page.click(f"{bar} button[value=last]")
        assert opened.errors == opened.requests == []
        assert page.locator("iframe, img, svg, script:not([type='application/json']):not(:last-of-type)").count() == 0
        assert page.evaluate(
            "[...document.querySelectorAll('*')].every(e => ![...e.attributes].some(a => a.name.startsWith('on')))"
        )


def test_ten_thousand_cases_page_and_stay_below_the_limit(browser: "Browser") -> None:
    case = made_case(1, runs=5)
    cases = tuple(replace(case, id=f"c{n}", prompt=f"Make level {n} of the game with doors") for n in range(10_000))
    html = page_of(with_cases(cases))

    assert len(html.encode()) < 15_000_000
    with browser.open(html) as opened:
        press(opened.page, "#row-pages button[value=last]", "Enter")
        assert (ids(opened.page)[-1], len(ids(opened.page))) == ("c9999", 50)
        opened.page.evaluate("location.hash = '#case-c7777'")
        opened.page.wait_for_selector("#case-c7777[open]")
        assert opened.errors == []
