"""Saved results over time: what stands on one line, what is left out and why, and what a reader sees."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from lxml import html

from skill_evaluator.api.saved import load_report
from skill_evaluator.cli import main
from skill_evaluator.compare.trend import trend
from skill_evaluator.compare.trend_sides import ReportSide, SuiteSide
from skill_evaluator.metrics.votes import vote_count
from skill_evaluator.model import Split
from skill_evaluator.report.page.trend import trend_to_html
from skill_evaluator.report.phrases import phrases
from skill_evaluator.report.trend import trend_to_json, trend_to_markdown
from skill_evaluator.results import Report, ReportVerdict
from tests.unit.suite_results import TIN, case, found, run, suite

GOLDEN = Path(__file__).parents[1] / "golden"
FAILING = load_report(GOLDEN / "failing.json")
PASSING = load_report(GOLDEN / "passing.json")
ESTIMATE = load_report(GOLDEN / "estimate.json")
LATER = datetime(2026, 5, 2, tzinfo=UTC)


def on(day: int, report: Report = FAILING, *, version: str = "1.1", f1: float | None = None) -> Report:
    made = replace(report, timestamp=f"2026-03-{day:02}T08:00:00Z", skill=replace(report.skill, version=version))
    if f1 is None:
        return made
    acceptance = made.splits[Split.ACCEPTANCE]
    metrics = {**acceptance.metrics, "f1": replace(acceptance.metrics["f1"], value=f1)}
    return replace(made, splits={**made.splits, Split.ACCEPTANCE: replace(acceptance, metrics=metrics)})


def sides(*reports: Report) -> list[ReportSide]:
    return [ReportSide(f"{place}.json", report) for place, report in enumerate(reports)]


def why(*reports: Report) -> list[tuple[str, list[str]]]:
    return [(one.file, [note.code for note in one.why]) for one in trend(sides(*reports)).left_out]


def test_results_stand_in_the_order_of_time_whatever_the_order_named() -> None:
    (line,) = trend(sides(on(3), on(1), on(2))).lines

    assert [point.file for point in line.points] == ["1.json", "2.json", "0.json"]
    assert (line.kind, line.subject, line.is_estimate) == ("run", "level-maker", False)


@pytest.mark.parametrize(
    ("report", "code"),
    [
        (replace(on(1), verdict=ReportVerdict.INVALID), "invalid"),
        (replace(on(1), verdict=ReportVerdict.DRAFT), "draft"),
        (replace(on(1), stopped_by="SIGINT"), "partial"),
        (replace(on(1), agent=replace(FAILING.agent, model="another")), "not_comparable"),
        (replace(on(1), agent=replace(FAILING.agent, name="another")), "not_comparable"),
        (replace(on(1), config=replace(FAILING.config, runs=5)), "not_comparable"),
        (replace(on(1), cases=FAILING.cases[1:], testset=replace(FAILING.testset, split_sha256={})), "not_comparable"),
        (on(2), "same_result"),
        (replace(on(1), timestamp="a day ago"), "no_time"),
    ],
)
def test_what_measured_something_else_or_not_all_is_left_out_and_named(report: Report, code: str) -> None:
    assert why(on(2), report)[0][1] == [code]


def test_a_report_whose_judge_was_not_asked_is_left_out() -> None:
    judged = load_report(Path(__file__).parents[1] / "data" / "reports" / "version-3.json")
    assert judged.judge is not None
    skipped = replace(judged, judge=replace(judged.judge, votes=replace(vote_count(()), planned=3, asked=1)))

    assert why(on(9, judged)) == []
    assert why(on(9, skipped)) == [("0.json", ["judge_skipped"])]


def test_estimates_stand_on_a_line_of_their_own_after_what_was_measured() -> None:
    shown = trend(sides(on(4, ESTIMATE), on(1), on(2)))

    assert [(line.is_estimate, len(line.points)) for line in shown.lines] == [(False, 2), (True, 1)]
    assert "No model was run for these" in trend_to_markdown(shown, phrases("en"))


def test_other_checks_leave_out_what_they_touch_and_nothing_else() -> None:
    changed = tuple(replace(case, sha256="0" * 64) for case in FAILING.cases)
    other = replace(on(1), cases=changed, testset=replace(FAILING.testset, split_sha256={}))
    (line,) = trend(sides(other, on(2))).lines

    assert line.points[0].apart == ("checks",)
    assert "f1" in line.points[0].metrics
    assert "output_pass_rate" not in line.points[0].metrics


def test_a_move_beyond_the_rule_is_marked_in_words() -> None:
    shown = trend(sides(on(1, f1=0.80), on(2, f1=0.70), on(3, f1=0.74), on(4, f1=0.90)))
    page = trend_to_markdown(shown, phrases("en"))

    assert [cell for cell in ("0.80 ", "0.70 ❌ worse", "0.74 ", "0.90 ✅ better") if cell not in page] == []


def test_every_number_of_the_table_is_that_of_the_json() -> None:
    shown = trend(sides(on(1, f1=0.8123), on(2)))
    content = json.loads(trend_to_json(shown))

    values = [point["metrics"]["f1"]["value"] for point in content["lines"][0]["points"]]
    assert values == [0.8123, FAILING.splits[Split.ACCEPTANCE].metrics["f1"].value]
    assert "0.81" in trend_to_markdown(shown, phrases("en"))


def test_json_in_the_log_of_a_step_holds_no_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    file = tmp_path / "##[error]x.json"
    file.write_text((GOLDEN / "passing.json").read_text("utf-8"), "utf-8")

    assert main(["trend", str(file), "--format", "json"]) == 0

    shown = capsys.readouterr().out
    assert json.loads(shown)["lines"][0]["points"][0]["file"] == str(file)
    assert "##[" not in shown


def test_a_page_has_a_chart_for_each_rate_and_the_same_bytes_each_time() -> None:
    shown = trend(sides(on(1), on(2, f1=0.5)))
    page = trend_to_html(shown, "zh")

    tree = html.fromstring(page)
    assert len(tree.findall(".//figure")) == len(tree.findall(".//svg")) == 5
    assert page == trend_to_html(shown, "zh")
    assert "<code>level-maker</code>" in page


def test_results_of_suites_stand_beside_those_of_runs_on_their_own_line() -> None:
    good, bad = run(found(TIN, passed=True)), run(found(TIN, passed=False), score=0.0)
    results = [suite(case("shelf", good)), replace(suite(case("shelf", bad, score=0.0)), started_at=LATER)]
    lines = trend([*(SuiteSide(f"{place}.json", one) for place, one in enumerate(results)), *sides(on(1))]).lines

    assert [(line.kind, line.subject, len(line.points)) for line in lines] == [
        ("run", "level-maker", 1),
        ("suite", "pantry", 2),
    ]
    assert [point.metrics["pass_share"].value for point in lines[1].points] == [1.0, 0.0]


def test_results_of_suites_alone_are_told_nothing_of_splits() -> None:
    of_suite = SuiteSide("r.json", suite(case("shelf", run(found(TIN, passed=True)))))
    for say, words in ((phrases("en"), "Acceptance split only"), (phrases("zh"), "只看验收集")):
        assert words not in trend_to_markdown(trend([of_suite]), say)
        assert words in trend_to_markdown(trend([of_suite, *sides(on(1))]), say)


def test_suites_that_were_stopped_or_whose_graders_were_skipped_are_left_out() -> None:
    skipped = suite(case("shelf", replace(run(found(TIN, passed=True)), skipped_paid_graders=True)))
    stopped = replace(
        suite(case("shelf", run(found(TIN, passed=True)))), partial_reason="cost_ceiling", started_at=LATER
    )
    left_out = trend([SuiteSide("a.json", skipped), SuiteSide("b.json", stopped)]).left_out

    assert [(one.file, [note.code for note in one.why]) for one in left_out] == [
        ("a.json", ["graders_skipped"]),
        ("b.json", ["partial_suite"]),
    ]


def test_names_of_files_cannot_break_the_page() -> None:
    shown = trend([ReportSide("<img src=x onerror=alert(1)>|`.json", replace(on(1), verdict=ReportVerdict.DRAFT))])

    assert html.fromstring(trend_to_html(shown, "en")).find(".//img") is None


def test_the_command_shows_what_it_can_and_says_by_its_status_where_it_can_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["trend", str(GOLDEN / "failing.json"), str(GOLDEN / "invalid.json")]) == 0
    assert "INVALID: nothing reliable was measured" in capsys.readouterr().out
    assert main(["trend", str(GOLDEN / "invalid.json"), "--lang", "zh"]) == 2
    assert "都没有列入" in capsys.readouterr().err


def test_files_that_cannot_be_read_are_all_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.json").write_text("{", "utf-8")

    assert main(["trend", str(tmp_path / "a.json"), str(tmp_path / "b.json")]) == 1
    assert len(capsys.readouterr().err.strip().splitlines()) == 2


def times_of(*reports: Report) -> set[str]:
    tree = html.fromstring(trend_to_html(trend(sides(*reports)), "en"))
    marks = {str(mark.text) for mark in tree.findall(".//figure[1]//text")}
    return marks - {"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}


def test_the_axis_tells_results_of_one_day_apart_by_the_clock() -> None:
    hours = [replace(on(1), timestamp=f"2026-03-01T{hour:02}:00:00Z") for hour in (8, 14, 20)]

    clock = times_of(*hours)
    assert len(clock) > 1
    assert all(len(mark) == len("08:00") and mark[2] == ":" for mark in clock)
    assert all(mark.startswith("2026-03-0") for mark in times_of(on(1), on(5), on(9)))
