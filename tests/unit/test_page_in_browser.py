"""The page of a report in a real browser: quiet, readable, usable with a keyboard, with the first things first."""

from pathlib import Path

import pytest

from skill_evaluator.report.render import render
from skill_evaluator.report.words import Lang
from skill_evaluator.results import Report
from tests.browser import HEIGHT, Browser
from tests.unit.judged_setup import judged_report
from tests.unit.output_only_setup import output_report
from tests.unit.page_reports import golden, timed

OPEN_ALL = "document.querySelectorAll('details').forEach(one => { one.open = true; })"


def of_kind(kind: str, folder: Path) -> Report:
    if kind == "outputs":
        return output_report(folder / "r", {"a": "rrr", "b": "nnn"})
    if kind == "judged":
        return judged_report(folder / "r", [])
    return timed(golden("failing")) if kind == "failing" else golden(kind)


@pytest.mark.parametrize(("lang", "theme"), [("en", "light"), ("zh", "dark"), ("en", "dark"), ("zh", "light")])
@pytest.mark.parametrize("kind", ["failing", "invalid", "estimate", "outputs", "judged"])
def test_a_page_is_quiet_and_for_everybody(browser: Browser, tmp_path: Path, kind: str, lang: Lang, theme: str) -> None:
    with browser.open(render(of_kind(kind, tmp_path), "html", lang), theme=theme) as opened:  # type: ignore[arg-type]
        opened.page.evaluate(OPEN_ALL)

        assert opened.axe() == []
        assert opened.errors == []
        assert opened.requests == []


@pytest.mark.parametrize("width", [360, 768, 1440])
@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("kind", ["failing", "invalid", "estimate"])
def test_a_page_is_never_wider_than_the_window(
    browser: Browser, tmp_path: Path, kind: str, lang: Lang, width: int
) -> None:
    with browser.open(render(of_kind(kind, tmp_path), "html", lang), width=width) as opened:
        opened.page.evaluate(OPEN_ALL)

        assert not opened.overflows()


def test_long_words_of_others_widen_nothing(browser: Browser) -> None:
    report = golden("failing")
    long = "x" * 1_000
    text = render(report, "html", "en").replace("level-maker", long).replace("最终关", long)

    with browser.open(text, width=360) as opened:
        opened.page.evaluate(OPEN_ALL)
        assert not opened.overflows()


@pytest.mark.parametrize("width", [1024, 1280, 1440])
@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", ["failing", "estimate"])
def test_the_first_screen_holds_the_verdict_its_cause_and_the_first_suggestion(
    browser: Browser, name: str, lang: Lang, width: int
) -> None:
    with browser.open(render(golden(name), "html", lang), width=width, height=HEIGHT) as opened:
        assert opened.bottom("#result") < HEIGHT
        assert opened.bottom("#try-first") < HEIGHT
        assert opened.page.locator("#result li").first.is_visible()
        assert opened.page.locator("#try-first .proposal").is_visible()


def test_the_skip_link_is_the_first_stop_and_leads_to_the_result(browser: Browser) -> None:
    with browser.open(render(golden("failing"), "html", "en")) as opened:
        opened.page.keyboard.press("Tab")
        assert opened.page.evaluate("document.activeElement.className") == "skip"
        assert opened.page.evaluate("document.activeElement.getBoundingClientRect().left >= 0")

        opened.page.keyboard.press("Enter")
        assert opened.page.evaluate("document.activeElement.id") == "result"


def test_on_paper_it_is_light_and_everything_is_open(browser: Browser) -> None:
    with browser.open(render(golden("failing"), "html", "en"), theme="dark") as opened:
        opened.page.emulate_media(media="print", color_scheme="dark")

        assert opened.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert opened.page.locator("#definitions li").first.bounding_box() is not None
        assert opened.page.locator("nav:visible").count() == 0
