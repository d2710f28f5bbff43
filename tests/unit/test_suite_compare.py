"""Two results of an eval suite side by side."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from skill_evaluator.cli import main
from skill_evaluator.compare.suites import compare_suites
from skill_evaluator.metrics.result_measures import measures_of_result
from skill_evaluator.report.suite.comparison import (
    suite_comparison_to_json,
    suite_comparison_to_markdown,
    suite_gate_line,
)
from skill_evaluator.report.suite.files import suite_result_to_json
from skill_evaluator.report.suite.notes import OF_COMPARISON
from skill_evaluator.results import Change, Evidence, FailOn
from skill_evaluator.results.suite_result import CaseOfSuite, SuiteResult, SuiteSettings
from tests.unit.suite_results import FIRED, TIN, case, found, recorded, recorded_result, run, suite, told

OLD, NEW = recorded_result("own/tide-old"), recorded_result("own/tide-new")


def positives(*fired: int, runs: int = 2) -> SuiteResult:
    """Cases that should fire, and in how many of their runs they did; a run that did not scores 0."""
    return suite(*(positive(f"p{place}", times, runs) for place, times in enumerate(fired)))


def positive(name: str, times: int, runs: int) -> CaseOfSuite:
    made = [run(found(FIRED, passed=index < times), score=float(index < times)) for index in range(runs)]
    return case(name, *made, graders=[FIRED], score=times / runs)


def marks(new: SuiteResult, old: SuiteResult) -> dict[str, Change]:
    return {one.name: one.mark for one in compare_suites(new, old).changes}


def test_files_of_the_real_program_are_compared() -> None:
    """Three more tides are recognised, and a sum no longer sets the skill off."""
    found_ = compare_suites(NEW, OLD)

    assert found_.mark is Change.IMPROVED
    assert found_.differs == ()
    changes = {one.name: (one.new, one.old) for one in found_.changes}
    assert changes["pass_share"] == (10 / 11, 7 / 11)
    assert changes["recall"] == (1.0, 2 / 5)
    assert changes["false_trigger_rate"] == (0.0, 1 / 5)
    assert [one.name for one in found_.cases if one.flip == "improved"] == ["ask-tide-3", "ask-tide-4", "ask-tide-5"]
    assert found_.mcnemar_p == 0.125  # 3 flips one way: 2 * 1/2 * 1/8
    assert found_.paired["score"].difference == pytest.approx(3 / 11)
    assert found_.paired["score"].evidence is Evidence.WITHIN_NOISE


def test_the_same_result_differs_in_nothing() -> None:
    found_ = compare_suites(OLD, OLD)

    assert {one.mark for one in found_.changes} == {Change.UNCHANGED}
    assert found_.mcnemar_p is None
    assert {change.evidence for change in found_.paired.values()} <= {Evidence.WITHIN_NOISE, Evidence.TOO_FEW}
    assert any("it was not raised" in note for note in told(found_.notes, OF_COMPARISON))


def test_six_cases_that_all_fell_silent_are_no_chance() -> None:
    found_ = compare_suites(positives(0, 0, 0, 0, 0, 0), positives(2, 2, 2, 2, 2, 2), fail_on="significant")

    assert found_.mark is Change.REGRESSED
    assert found_.paired["recall"].evidence is Evidence.REGRESSED
    assert found_.mcnemar_p == 2 * 0.5 / 2**6
    assert set(found_.stops) == {"score", "pass_share", "recall", "f1"}


@pytest.mark.parametrize(
    ("fail_on", "stops"), [("never", ()), ("significant", ()), ("marked", ("score", "pass_share"))]
)
def test_what_may_be_chance_stops_only_where_marks_do(fail_on: FailOn, stops: tuple[str, ...]) -> None:
    """One of four cases went from right to half right: the score fell by 12.5 points, and the majority decides by a
    tie against the skill, so that recall fell too."""
    found_ = compare_suites(positives(2, 2, 2, 1), positives(2, 2, 2, 2), fail_on=fail_on)

    assert found_.paired["score"].evidence is Evidence.TOO_FEW
    assert found_.stops[: len(stops)] == stops
    assert bool(found_.stops) is bool(stops)


Setting = Callable[[SuiteSettings], SuiteSettings]


@pytest.mark.parametrize(
    ("change", "code", "touched", "left"),
    [
        (lambda one: replace(one, model="opus"), "model_unknown", ("score", "pass_share", "recall"), ()),
        (lambda one: replace(one, threshold=0.5), "threshold", ("pass_share",), ("score", "recall")),
        (lambda one: replace(one, ablation="with-without"), "ablation", ("score", "pass_share"), ("recall",)),
        (lambda one: replace(one, judge_model="opus"), "judge", ("score", "pass_share"), ("recall",)),
    ],
)
def test_other_settings_forbid_what_they_touch(
    change: Setting, code: str, touched: Sequence[str], left: Sequence[str]
) -> None:
    old = positives(2, 2, 2, 2, 2)
    new = replace(old, settings=change(old.settings))
    found_ = compare_suites(new, old, fail_on="marked")
    by_name = {one.name: one for one in found_.changes}

    assert found_.differs == (code,)
    assert all(by_name[name].mark is Change.NOT_COMPARABLE and by_name[name].why == (code,) for name in touched)
    assert all(by_name[name].mark is Change.UNCHANGED for name in left)
    assert not set(touched) & set(found_.paired)
    assert set(left) <= set(found_.paired)


def test_a_partial_result_is_not_compared() -> None:
    partial = replace(positives(2, 2), partial_reason="cost_ceiling")

    assert set(marks(partial, positives(2, 2)).values()) == {Change.NOT_COMPARABLE}


def test_other_numbers_of_runs_leave_the_score_comparable() -> None:
    found_ = marks(positives(2, 2), positives(4, 4, runs=4))

    assert (found_["score"], found_["recall"]) == (Change.UNCHANGED, Change.NOT_COMPARABLE)


def test_cases_of_one_side_are_named_and_shared_ones_compared_when_asked() -> None:
    old, new = positives(2, 0), suite(*positives(2).cases, case("added", run(), graders=[TIN]))
    plain, shared = compare_suites(new, old), compare_suites(new, old, on_shared_cases=True)

    assert (plain.only_new, plain.only_old, plain.differs) == (("evals/added",), ("evals/p1",), ("cases",))
    assert {one.mark for one in plain.changes} == {Change.NOT_COMPARABLE}
    assert [one.name for one in plain.cases] == ["p0"]
    assert shared.shared_only
    assert {one.name: one.mark for one in shared.changes}["recall"] is Change.UNCHANGED


def test_a_case_that_was_changed_is_shown_and_shows_nothing() -> None:
    old = positives(2, 2)
    first, second = old.cases
    new = replace(old, cases=(replace(first, prompt="Another question."), second))
    found_ = compare_suites(new, old)

    assert [one.is_changed for one in found_.cases] == [True, False]
    assert found_.paired["score"].cases == 1
    assert "the case was changed" in suite_comparison_to_markdown(found_)


def test_a_case_whose_folder_moved_is_found_by_its_name() -> None:
    old = positives(2)
    new = replace(old, cases=(replace(old.cases[0], folder="evals/deeper/p0"),))

    assert [one.folder for one in compare_suites(new, old).cases] == ["evals/deeper/p0"]


def test_notes_tell_what_else_differs() -> None:
    old = positives(2)
    plugin = replace(old.settings.plugins[0], name="larder")
    settings = replace(old.settings, plugins=(plugin,))
    new = replace(old, settings=settings, claude_version="2.2.0", started_at=old.started_at - timedelta(days=1))

    notes = told(compare_suites(new, old).notes, OF_COMPARISON)
    assert len(notes) == 4
    assert "2.2.0 and 2.1.332" in notes[0]
    assert "other names" in notes[1]
    assert "model of the new and of the old result is not recorded" in notes[2]
    assert "the earlier one" in notes[3]


def test_nothing_comparable_is_said_where_it_should_stop_a_build() -> None:
    old = positives(2)
    new = replace(old, settings=replace(old.settings, model="opus"))

    assert "No number could be compared" in suite_gate_line(compare_suites(new, old, fail_on="marked"), "en")
    assert suite_gate_line(compare_suites(new, old), "en") == ""


def test_the_page_shows_cases_evidence_and_the_flips() -> None:
    text = suite_comparison_to_markdown(compare_suites(NEW, OLD, fail_on="marked"))

    assert "By the rule of 0.05: ✅ improved, but that may be chance: no number is clear." in text
    assert "| Trigger recall     | 1.00  | 0.40  | +0.60      | ✅ improved |" in text
    assert "The build goes on (--fail-on marked): nothing is marked as regressed." in text
    assert "0 cases no longer at the threshold, 3 cases at it now; chance alone" in text
    assert "with a probability of 0.1250." in text


def test_text_of_others_never_becomes_markdown() -> None:
    bad = "</table>[x](http://evil.example) \x1b[2J\u202e"
    old = positives(2)
    plugin = replace(old.settings.plugins[0], name=bad, version=bad)
    new = replace(old, claude_version=bad, settings=replace(old.settings, plugins=(plugin,), model=bad))
    new = replace(new, cases=tuple(replace(one, name=bad) for one in new.cases))
    text = suite_comparison_to_markdown(compare_suites(new, old))

    assert "[x](" not in re.sub(r"`[^`]*`", "", text)
    assert not {"\x1b", "\u202e"} & set(text)


def test_json_holds_the_whole_comparison() -> None:
    content = json.loads(suite_comparison_to_json(compare_suites(NEW, OLD)))

    assert content["mark"] == "improved"
    assert content["paired"]["score"]["cases"] == 11
    assert content["cases"][2] | {"folder": ""} == {
        "name": "ask-tide-3",
        "folder": "",
        "new_score": 1.0,
        "old_score": 0.0,
        "new_delta": 1.0,
        "old_delta": 0.0,
        "new_fired": [2, 2],
        "old_fired": [0, 2],
        "is_changed": False,
        "flip": "improved",
    }


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    paths = tmp_path / "new.json", tmp_path / "old.json"
    for path, name in zip(paths, ("own/tide-new", "own/tide-old"), strict=True):
        path.write_text(recorded()[name], encoding="utf-8")
    return str(paths[0]), str(paths[1])


@pytest.mark.parametrize(
    ("order", "options", "status"),
    [((0, 1), [], 0), ((1, 0), [], 0), ((1, 0), ["--fail-on", "marked"], 1), ((0, 1), ["--fail-on", "marked"], 0)],
)
def test_compare_ends_with_a_status_only_where_it_is_asked(
    files: tuple[str, str],
    order: tuple[int, int],
    options: list[str],
    status: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["compare", files[order[0]], files[order[1]], *options]) == status
    shown = capsys.readouterr()
    assert "# 📈 Comparison of two eval suites" in shown.out
    assert ("The build stops" in shown.err) is (status == 1)


def test_a_partial_result_gives_no_status_to_rely_on(files: tuple[str, str], tmp_path: Path) -> None:
    path = tmp_path / "partial.json"
    path.write_text(suite_result_to_json(replace(OLD, partial_reason="interrupted")), encoding="utf-8")

    assert main(["compare", str(path), files[1], "--fail-on", "significant", "--json"]) == 2


def test_a_report_and_a_result_are_not_compared(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    report = next((Path(__file__).parents[1] / "data" / "reports").glob("*.json"))

    assert main(["compare", files[0], str(report)]) == 1
    assert capsys.readouterr().err.count("FAIL") == 1


def test_faults_of_both_files_are_told(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    for path in files:
        Path(path).write_text('{"schemaVersion": 1}', encoding="utf-8")

    assert main(["compare", *files]) == 1
    told = capsys.readouterr().err
    assert all(f"FAIL {path}: /cases: this key is missing" in told for path in files)


@pytest.mark.parametrize(
    ("form", "start"),
    [("md", "# Eval suite of `harbour`"), ("html", "<!DOCTYPE html>"), ("json", '{\n  "schemaVersion"')],
)
def test_report_shows_a_result(
    files: tuple[str, str], form: str, start: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", files[1], "--format", form]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(start)
    assert form != "json" or shown == recorded()["own/tide-old"]


def test_results_are_shown_and_compared_in_chinese(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", files[1], "--lang", "zh"]) == 0
    assert main(["compare", files[1], files[0], "--fail-on", "marked", "--lang", "zh"]) == 1
    shown = capsys.readouterr()

    assert "11 道题中 7 道达到及格线 1.00" in shown.out
    assert "# 📈 两个评测套件的对比" in shown.out
    assert "按 0.05 的规则：❌ 倒退" in shown.out
    assert shown.err.startswith("❌ 拦下这次构建（`--fail-on marked`）：套件得分、")


def of_models(*used: str, asked: str | None = None) -> SuiteResult:
    result = positives(2, 2, 2, 2, 2)
    measures = replace(measures_of_result(result), models=used)
    return replace(result, measures=measures, settings=replace(result.settings, model=asked))


@pytest.mark.parametrize(
    ("new", "old", "differs"),
    [
        (of_models("opus-1"), of_models("opus-1", asked="opus"), ()),
        (of_models("opus-1", asked="opus"), of_models("opus-2", asked="opus"), ("model",)),
        (of_models("opus-1"), of_models(asked="opus-1"), ()),
        (of_models(asked="opus"), of_models(asked="sonnet"), ("model",)),
        (of_models("opus-1"), of_models(), ("model_unknown",)),
        (of_models(), of_models(), ()),
    ],
)
def test_models_are_compared_as_they_were_used(new: SuiteResult, old: SuiteResult, differs: tuple[str, ...]) -> None:
    assert compare_suites(new, old).differs == differs


def test_a_model_that_is_not_recorded_is_said_once_with_what_to_do() -> None:
    text = suite_comparison_to_markdown(compare_suites(of_models("opus-1", asked="opus"), of_models()))

    assert "`opus (opus-1)`" in text
    assert "not recorded |" in re.sub(" +", " ", text)
    assert text.count("No number can be compared: the model of one side is not recorded.") == 1
    assert text.count("The model of the old result is not recorded") == 1
    assert "--model" in text
    assert "differ:" not in text


def test_two_models_that_are_not_recorded_are_not_called_the_same() -> None:
    (note,) = [one for one in told(compare_suites(of_models(), of_models()).notes, OF_COMPARISON) if "model" in one]

    assert note.startswith("The model of the new and of the old result is not recorded")


@pytest.mark.parametrize(
    ("new", "old", "words"),
    [
        ((0, 0), (2, 2), "By the rule of 0.05: ❌ regressed, but that may be chance: only 2 cases can be held"),
        ((0,) * 6, (2,) * 6, "By the rule of 0.05: ❌ regressed, and the cases that both have bear it out for: Suite"),
        ((2, 2), (2, 2), "unchanged; no number moved by more."),
    ],
)
def test_the_headline_claims_no_more_than_the_cases_show(
    new: tuple[int, ...], old: tuple[int, ...], words: str
) -> None:
    text = suite_comparison_to_markdown(compare_suites(positives(*new), positives(*old), fail_on="significant"))

    assert words in text
    assert "✅" not in text or "regressed" not in text


def test_the_delta_is_shown_without_a_mark() -> None:
    text = suite_comparison_to_markdown(compare_suites(NEW, OLD))

    assert re.search(r"\| Delta +\| .* shown only", text)
