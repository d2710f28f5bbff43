"""The page of a report: what stands where, and that nothing of others is more than text."""

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import html
from lxml.html import HtmlElement

from skill_evaluator.cli import main
from skill_evaluator.model import Finding, Level, Split
from skill_evaluator.report.numbers import interval, ratio
from skill_evaluator.report.render import render
from skill_evaluator.report.words import Lang
from skill_evaluator.results import Change, MetricChange, Report
from tests.hostile import ODD_TEXTS
from tests.unit.judged_setup import judged_report
from tests.unit.output_only_setup import output_report
from tests.unit.page_reports import GOLDEN, OLDER, golden, loaded, timed

LANGS: Sequence[Lang] = ("en", "zh")
NAMES = ("failing", "passing", "invalid", "estimate")


def page(report: Report, lang: Lang = "en") -> HtmlElement:
    return html.document_fromstring(render(report, "html", lang))


def words(found: HtmlElement) -> str:
    return " ".join(found.text_content().split())


def every(found: HtmlElement, query: str) -> list[HtmlElement]:
    """Elements by tags, ids and classes as in CSS, in order."""
    paths = ["." + "".join(map(_step, selector.split())) for selector in query.split(",")]
    return [element for element in found.xpath(" | ".join(paths)) if isinstance(element, HtmlElement)]


def _step(selector: str) -> str:
    tag, *others = re.split(r"(?=[#.])", selector)
    looks = (f"contains(concat(' ', @class, ' '), ' {name[1:]} ')" for name in others if name[0] == ".")
    ids = (f"@id='{name[1:]}'" for name in others if name[0] == "#")
    return f"//{tag or '*'}" + "".join(f"[{test}]" for test in (*ids, *looks))


def one(found: HtmlElement, query: str) -> HtmlElement:
    (element,) = every(found, query)
    return element


def tile(found: HtmlElement, name: str) -> HtmlElement:
    (element,) = one(found, f"#tile-{name}").xpath("ancestor::li")
    assert isinstance(element, HtmlElement)
    return element


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", NAMES)
def test_the_same_report_gives_the_same_bytes(name: str, lang: Lang) -> None:
    assert render(golden(name), "html", lang) == render(golden(name), "html", lang)


def test_hashes_of_another_process_change_nothing() -> None:
    program = (
        "import sys; from tests.unit.page_reports import golden; from skill_evaluator.report.render import render;"
        "sys.stdout.write(render(golden('failing'), 'html', 'en'))"
    )
    pages = {
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            check=True,
            cwd=Path(__file__).parents[2],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
        ).stdout
        for seed in ("1", "2")
    }

    assert len(pages) == 1


@pytest.mark.parametrize("path", sorted(OLDER.glob("*.json")), ids=lambda path: path.stem)
def test_reports_of_every_version_have_a_page(path: Path) -> None:
    assert "tiles" in render(loaded(path), "html", "en")


@pytest.mark.parametrize("name", NAMES)
def test_every_link_and_label_leads_somewhere(name: str) -> None:
    found = page(timed(golden(name)) if name == "failing" else golden(name))
    ids = found.xpath("//@id")

    assert len(ids) == len(set(ids))
    assert {link.removeprefix("#") for link in found.xpath("//a/@href")} <= set(ids)
    assert set(found.xpath("//@aria-labelledby")) <= set(ids)
    assert found.xpath("//svg") == [] or found.xpath("//div[@role='img'][@aria-labelledby]//*[local-name()='svg']")


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_asked_for_from_outside(name: str) -> None:
    found = page(golden(name))

    assert found.xpath("//@src | //link | //iframe | //object | //embed | //form[@action]") == []
    assert all(link.startswith("#") for link in found.xpath("//@href"))
    assert len(found.xpath("//script[not(@type)]")) == 1  # the others hold values, which no browser runs


def test_the_verdict_stands_first_with_a_word_a_sign_and_its_reasons() -> None:
    found = page(golden("failing"))
    result = one(found, "section#result")

    assert words(one(result, "h2")) == "✗ FAIL"
    assert "F1 0.75 is below the threshold 0.85." in words(result)
    assert "Acceptance cases: 4 of 8 failed" in words(result)
    assert found.xpath("//section")[0] is result


def test_the_first_suggestion_stands_beside_it() -> None:
    report = golden("failing")
    found = words(one(page(report), "section#try-first"))

    assert found.startswith("What to try first Say in the description what the skill adds")
    assert "Why: In the only missed case" in found
    assert f"{len(report.suggestions) - 1}" == "1"
    assert "One more suggestion" in found


def test_without_suggestions_it_says_why() -> None:
    report = replace(golden("failing"), suggestions=())

    assert words(one(page(report), "section#try-first")).startswith("Suggestions None:")


def test_a_passing_report_has_nothing_to_try() -> None:
    found = page(golden("passing"))

    assert words(one(found, "section#result h2")) == "✓ PASS"
    assert every(found, "section#try-first") == []


def test_an_estimate_says_first_that_no_model_was_run() -> None:
    found = page(golden("estimate"))

    assert words(one(found, "main")).startswith("⚠️ No model was run: this is an estimate")


@pytest.mark.parametrize("lang", LANGS)
def test_an_invalid_report_shows_no_score(lang: Lang) -> None:
    report = golden("invalid")
    found = page(report, lang)

    assert every(found, ".figures, .chart, table.confusion, #scores, #tuning, #stability, #tags, #comparison") == []
    shown = words(found)
    for split in Split:
        for metric in report.splits[split].metrics.values():
            if metric.interval is not None:
                assert interval(metric.interval) not in shown
    assert "F1 = " not in shown
    assert "综合分=" not in shown


@pytest.mark.parametrize("name", ["failing", "passing", "estimate"])
def test_every_tile_holds_the_numbers_of_the_json(name: str) -> None:
    report = golden(name)
    found = page(report)
    for metric in report.splits[Split.ACCEPTANCE].metrics.values():
        if metric.name not in {"precision", "recall", "f1", "false_trigger_rate", "output_pass_rate"}:
            continue
        shown = words(tile(found, metric.name))
        assert (ratio(metric.value) if metric.value is not None else "—") in shown
        assert metric.value is None or metric.numerator is None or f"{metric.numerator}/{metric.denominator}" in shown
        assert metric.interval is None or f"95%: {interval(metric.interval)}" in shown


def test_a_tile_says_what_it_is_held_against() -> None:
    shown = words(tile(page(golden("failing")), "f1"))

    assert shown.startswith("F1 0.75 ✗ below 0.85")
    assert shown.endswith("95%: 0.29–1.00 Never fires: 0.00 Baseline: 1.00 (-25.0 points)")


def test_undefined_is_a_dash_with_its_reason_and_never_0() -> None:
    report = golden("failing")
    nothing = replace(
        report.splits[Split.ACCEPTANCE].metrics["output_pass_rate"], value=None, numerator=0, interval=None
    )
    split = report.splits[Split.ACCEPTANCE]
    changed = replace(split, metrics={**split.metrics, "output_pass_rate": replace(nothing, denominator=0)})
    found = tile(
        page(replace(report, comparison=None, splits={**report.splits, Split.ACCEPTANCE: changed})), "output_pass_rate"
    )

    assert words(found).startswith("Output pass rate — ")
    assert "0/0" not in words(found)
    assert "0.00" not in words(found)
    assert every(found, ".chart") == []


def test_a_score_just_below_its_threshold_is_not_shown_as_that() -> None:
    report = golden("failing")
    split = report.splits[Split.ACCEPTANCE]
    f1 = replace(split.metrics["f1"], value=0.8496)
    changed = replace(split, metrics={**split.metrics, "f1": f1})

    shown = words(tile(page(replace(report, splits={**report.splits, Split.ACCEPTANCE: changed})), "f1"))
    assert shown.startswith("F1 0.8496 ✗ below 0.85")


def test_a_baseline_that_cannot_be_compared_has_no_mark() -> None:
    report = golden("failing")
    assert report.comparison is not None

    def incomparable(change: MetricChange) -> MetricChange:
        return replace(change, mark=Change.NOT_COMPARABLE, why=("split_hash",))

    changes = {split: tuple(map(incomparable, some)) for split, some in report.comparison.changes.items()}
    shown = page(replace(report, comparison=replace(report.comparison, changes=changes)))
    assert "Baseline:" not in words(tile(shown, "f1"))


def test_the_confusion_matrix_is_a_table_with_words_in_its_cells() -> None:
    found = page(golden("failing"))
    (acceptance, tuning) = every(found, "table.confusion")

    assert [[words(cell) for cell in row] for row in every(acceptance, "tbody tr")] == [
        ["should trigger", "3 right", "1 missed"],
        ["should not trigger", "1 false triggers", "3 right"],
    ]
    assert acceptance.xpath("ancestor::section/@id") == ["scores"]
    assert tuning.xpath("ancestor::section/@id") == ["tuning"]


def test_times_are_drawn_and_told_for_each_split() -> None:
    report = timed(golden("failing"))
    found = page(report)

    (acceptance, tuning) = every(found, "#times-acceptance, #times-tuning")
    assert words(acceptance) == (
        "Acceptance cases: of 32 valid runs, half took no longer than 2.5 s and 95% no longer than 4.0 s; "
        "the longest took 4.0 s."
    )
    assert "31 valid runs" in words(tuning)  # one has failed
    assert len(every(found, "#time figure .chart")) == 4


def test_without_times_and_costs_there_is_nothing_of_them() -> None:
    assert every(page(golden("estimate")), "#time") == []


def test_outputs_alone_have_their_own_figures(tmp_path: Path) -> None:
    found = page(output_report(tmp_path / "r", {"a": "rrr", "b": "nnn"}))

    assert [words(one) for one in every(found, ".figures h3")] == ["Output pass rate", "pass^k", "Unstable cases"]
    assert every(found, "table.confusion, #tuning") == []
    assert "Never fires" not in words(found)
    assert "1 with a wrong output" in words(one(found, "#result"))


def test_a_judge_has_a_section(tmp_path: Path) -> None:
    assert "judge-1" in words(one(page(judged_report(tmp_path / "r", [])), "section#judge"))


def test_the_command_can_be_copied_whole() -> None:
    command = one(page(golden("failing")), "pre.command")

    assert words(command).startswith("skill-evaluator run ")
    assert "--testset" in words(command)


def _named(report: Report, text: str) -> Report:
    return replace(report, skill=replace(report.skill, name=text, version=text))


def _warned(report: Report, text: str) -> Report:
    finding = Finding(level=Level.WARN, code="x", message=text, file=text)
    return replace(report, warnings=(finding,))


def _asked(report: Report, text: str) -> Report:
    return replace(report, cases=tuple(replace(case, prompt=text, tags=(text,)) for case in report.cases))


def _modelled(report: Report, text: str) -> Report:
    suggestions = tuple(
        replace(one, source="model", proposal=replace(one.proposal, code="analyst_proposal", values={"text": text}))
        for one in report.suggestions
    )
    agent = replace(report.agent, name=text, model=text, settings={"config": text})
    return replace(report, suggestions=suggestions, agent=agent)


def _told_everywhere(text: str) -> HtmlElement:
    report = golden("failing")
    for place in (_named, _warned, _asked, _modelled):
        report = place(report, text)
    return page(report)


@pytest.mark.parametrize(
    "text", [*filter(None, ODD_TEXTS), "<img src=x onerror=alert(1)>", "'\"><script>alert(1)</script>", "x" * 10**6]
)
def test_text_of_others_is_text(text: str) -> None:
    plain, found = _told_everywhere("x"), _told_everywhere(text)

    tags = [[element.tag for element in one.iter() if isinstance(element.tag, str)] for one in (plain, found)]
    assert tags[0] == tags[1]
    assert not set(found.text_content()) & set("\x00\x1b\u202e\ud800")
    assert len(found.text_content()) < 200_000


def test_the_command_line_gives_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(GOLDEN / "failing.json"), "--format", "html", "--lang", "zh"]) == 0

    shown = capsys.readouterr().out
    assert shown == render(golden("failing"), "html", "zh")
    assert json.loads((GOLDEN / "failing.json").read_text("utf-8"))["skill"]["name"] in shown
