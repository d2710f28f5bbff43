"""Every number that a format shows is that of the report's JSON, at its place and in the documented form.

What is expected comes from the JSON by `tests/shown_tables.py` and `tests/number_looks.py`, which share no code with
the program.
"""

import csv
import io
import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from statistics import median
from typing import TYPE_CHECKING, Any

import pytest
from lxml import etree

from skill_evaluator.cli.final import compact_text
from skill_evaluator.report.render import render
from skill_evaluator.report.serialize import report_to_json
from skill_evaluator.report.words import Lang
from skill_evaluator.results import Report
from tests import number_looks as look
from tests.drawn_reports import kept_reports, made_reports
from tests.known_numbers import known_numbers, without_constants, without_moments
from tests.page_readers import (
    bars,
    html_tables,
    markdown_tables,
    numbers_in,
    page_of,
    rules,
    strip_places,
    text_of,
    unquoted,
    visible_blocks,
    without_code,
)
from tests.shown_tables import (
    SECONDS,
    SPLITS,
    TRIGGERS,
    Cell,
    Table,
    cases_of,
    is_output_only,
    is_scored,
    metrics_of,
    name_of,
    shown_metrics,
    tables,
)

if TYPE_CHECKING:
    from pathlib import Path

IN_BOTH = ("failing", "invalid", "judged", "outputs", "drawn, of more than a page")
NAMES = (
    *IN_BOTH,
    *(
        "nearly",
        "estimate",
        "passing",
        "version-1",
        "version-3",
        "unfit",
        "drawn, small",
        "drawn, of two runs",
        "drawn, broken",
    ),
)
_TENTH = 0.1
_A_PIXEL = 1 / 144  # of the scale of a strip
_MARKS = {"triggered": "●", "not_triggered": "○", "error": "!", "unknown": "?"}
_OUTPUTS = {True: "✓", False: "✗", None: "–"}


class Shown:
    """A report, its JSON, and its formats in one language, each laid out once."""

    def __init__(self, report: Report, lang: Lang) -> None:
        self.report, self.lang = report, lang
        self.json: Any = json.loads(report_to_json(report))

    def format(self, name: str) -> str:
        return render(self.report, name, self.lang)

    @cached_property
    def page(self) -> Any:  # noqa: ANN401 - lxml has no types
        return page_of(self.format("html"))

    @cached_property
    def markdown(self) -> str:
        return self.format("md")

    def section(self, name: str) -> Any:  # noqa: ANN401 - lxml has no types
        found = self.page.xpath(f"//section[@id='{name}']")
        return found[0] if found else None


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Report]:
    folder: Path = tmp_path_factory.mktemp("runs")
    return dict([*kept_reports(), *made_reports(folder)])


# Of the module, so that all tests of one report follow each other and it is laid out once.
@pytest.fixture(
    scope="module", params=[(name, "en") for name in NAMES] + [(name, "zh") for name in IN_BOTH], ids=" ".join
)
def shown(request: pytest.FixtureRequest, reports: Mapping[str, Report]) -> Shown:
    name, lang = request.param
    return Shown(reports[name], lang)


def fits(cell: Cell, found: str) -> bool:
    if cell is None:
        return True
    return found == cell if isinstance(cell, str) else sorted(numbers_in(found)) == sorted(cell)


def held(expected: Sequence[Table], found: Sequence[Sequence[Sequence[str]]], where: str) -> None:
    """Hold tables against what is to stand in them, and name the first cell that differs."""
    assert [len(table) for table in found] == [len(table) for table in expected], f"{where}: {found}"
    for rows, lines in zip(expected, found, strict=True):
        for row, line in zip(rows, lines, strict=True):
            assert len(row) == len(line), f"{where}: {line} instead of {row}"
            for cell, text in zip(row, line, strict=True):
                assert fits(cell, text), f"{where}: {text!r} instead of {cell!r} in {line}"


def in_sentence(expected: Sequence[str], found: str) -> None:
    """The numbers of a sentence, whatever the order of its words in a language."""
    assert sorted(numbers_in(found)) == sorted(expected), f"{found!r} should hold {expected}"


def test_all_reports_are_looked_at(reports: Mapping[str, Report]) -> None:
    assert {*NAMES} == {*reports}


def test_every_table_of_the_markdown_holds_the_numbers_of_the_json(shown: Shown) -> None:
    """In their order, and no others: nothing is missing, and where the JSON has null stands a dash."""
    expected = [table for each in tables(shown.json, shown.lang).values() for table in each]
    held(expected, markdown_tables(shown.markdown), "md")


def test_every_table_of_the_page_holds_the_numbers_of_the_json(shown: Shown) -> None:
    for name, expected in tables(shown.json, shown.lang).items():
        section = shown.section(name)
        held(expected, [] if section is None else [*html_tables(section)], name)


def test_tiles(shown: Shown) -> None:
    """Value, count, limit, interval, a skill that never fires, and the baseline; nothing of an INVALID report."""
    found = shown.page.xpath("//ul[contains(@class, 'figures')]/li")
    if not is_scored(shown.json):
        assert not found
        return
    metrics = metrics_of(shown.json, "acceptance")
    names = ("output_pass_rate", "pass_hat_k") if is_output_only(shown.json) else (*TRIGGERS, "output_pass_rate")
    *tiles, unstable = found
    for name, tile in zip(names, tiles, strict=True):
        _hold_tile(tile, metrics[name], shown)
    _hold_stability(unstable, shown)


def _hold_tile(tile: Any, metric: Mapping[str, Any], shown: Shown) -> None:  # noqa: ANN401 - lxml has no types
    name, value, limit = metric["name"], metric["value"], _limit(metric["name"], shown.json)
    assert text_of(tile.xpath("h3")[0]) == name_of(name, shown.lang)
    counts = [look.counted(metric)] if metric["denominator"] and metric["numerator"] is not None else []
    assert [text_of(one) for one in tile.xpath(".//*[@class='counts']")] == counts
    assert text_of(tile.xpath("p[@class='value']")[0]).split()[0] == _beside(value, limit)
    chips = [text_of(one) for one in tile.xpath(".//*[contains(@class, 'chip')]")]
    assert len(chips) == (limit is not None and value is not None)
    for chip in chips:
        in_sentence([look.limit(limit or 0)], chip)
    lines = [text_of(one) for one in tile.xpath("*[@class='detail']/p")]
    held([[[line] for line in _lines(metric, shown)]], [[[line] for line in lines]], name)
    drawings = tile.xpath(".//*[local-name()='svg']")
    assert len(drawings) == (value is not None)
    for drawing in drawings:
        _hold_strip(drawing, _strip(metric, limit, shown))


def _limit(name: str, report: Mapping[str, Any]) -> float | None:
    limits = {"output_pass_rate" if is_output_only(report) else "f1": report["config"]["pass_threshold"]}
    return {"false_trigger_rate": _TENTH, **limits}.get(name)


def _beside(value: float | None, limit: float | None) -> str:
    """A share, with more decimals where it would look like its limit."""
    if value is None or limit is None or look.share(value) != look.share(limit):
        return look.share(value)
    return look.beside(value, limit)


def _old(name: str, report: Mapping[str, Any]) -> Mapping[str, Any] | None:
    changes = report["comparison"]["changes"]["acceptance"] if report["comparison"] else []
    found = [one for one in changes if one["name"] == name and one["old"] is not None]
    return next((one for one in found if one["mark"] != "not_comparable"), None)


def _idle(name: str, report: Mapping[str, Any]) -> Mapping[str, Any] | None:
    found: Mapping[str, Any] | None = report["splits"]["acceptance"]["do_nothing"].get(name)
    return found


def _lines(metric: Mapping[str, Any], shown: Shown) -> Iterator[tuple[str, ...]]:
    """The numbers of each line below a tile."""
    if metric["value"] is None:
        yield ()
        if metric["interval"] is None:
            return
    ends = metric["interval"]
    yield ("95%", look.share(ends["low"]), look.share(ends["high"])) if ends else ()
    idle, old = _idle(metric["name"], shown.json), _old(metric["name"], shown.json)
    if idle is not None and not is_output_only(shown.json):
        yield () if idle["value"] is None else (look.share(idle["value"]),)
    if old is not None and old["difference"] is not None:
        yield look.share(old["old"]), look.points(old["difference"])


def _strip(metric: Mapping[str, Any], limit: float | None, shown: Shown) -> Mapping[str, Any]:
    ends, idle, old = metric["interval"], _idle(metric["name"], shown.json), _old(metric["name"], shown.json)
    places = {
        "ink": metric["value"],
        "chart": (ends["low"], ends["high"]) if ends else None,
        "limit": limit,
        "soft": idle["value"] if idle else None,
        "baseline": old["old"] if old else None,
    }
    return {colour: place for colour, place in places.items() if place is not None}


def _hold_strip(drawing: Any, expected: Mapping[str, Any]) -> None:  # noqa: ANN401 - lxml has no types
    found = strip_places(drawing)
    assert found.keys() == expected.keys()
    for colour, place in expected.items():
        assert found[colour] == pytest.approx(place, abs=_A_PIXEL), colour


def _hold_stability(tile: Any, shown: Shown) -> None:  # noqa: ANN401 - lxml has no types
    split = shown.json["splits"]["acceptance"]
    share, spreads = split["unstable_share"], [value for value in split["spread"].values() if value is not None]
    assert text_of(tile.xpath("p[@class='value']")[0]).split() == [
        _beside(share["value"], _TENTH),
        *([look.counted(share)] if share["denominator"] else []),
    ]
    ends = share["interval"]
    lines = [text_of(one) for one in tile.xpath("*[@class='detail']/p")]
    if share["value"] is None:
        in_sentence([], lines.pop(0))
    if ends:
        in_sentence(["95%", look.share(ends["low"]), look.share(ends["high"])], lines.pop(0))
    if spreads:
        in_sentence(["0.10", *(look.beside(value, _TENTH) for value in spreads)], lines.pop(0))
    assert not lines
    for drawing in tile.xpath(".//*[local-name()='svg']"):
        places = {"ink": share["value"], "chart": (ends["low"], ends["high"]), "limit": _TENTH}
        _hold_strip(drawing, places)


def test_cells_of_the_confusion_matrix(shown: Shown) -> None:
    for split, name in zip(SPLITS, ("scores", "tuning"), strict=True):
        section = shown.section(name)
        found = [] if section is None else section.xpath(".//table[@class='confusion']")
        if not is_scored(shown.json) or is_output_only(shown.json) or not cases_of(shown.json, split):
            assert not found
            continue
        counts = shown.json["splits"][split]["confusion"]
        rows = [[text_of(cell) for cell in row.xpath("./td/b")] for row in found[0].xpath("./tbody/tr")]
        assert rows == [
            [str(counts["true_positives"]), str(counts["false_negatives"])],
            [str(counts["false_positives"]), str(counts["true_negatives"])],
        ]
        below = "./div[table[@class='confusion']]/following-sibling::*[1][self::p]"
        notes = [text_of(one) for one in section.xpath(below)]
        assert len(notes) == (counts["unmeasured"] > 0)
        for note in notes:
            in_sentence([str(counts["unmeasured"])], note)


def _case_rows(shown: Shown) -> list[Any]:
    """All rows of the list of cases: those that stand there, and those that wait as data."""
    waiting = [
        page_of(f"<table>{row}</table>").xpath("//tr")[0]
        for block in shown.page.xpath("//script[starts-with(@id, 'data-rows')]")
        for row in json.loads(block.text)
    ]
    return [*shown.page.xpath("//*[@id='case-rows']/tr"), *waiting]


def test_rows_of_cases(shown: Shown) -> None:
    columns = [one.get("data-column") for one in shown.page.xpath("//table[@class='cases']/thead//button")]
    rows = [dict(zip(columns, map(text_of, row.xpath("./th | ./td")), strict=True)) for row in _case_rows(shown)]
    listed = [case for split in SPLITS for case in cases_of(shown.json, split)]
    assert [row["id"] for row in rows] == [case["id"] for case in listed]
    for case, row, element in zip(listed, rows, _case_rows(shown), strict=True):
        moved = case["fluctuation"]
        assert row["fluctuation"] == (look.DASH if moved is None else look.per_cent(moved))
        assert row["runs"] == _signs(case)
        in_sentence(_told(case), element.xpath(".//*[@class='strip']/@aria-label")[0])
        assert row.get("seconds", look.DASH) == _median(case, shown.json)
        assert row.get("cost", look.DASH) == _cost(case)
        assert (row["outcome"][0], row.get("flip", "")[:1]) == (_outcome(case, shown.json), _flip(case, shown.json))


def _signs(case: Mapping[str, Any]) -> str:
    signs = {run["index"]: _sign(run, case) for run in case["runs"]}
    return "".join(signs.get(index, "·") for index in range(case["planned_runs"]))


def _sign(run: Mapping[str, Any], case: Mapping[str, Any]) -> str:
    if case["expect_trigger"] is not None or run["state"] == "error":
        return _MARKS[run["state"]]
    return _OUTPUTS[_is_right(run)]


def _is_right(run: Mapping[str, Any]) -> bool | None:
    """Whether an output passed its hard checks; None where that is open."""
    found: list[bool | None] = [one["outcome"]["passed"] for one in run["verdicts"] if one["severity"] == "hard"]
    if False in found:
        return False
    return True if found and None not in found else None


def _told(case: Mapping[str, Any]) -> list[str]:
    """The numbers of the words for a strip: what counts, of how many runs, and what else there was."""
    signs = Counter(_signs(case))
    alone = case["expect_trigger"] is None
    found, unknown = (signs["✓"], signs["–"]) if alone else (signs["●"], signs["?"])
    others = [unknown, signs["!"], signs["·"]]
    return [str(found), str(case["planned_runs"] - signs["·"]), *(str(number) for number in others if number)]


def _is_valid(run: Mapping[str, Any], case: Mapping[str, Any]) -> bool:
    states = ("triggered", "not_triggered", *(("unknown",) if case["expect_trigger"] is None else ()))
    return run["state"] in states


def _seconds_of(case: Mapping[str, Any], report: Mapping[str, Any]) -> list[float]:
    known = report["volatile"]["durations_s"].get(case["id"], ())
    pairs = zip(case["runs"], known, strict=False)
    return [seconds for run, seconds in pairs if seconds is not None and _is_valid(run, case)]


def _median(case: Mapping[str, Any], report: Mapping[str, Any]) -> str:
    known = _seconds_of(case, report)
    return look.seconds(median(known)) if known else look.DASH


def _cost(case: Mapping[str, Any]) -> str:
    costs: list[Any] = [(run["usage"] or {}).get("cost_usd") for run in case["runs"]]
    return look.dollars(sum(costs)) if costs and None not in costs else look.DASH


def _outcome(case: Mapping[str, Any], report: Mapping[str, Any]) -> str:
    if case["valid_runs"] == 0:
        return "?"
    if case["id"] in {one["id"] for one in report["failed_cases"]}:
        return "✗"
    if case["decision"] is None:
        return "–"
    return "≈" if case["fluctuation"] > _TENTH + 1e-12 else "✓"


def _flip(case: Mapping[str, Any], report: Mapping[str, Any]) -> str:
    paired = (report["comparison"] or {"paired": {}})["paired"].values()
    signs = {"worsened": "▼", "improved": "▲"}
    return next((sign for one in paired for kind, sign in signs.items() if case["id"] in one[kind]), "")


def _cards(shown: Shown) -> Iterator[Any]:
    yield from shown.page.xpath("//*[@id='case-cards']/details")
    for block in shown.page.xpath("//script[starts-with(@id, 'data-cards')]"):
        for card in json.loads(block.text):
            yield page_of(card).xpath("//details")[0]


def test_cards_of_cases(shown: Shown) -> None:
    """Signs of the runs, how many did what, and what the judge gave in either order; one card for each case."""
    cases = {case["id"]: case for case in shown.json["cases"]}
    seen = []
    for card in _cards(shown):
        case = cases[text_of(card.xpath("./summary/b")[0])]
        seen.append(case["id"])
        assert text_of(card.xpath("./summary//*[@class='strip']")[0]) == _signs(case)
        failures = [one for one in shown.json["failed_cases"] if one["id"] == case["id"]]
        actual = [text_of(one) for one in card.xpath("./dl/dd[last()]")] if not failures else _actuals(card)
        expected = [_counts_of(one) for one in failures] or [_told(case)]
        for numbers, text in zip(expected, actual, strict=True):
            assert numbers is None or sorted(numbers_in(text)) == sorted(numbers), text
        _hold_runs(card, case)
        assert sorted(_scores_of(card)) == sorted(_judged(case, shown.json))
    assert sorted(seen) == sorted(cases)


def _actuals(card: Any) -> list[str]:  # noqa: ANN401 - lxml has no types
    """What was seen: the last of the three entries of each failure."""
    return [unquoted(one) for one in card.xpath("./dl[1]/dd")][2::3]


def _counts_of(failed: Mapping[str, Any]) -> list[str] | None:
    actual = failed["actual"]
    if failed["sort"] in ("missed", "false_trigger"):
        return [str(actual["triggered_runs"]), str(actual["valid_runs"])]
    if "passed_runs" in actual:
        return [str(actual["passed_runs"]), str(actual["measured_runs"])]
    return None  # a mean, or a cause in words: the sweep below looks at them


def _hold_runs(card: Any, case: Mapping[str, Any]) -> None:  # noqa: ANN401 - lxml has no types
    """Each run stands under one heading, with its number counted from 1."""
    headings = card.xpath("./section[@class='run'][not(./h5)]/h4")
    named = [number for one in headings for number in _run_numbers(text_of(one).split(":")[0].split("：")[0])]
    assert sorted(named) == [run["index"] + 1 for run in case["runs"]]


def _run_numbers(heading: str) -> Iterator[int]:
    for first, _, last in re.findall(r"(\d+)(–(\d+))?", heading):
        yield from range(int(first), int(last or first) + 1)


def _scores_of(card: Any) -> Iterator[tuple[str, ...]]:  # noqa: ANN401 - lxml has no types
    for panel in card.xpath("./section[@class='run'][./h5]"):
        yield tuple(numbers_in(unquoted(panel.xpath("./p")[0])))
        for each in panel.xpath("./dl"):
            yield tuple(number for one in each.xpath("./dd") for number in numbers_in(unquoted(one)))


def _judged(case: Mapping[str, Any], report: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    judge = report["judge"]
    if not judge or not judge["fit"] or not is_scored(report):
        return
    for panel in (one for one in judge["panels"] if one["case_id"] == case["id"]):
        found = case["rubric"][panel["item"]]
        mean = [] if found["mean"] is None else [look.beside(found["mean"], found["target"])]
        yield (*mean, str(found["target"]))
        orders = [
            {one["index"]: str(one["score"]) for one in panel[order]["scores"] if one["source"] == "run"}
            for order in ("forward", "backward")
        ]
        for index in sorted(orders[0].keys() | orders[1].keys()):
            yield tuple(order[index] for order in orders if index in order)


def _failed(report: Mapping[str, Any], split: str | None = None) -> set[str]:
    return {one["id"] for one in report["failed_cases"] if split in (None, one["split"])}


def test_how_many_failed(shown: Shown) -> None:
    """In the headings of both, and by what went wrong below the verdict of the page."""
    report, markdown = shown.json, shown.markdown
    headings = [
        line for line in markdown.splitlines() if line.startswith("## ❌") and ("ailed" in line or "失败" in line)
    ]
    assert [numbers_in(line) for line in headings] == ([[str(len(_failed(report)))]] if _failed(report) else [])
    if _failed(report):
        assert numbers_in(text_of(shown.page.xpath("//*[@id='cards-heading']")[0])) == numbers_in(headings[0])
    by_split = [
        sorted((str(len(_failed(report, split))), str(len(cases_of(report, split)))))
        for split in SPLITS
        if _failed(report, split)
    ]
    below = markdown[markdown.index(headings[0]) :] if headings else ""
    found = [line for line in below.split("\n## ")[0].splitlines() if line.startswith("### ")]
    assert [sorted(numbers_in(line)) for line in found] == by_split
    wrong = shown.page.xpath("//section[@id='result']/p[not(@class)]")[: len(by_split)]
    for split, line in zip([one for one in SPLITS if _failed(report, one)], wrong, strict=False):
        sorts = Counter(sort for _, sort in {(one["id"], one["sort"]) for one in _of_split(report, split)})
        numbers = [len(_failed(report, split)), len(cases_of(report, split)), *sorts.values()]
        in_sentence([str(number) for number in numbers], text_of(line))
    assert len(wrong) == (len(by_split) if is_scored(report) else 0)


def _of_split(report: Mapping[str, Any], split: str) -> list[Mapping[str, Any]]:
    return [one for one in report["failed_cases"] if one["split"] == split]


def test_facts_of_the_page(shown: Shown) -> None:
    report = shown.json
    values = [text_of(one) for one in shown.page.xpath("//dl[@class='facts']/div/dd")]
    volatile = report["volatile"]
    assert (values[6], values[7]) == (str(report["testset"]["cases"]), str(report["config"]["runs"]))
    assert values[8] == look.dollars(volatile["spent_usd"])
    assert values[9] == look.in_unit(volatile["duration_s"], "s", SECONDS[shown.lang])
    assert (values[2], values[3]) == (report["skill"]["version"], report["skill"]["sha256"][:12])
    assert (values[5], values[11]) == (report["testset"]["sha256"][:12], report["evaluator_version"])


def test_the_head_of_the_markdown(shown: Shown) -> None:
    lines = shown.markdown.splitlines()
    found = [line.rsplit(" ", 1)[-1] for line in lines[lines[0].startswith("⚠") * 2 :][2:5:2]]
    assert found == [str(shown.json["testset"]["cases"]), str(shown.json["config"]["runs"])]
    result = next(line for line in lines if line.startswith("## "))
    numbers = numbers_in(result)
    report = shown.json
    name = "output_pass_rate" if is_output_only(report) else "f1"
    value = report["splits"]["acceptance"]["metrics"][name]["value"]
    if not is_scored(report):
        assert not numbers
    elif value is not None:
        assert look.beside(value, report["config"]["pass_threshold"]) in numbers


def test_times_and_costs_in_words_and_bars(shown: Shown) -> None:
    """Each split's numbers, and bars that are as high as runs fell into them."""
    report, unit = shown.json, SECONDS[shown.lang]
    seconds = {split: [s for case in cases_of(report, split) for s in _seconds_of(case, report)] for split in SPLITS}
    costs = {split: [*_costs(report, split)] for split in SPLITS}
    found = {one.get("id"): one for one in shown.page.xpath("//figure/figcaption")}
    scored = is_scored(report)
    expected = {
        f"{name}-{split}": each[split] for name, each in (("times", seconds), ("costs", costs)) for split in SPLITS
    }
    assert found.keys() == {name for name, values in expected.items() if values and scored}
    for name, caption in found.items():
        kind, split = name.split("-")
        values, metrics = expected[name], metrics_of(report, split)
        if kind == "times":
            three = (metrics["latency_p50"]["value"], metrics["latency_p95"]["value"], max(values))
            numbers = ["95%", *(look.in_unit(one, "s", unit).split()[0] for one in three)]
        else:
            three = (metrics["cost_usd"]["value"], min(values), max(values))
            numbers = [look.dollars(one) for one in three]
        in_sentence([str(len(values)), *numbers], text_of(caption))
        drawing = caption.getparent().xpath(".//*[local-name()='svg']")[0]
        every = [value for one in SPLITS for value in (seconds if kind == "times" else costs)[one]]
        heights = _heights(values, every)
        assert bars(drawing) == pytest.approx(heights, abs=max(heights) / 100)
        marked = [one for one in three[: 2 if kind == "times" else 1] if one is not None]
        assert rules(drawing) == pytest.approx(marked, abs=max(every) / 100)


def _costs(report: Mapping[str, Any], split: str) -> Iterator[float]:
    for case in cases_of(report, split):
        for run in case["runs"]:
            if _is_valid(run, case) and run["usage"] and run["usage"]["cost_usd"] is not None:
                yield run["usage"]["cost_usd"]


def _heights(values: Sequence[float], every: Sequence[float]) -> list[int]:
    """Runs by bar: as many bars as the root of all runs, of 8 to 30, from 0 to the longest."""
    number, longest = min(30, max(8, math.ceil(math.sqrt(len(every))))), max(every)
    counts = Counter(min(number - 1, int(value * number / longest)) for value in values)
    return [counts[place] for place in range(number)]


def test_what_wavers_and_what_flipped(shown: Shown) -> None:
    """The runs of each unstable case, and how many cases went which way."""
    report = shown.json
    if not is_scored(report):
        return
    for text in (unquoted(shown.section("stability")), shown.markdown):
        # Cases that waver are named in one line, each with two numbers.
        pairs = [pair for split in SPLITS for case in cases_of(report, split) for pair in _wavering(case)]
        line = next((one for one in _lines_of(text) if re.match(r"(?:.*[.。] ?)?(Unstable|不稳定)[:：]", one)), "")
        found = numbers_in(re.sub(r".*(Unstable|不稳定)[:：]", "", line))
        grouped = [sorted(found[place : place + 2]) for place in range(0, len(found), 2)]
        assert grouped == [sorted(pair) for pair in pairs], line
    for split in SPLITS:
        _hold_flips(shown, split)


def _lines_of(text: str) -> list[str]:
    return text.splitlines()


def _wavering(case: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    said = [
        run["state"] == "triggered" if case["expect_trigger"] is not None else _is_right(run)
        for run in case["runs"]
        if _is_valid(run, case)
    ]
    known = [one for one in said if one is not None]
    if known and min(known.count(True), known.count(False)) * 10 > len(known):
        yield str(known.count(True)), str(len(known))


def _hold_flips(shown: Shown, split: str) -> None:
    paired = (shown.json["comparison"] or {"paired": {}})["paired"].get(split)
    if not paired or not paired["shared"]:
        return
    some = paired["only_new"] or paired["only_old"]
    numbers = [str(paired["shared"]), *([str(len(paired["only_new"])), str(paired["only_old"])] if some else [])]
    if paired["mcnemar_p"] is not None:
        flips = (len(paired["worsened"]), len(paired["improved"]))
        numbers += [*map(str, flips), look.probability(paired["mcnemar_p"])]
    texts = [unquoted(one) for one in shown.section("comparison").xpath("./p")]
    for lines in (texts, shown.markdown.splitlines()):
        assert sorted(numbers) in [sorted(numbers_in(line)) for line in lines], numbers


def test_junit(shown: Shown) -> None:
    """Cases by what became of them, their times, and all acceptance metrics unrounded."""
    report = shown.json
    root: Any = etree.fromstring(shown.format("junit").encode())
    verdict, *splits = root.findall("testsuite")
    properties = {one.get("name"): one.get("value") for one in verdict.iter("property")}
    metrics = report["splits"]["acceptance"]["metrics"] if is_scored(report) else {}
    found = {name: value for name, value in properties.items() if name.startswith("acceptance.")}
    assert {name: json.loads(value) for name, value in found.items()} == {
        f"acceptance.{name}": metric["value"] for name, metric in metrics.items()
    }
    assert json.loads(properties["pass_threshold"]) == report["config"]["pass_threshold"]
    assert json.loads(properties["runs"]) == report["config"]["runs"]
    for split, suite in zip(SPLITS, splits, strict=True):
        cases, known = cases_of(report, split), report["volatile"]["durations_s"]
        every = suite.findall("testcase")
        times = [math.fsum(s for s in known.get(case["id"], ()) if s is not None) for case in cases]
        assert [one.get("name") for one in every] == [case["id"] for case in cases]
        assert [float(one.get("time")) for one in every] == pytest.approx(times)
        assert float(suite.get("time")) == pytest.approx(math.fsum(times), abs=0.001)
        assert int(suite.get("tests")) == len(cases)
        troubles = Counter(one.tag for case in every for one in case if one.tag in ("failure", "error", "skipped"))
        assert (troubles["failure"], troubles["error"], troubles["skipped"]) == tuple(
            int(suite.get(kind)) for kind in ("failures", "errors", "skipped")
        )
        undecided = {case["id"] for case in cases if case["decision"] is None}
        assert {one.get("name") for one in every if len(one)} == _failed(report, split) | undecided
        for flip in ("worsened", "improved"):
            paired = (report["comparison"] or {"paired": {}})["paired"].get(split)
            values = [one.get("value") for one in suite.iter("property") if one.get("name") == f"flips.{flip}"]
            assert [json.loads(value) for value in values] == ([paired[flip]] if paired else [])


def test_csv(shown: Shown) -> None:
    report = shown.json
    rows = [*csv.DictReader(io.StringIO(shown.format("csv").removeprefix("\ufeff"), newline=""))]
    runs = [(case, run) for case in report["cases"] for run in case["runs"]]
    assert len(rows) == len(runs)
    known = report["volatile"]["durations_s"]
    for (case, run), row in zip(runs, rows, strict=True):
        usage, seconds = run["usage"] or {}, known.get(case["id"], ())
        place = case["runs"].index(run)
        assert (row["case"], row["split"], row["state"]) == (case["id"], case["split"], run["state"])
        assert int(row["run"]) == run["index"] + 1
        assert _number(row["seconds"]) == (seconds[place] if place < len(seconds) else None)
        for name in ("input_tokens", "output_tokens", "requests", "cost_usd"):
            assert _number(row[name]) == usage.get(name)
        assert _number(row["line"]) == case["line"]
        for found, passed in (("passed", True), ("failed", False), ("open", None)):
            names = [one["grader"] for one in run["verdicts"] if one["outcome"]["passed"] is passed]
            assert json.loads(row[f"checks_{found}"]) == names
        assert json.loads(row["judge_scores"] or "{}") == _mean_scores(case, run, report)


def _number(cell: str) -> float | None:
    return float(cell) if cell else None


def _mean_scores(case: Mapping[str, Any], run: Mapping[str, Any], report: Mapping[str, Any]) -> Mapping[str, float]:
    """By item: the mean of both orders, where they lie within a point."""
    found: dict[str, float] = {}
    for panel in report["judge"]["panels"] if report["judge"] and report["judge"]["fit"] else ():
        pair = [
            one["score"]
            for order in ("forward", "backward")
            for one in panel[order]["scores"]
            if (panel["case_id"], one["source"], one["index"]) == (case["id"], "run", run["index"])
        ]
        if len(pair) == 2 and abs(pair[0] - pair[1]) <= 1:
            found[panel["item"]] = sum(pair) / 2
    return found


def test_comment_of_a_pull_request(shown: Shown) -> None:
    report, text = shown.json, shown.format("github")
    found = markdown_tables(text)
    if not is_scored(report):
        assert not found
        return
    latency = report["volatile"]["comparison"].get("acceptance", ())
    changes = (
        {one["name"]: one for one in (*report["comparison"]["changes"]["acceptance"], *latency)}
        if report["comparison"]
        else None
    )
    rows: Table = [
        [
            name_of(metric["name"], shown.lang),
            look.in_unit(metric["value"], metric["unit"], SECONDS[shown.lang]),
            look.counted(metric),
            look.span(metric["interval"]),
            *([] if changes is None else [_moved(changes.get(metric["name"]))]),
        ]
        for metric in shown_metrics(report, "acceptance")
    ]
    held([rows], found, "github")
    folded = [numbers_in(line) for line in re.findall(r"<summary>(.*\d.*)</summary>", text)]
    assert folded == [[str(len(_failed(report, split)))] for split in SPLITS if _failed(report, split)]


def _moved(change: Mapping[str, Any] | None) -> Cell:
    if change is None or change["difference"] is None:
        return ()
    shown = look.points if change["unit"] == "ratio" else look.change
    return (shown(change["difference"]),)


def test_table_at_a_terminal(shown: Shown) -> None:
    """The first nine rates of acceptance that have a value, with what is asked of them and how they moved."""
    report = shown.json
    lines = compact_text(shown.report, shown.lang, width=200).splitlines()
    rows = {cells[0]: cells[1:] for line in lines if len(cells := re.split(r"\s{2,}", line.strip())) > 3}
    rates = [one for one in shown_metrics(report, "acceptance") if one["unit"] == "ratio"] if is_scored(report) else []
    expected = {name_of(one["name"], shown.lang): one for one in rates[:9]}
    header, *named = rows or [""]
    assert named == [*expected]
    for name, metric in expected.items():
        limit, change = _limit(metric["name"], report), _change_of(metric["name"], report)
        value = metric["value"]
        cells = [
            look.share(value) if limit is None or value is None else look.beside(value, limit),
            look.counted(metric),
            look.span(metric["interval"]),
        ]
        assert rows[name][:3] == cells, (header, name)
        asked = [] if limit is None else [look.limit(limit)]
        moved = [] if change is None or change["difference"] is None else [look.points(change["difference"])]
        in_sentence([*asked, *moved], " ".join(rows[name][3:]))
    spent, took = report["volatile"]["spent_usd"], report["volatile"]["duration_s"]
    if took is not None:
        time = look.seconds(took) if took < 60 else look.clock(took)
        words = lines[-1].replace(",", " ").replace("，", " ")
        assert re.findall(r"<?\$?[\d.:]+", words) == [
            *([look.dollars(spent)] if spent is not None else []),
            time,
        ]


def _change_of(name: str, report: Mapping[str, Any]) -> Mapping[str, Any] | None:
    changes = report["comparison"]["changes"]["acceptance"] if report["comparison"] else []
    return next((one for one in changes if one["name"] == name and one["mark"] != "not_comparable"), None)


def test_no_number_comes_from_nowhere(shown: Shown) -> None:
    """Whatever looks like a number in the words of either page is one of the JSON, or a constant of the sentence."""
    known = known_numbers(shown.json)
    page = [*visible_blocks(shown.page)]
    markdown = [without_code(line) for line in shown.markdown.splitlines()]
    stray = [
        (number, text)
        for text in (*page, *markdown)
        for number in numbers_in(without_constants(without_moments(text, shown.json)))
        if number not in known
    ]
    assert not stray, "\n".join(f"{number}: {text}" for number, text in stray)
