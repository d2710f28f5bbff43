"""The half screen at the end of a run: the numbers of the report, and nothing cut off."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from skill_evaluator.cli.final import compact_text
from skill_evaluator.compare.reports import compare
from skill_evaluator.model import Split
from skill_evaluator.report import numbers
from skill_evaluator.report.compact import compact_view
from skill_evaluator.report.escape import display_width
from skill_evaluator.report.serialize import report_from_json
from skill_evaluator.report.words import Lang
from skill_evaluator.results import Report

GOLDEN = Path(__file__).parents[1] / "golden"
NAMES = ("failing", "estimate", "invalid", "passing")
LANGS: tuple[Lang, ...] = ("en", "zh")
_RATES = ("precision", "recall", "f1", "output_pass_rate", "params_pass_rate", "tool_order_pass_rate")


def report(name: str) -> Report:
    return report_from_json((GOLDEN / f"{name}.json").read_text("utf-8"), name=name)


def test_it_says_what_failed_and_what_to_try() -> None:
    lines = compact_text(report("failing"), "en", width=100).splitlines()
    assert lines[1] == "level-maker 1.1: 16 cases, 4 runs of each, by messages (example-model-1)"
    assert lines[2] == "❌ Result: FAIL (F1 = 0.75, threshold = 0.85)"
    assert "❌ Failed: 4 of 8 acceptance cases: p01, p03, p05 and 1 more" in lines
    assert "❌ Failed: 2 of 8 tuning cases: p02, n06" in lines
    assert any(line.startswith("🔄 First of 2 suggestions: Say in the description what") for line in lines)


@pytest.mark.parametrize("lang", LANGS)
def test_every_number_is_that_of_the_report(lang: Lang) -> None:
    """Values, counts and intervals of each row are those of the metrics, in their order, as numbers are shown."""
    made = report("failing")
    table = compact_view(made, lang).metrics
    metrics = made.splits[Split.ACCEPTANCE].metrics
    assert table is not None
    for row, name in zip(table.rows, (*_RATES, "false_trigger_rate", "pass_hat_k"), strict=True):
        metric = metrics[name]
        assert metric.value is not None
        assert row[1] == numbers.ratio(metric.value)
        assert row[2] == ("—" if metric.numerator is None else f"{metric.numerator}/{metric.denominator}")
        assert row[3] == ("—" if metric.interval is None else numbers.interval(metric.interval))


def test_a_value_just_below_its_limit_is_not_shown_as_the_limit() -> None:
    made = report("failing")
    acceptance = made.splits[Split.ACCEPTANCE]
    f1 = replace(acceptance.metrics["f1"], value=0.8499)
    splits = {**made.splits, Split.ACCEPTANCE: replace(acceptance, metrics={**acceptance.metrics, "f1": f1})}
    assert re.search(
        r"^F1 +0\.8499 .*≥ 0\.85", compact_text(replace(made, splits=splits), "en", width=80), re.MULTILINE
    )


def test_the_change_since_the_baseline_stands_beside_each_metric() -> None:
    new, old = report("failing"), report("passing")
    old = replace(old, config=new.config, testset=new.testset)
    compared = replace(new, comparison=compare(new, old))
    assert re.search(r"^Recall .* -25\.0 ❌ regressed$", compact_text(compared, "en", width=80), re.MULTILINE)


def test_an_invalid_report_has_its_cause_and_no_metric() -> None:
    text = compact_text(report("invalid"), "en", width=80)
    assert "❌ Result: INVALID" in text
    assert '42 runs failed, authentication failed: "401 invalid x-api-key"' in text
    assert "Precision" not in text
    assert "❌ Not measured: 7 of 8 acceptance cases: p01, p03, p05 and 4 more" in text


def test_an_estimate_says_so_before_anything_else_of_it() -> None:
    lines = compact_text(report("estimate"), "en", width=120).splitlines()
    assert lines[2].startswith("⚠️ No model was run: this is an estimate")


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [40, 80, 120])
def test_no_line_is_wider_than_the_terminal(name: str, lang: Lang, width: int) -> None:
    assert max(map(display_width, compact_text(report(name), lang, width=width).splitlines())) <= width


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", NAMES)
def test_it_leaves_room_for_three_files_and_the_question(name: str, lang: Lang) -> None:
    """24 lines: the first may be gone, which is empty; then this, a heading, three files, the question."""
    assert len(compact_text(report(name), lang, width=80).splitlines()) - 1 <= 24 - 1 - 3 - 1


def test_names_of_others_disturb_nothing() -> None:
    made = report("failing")
    first, *others = made.failed_cases
    hostile = replace(first, id="\x1b[31m\n\u202e" + "x" * 200)
    text = compact_text(replace(made, failed_cases=(hostile, *others)), "en", width=80)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "x" * 41 not in text


@pytest.mark.parametrize(
    ("spent_usd", "duration_s", "line"),
    [(0.0123, 7.25, "Cost $0.0123, took 7.2 s"), (None, 754.0, "Took 12:34"), (0.5, 60.0, "Cost $0.5000, took 1:00")],
)
def test_cost_and_time_are_told_as_far_as_they_are_known(spent_usd: float | None, duration_s: float, line: str) -> None:
    made = report("passing")
    volatile = replace(made.volatile, spent_usd=spent_usd, duration_s=duration_s)
    assert compact_text(replace(made, volatile=volatile), "en", width=80).splitlines()[-1] == line
