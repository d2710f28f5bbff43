"""A page on paper."""

from tests.browser import Browser
from tests.unit.case_pages import made_case, page_of, with_cases

PAPER = 700  # CSS pixels between the margins of A4


def many() -> str:
    return page_of(
        with_cases(tuple(made_case(number, right=number > 15, output=30 * "line\n") for number in range(1, 121)))
    )


def test_on_paper_no_column_is_cut_off_and_the_page_of_the_list_is_named(browser: Browser) -> None:
    """Only the page of rows in sight is printed, so that it says which one."""
    with browser.open(many(), width=PAPER) as opened:
        opened.page.emulate_media(media="print")

        assert not opened.overflows()
        assert opened.page.locator("#row-pages span").is_visible()
        assert not opened.page.locator("#row-pages button").first.is_visible()
        style = "getComputedStyle(document.querySelector('#case-list .table')).overflowX"
        assert opened.page.evaluate(style) == "visible"
