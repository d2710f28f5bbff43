"""Every number of a trend is that of the report it comes from, in the table, in the values and in the charts."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from skill_evaluator.compare.trend import trend
from skill_evaluator.compare.trend_sides import ReportSide
from skill_evaluator.report.page.trend import trend_to_html
from skill_evaluator.report.phrases import phrases
from skill_evaluator.report.serialize import report_to_json
from skill_evaluator.report.trend import trend_to_json, trend_to_markdown
from skill_evaluator.report.words import Lang
from skill_evaluator.results import Report
from tests import number_looks as look
from tests.page_readers import dots, html_rows, markdown_tables, page_of
from tests.shown_tables import SECONDS
from tests.unit.page_reports import golden, timed

NAMES = (
    *("precision", "recall", "f1", "false_trigger_rate", "output_pass_rate"),
    *("judged_pass_rate", "rubric_pass_rate", "latency_p50", "cost_usd"),
)
LANGS: tuple[Lang, ...] = ("en", "zh")


def reports() -> list[Report]:
    """Four of one skill, oldest first, with another result each."""
    failing = timed(golden("failing"))
    passing = replace(timed(golden("passing")), config=failing.config, testset=failing.testset)
    every = (passing, failing, passing, failing)
    return [replace(one, timestamp=f"2026-03-0{day}T08:00:00Z") for day, one in enumerate(every, start=1)]


def values(report: Report) -> Mapping[str, Any]:
    """Metrics of the acceptance split, as its JSON has them."""
    told = json.loads(report_to_json(report))
    found = {**told["splits"]["acceptance"]["metrics"], **told["volatile"]["latency"]["acceptance"]}
    return {name: found[name] for name in NAMES if found[name]["value"] is not None}


def sides() -> list[ReportSide]:
    return [ReportSide(f"{place}.json", report) for place, report in enumerate(reports())]


@pytest.mark.parametrize("lang", LANGS)
def test_tables(lang: Lang) -> None:
    found = trend(sides())
    assert not found.left_out
    page = [html_rows(table) for table in page_of(trend_to_html(found, lang)).xpath("//table")]
    for tables in (markdown_tables(trend_to_markdown(found, phrases(lang))), page):
        (rows,) = tables
        for report, row in zip(reports(), rows, strict=True):
            cells = [look.in_unit(one["value"], one["unit"], SECONDS[lang]) for one in values(report).values()]
            assert row[2] == report.skill.sha256[:12]
            shown = [cell.split(" ❌")[0].split(" ✅")[0] for cell in row[4:]]
            assert [text[: len(cell)] for text, cell in zip(shown, cells, strict=True)] == cells


def test_values_are_unrounded() -> None:
    (line,) = json.loads(trend_to_json(trend(sides())))["lines"]
    for report, point in zip(reports(), line["points"], strict=True):
        for name, metric in values(report).items():
            assert point["metrics"][name]["value"] == metric["value"]
            assert point["metrics"][name]["interval"] == metric["interval"]


def test_charts() -> None:
    """One for each rate, its dots where the values are, from the oldest to the newest."""
    figures = page_of(trend_to_html(trend(sides()), "en")).xpath("//figure")
    rates = [name for name in values(reports()[0]) if values(reports()[0])[name]["unit"] == "ratio"]
    assert len(figures) == len(rates)
    for name, figure in zip(rates, figures, strict=True):
        drawn = dots(figure.xpath(".//*[local-name()='svg']")[0])
        assert drawn == pytest.approx([values(report)[name]["value"] for report in reports()], abs=0.01)
