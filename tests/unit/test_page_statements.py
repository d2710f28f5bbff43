"""What a page says fits the verdict, the other formats, and what there is to draw with."""

import sys
from dataclasses import replace

import pytest
from lxml import html as lxml_html

from skill_evaluator.metrics.intervals import wilson_interval
from skill_evaluator.model import Split
from skill_evaluator.report.page.document import report_to_html
from skill_evaluator.report.render import render, summary
from skill_evaluator.report.words import Lang
from skill_evaluator.results import Metric, Report, ReportVerdict
from tests.unit.case_pages import document, made_case, with_cases
from tests.unit.page_reports import golden, timed


def page(report: Report, lang: Lang = "en") -> lxml_html.HtmlElement:
    return lxml_html.document_fromstring(report_to_html(report, lang))


def text_of(found: lxml_html.HtmlElement, path: str) -> str:
    (element,) = found.xpath(path)
    return " ".join(element.text_content().split())


def with_f1(value: float) -> Report:
    report = golden("passing")
    split = report.splits[Split.ACCEPTANCE]
    metric = Metric(name="f1", value=value, interval=wilson_interval(299, 300), higher_is_better=True)
    changed = replace(split, metrics={**split.metrics, "f1": metric})
    return replace(report, splits={**report.splits, Split.ACCEPTANCE: changed})


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_score_that_is_not_whole_is_whole_nowhere(lang: Lang) -> None:
    """An F1 of 0.997 was 1.00 in headings, and >0.99 in the tables below them."""
    report = with_f1(0.997)

    assert ">0.99" in summary(report, lang)
    assert ">0.99" in render(report, "md", lang).split("##")[1]
    assert ">0.99" in render(report, "github", lang).splitlines()[1]


@pytest.mark.parametrize(("lang", "word"), [("en", "! PASS; partial, stopped by"), ("zh", "! 通过；不完整，停止原因")])
def test_a_partial_pass_has_no_tick_and_says_so_beside_the_verdict(lang: Lang, word: str) -> None:
    """It ends with status 2, and no sentence may begin with a semicolon."""
    report = replace(golden("passing"), stopped_by="max_cost")
    found = page(report, lang)

    assert text_of(found, "//*[@id='result']/h2").startswith(word)
    assert "partial" in found.xpath("//*[@id='result']/@class")[0].split()
    assert not {".;", "。；"} & {text[i : i + 2] for text in [found.text_content()] for i in range(len(text))}
    assert "✅" not in render(report, "md", lang).split("##")[1]


def test_a_title_has_no_markup() -> None:
    found = page(replace(golden("passing"), stopped_by="max_cost"))

    assert text_of(found, "//title").endswith(": PASS")


@pytest.mark.parametrize("runs", [1, 2])
def test_too_few_repetitions_are_not_called_steady(runs: int) -> None:
    report = golden("passing")
    report = replace(report, config=replace(report.config, runs=runs, draft=True), verdict=ReportVerdict.DRAFT)
    tile = "//*[@id='tile-unstable_share']/.."

    assert "steady" in text_of(page(golden("passing")), tile)
    assert "steady" not in text_of(page(report), tile)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_page_without_what_draws_charts_has_all_numbers_and_says_why(
    lang: Lang, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = timed(golden("failing"))
    whole = page(report, lang)
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    found = page(report, lang)

    assert whole.xpath("//svg")
    assert not found.xpath("//svg")
    assert "vl-convert-python" in found.text_content()
    assert "vl-convert-python" not in whole.text_content()
    for path in ("//ul[contains(@class, 'figures')]//p", "//figcaption"):
        assert [one.text_content() for one in found.xpath(path)] == [one.text_content() for one in whole.xpath(path)]


def test_tags_with_commas_stand_apart() -> None:
    report = with_cases((replace(made_case(1), tags=("x, y", "z")),))

    (cell,) = document(report).xpath("//tbody[@id='case-rows']/tr/td[.//code]")
    assert [one.text_content() for one in cell.xpath("./code")] == ["x, y", "z"]
