"""A report of cases that do not say whether the skill should fire: verdict, file, page, comparison, what is refused."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from skill_evaluator.compare.reports import compare
from skill_evaluator.errors import InputError
from skill_evaluator.formats.evalcase.marks import marked
from skill_evaluator.model import AgentInfo, Split
from skill_evaluator.report.render import gate_line, render, render_comparison, summary
from skill_evaluator.report.schema import schema_text
from skill_evaluator.report.scores import TRIGGER_METRICS
from skill_evaluator.report.serialize import report_from_json, report_to_json
from skill_evaluator.report.words import Lang
from skill_evaluator.results import Change, Config, Evidence, Report, ReportVerdict
from tests.unit.judged_setup import judged_cases
from tests.unit.output_only_setup import GRADERS, SHOWN, output_case, output_report

LANGS: tuple[Lang, ...] = ("en", "zh")
EMBEDDED = AgentInfo(name="embedded", model=None, estimate=True)
# Three that are to fire and do, three that are not and do not.
TRIGGERING = tuple(case for case in judged_cases({}) if case.split is Split.ACCEPTANCE)
FIRED = {case.id: "rrr" if case.expect_trigger else "qqq" for case in TRIGGERING}
LETTERS = {"a": "rqu", "b": "wnr", "c": "rrn", "d": "oss", "e": "rrr"}
TRIGGER_WORDS = {
    "en": ("F1", "Precision", "Recall", "False-trigger", "Never fires", "Tuning cases"),
    "zh": ("综合分", "准确率", "召回率", "误触率", "从不触发", "调优题"),
}


@pytest.fixture
def mixed_report(tmp_path: Path) -> Report:
    """One case of each fate: right, wrong, right but wavering, undecided, only shown."""
    cases = (
        output_case("a", *GRADERS, SHOWN, tags=("printf",)),
        output_case("b", tags=("printf", "icu")),
        output_case("c"),
        output_case("d"),
        output_case("e", SHOWN),
    )
    return output_report(tmp_path / "r", LETTERS, cases=cases)


def codes(report: Report) -> list[str]:
    return [note.code for note in report.reasons]


@pytest.mark.parametrize(
    ("letters", "threshold", "verdict", "reasons"),
    [
        ({"a": "rrr", "b": "qqq"}, 1.0, "PASS", []),
        ({"a": "rrr", "b": "nnn"}, 1.0, "FAIL", ["right_below"]),
        ({"a": "rrr", "b": "nnn"}, 0.5, "PASS", []),
        ({"a": "rrr", "b": "nnn"}, 0.51, "FAIL", ["right_below"]),
        ({"a": "rrr", "b": "rrn"}, 1.0, "UNSTABLE", ["unstable_cases"]),
        ({"a": "rrr", "b": "nnr"}, 1.0, "FAIL", ["right_below", "unstable_cases"]),
        ({"a": "rrr", "b": "sss"}, 1.0, "INVALID", ["undecided_share"]),
        ({"a": "rrr", "b": "ooo"}, 1.0, "INVALID", ["undecided_share"]),
        ({"a": "nnn", "b": "ooo"}, 1.0, "FAIL", ["right_below"]),
        ({"a": "nnn", "b": "ooo"}, 0.5, "INVALID", ["undecided_share"]),
        ({"a": "rrn", "b": "ooo"}, 1.0, "INVALID", ["undecided_share"]),
        ({"a": "sss", "b": "ooo"}, 1.0, "INVALID", ["nothing_measured"]),
        ({"a": "sss", "b": "ooo"}, 0.0, "INVALID", ["nothing_measured"]),
        ({"a": "rrr", "b": "rre"}, 1.0, "INVALID", ["error_share", "too_few_valid_runs", "cause"]),
        (dict.fromkeys("abcdefghi", "rrr") | {"j": "rr"}, 1.0, "INVALID", ["too_few_valid_runs"]),
    ],
)
def test_the_outputs_decide_the_verdict(
    tmp_path: Path, letters: dict[str, str], threshold: float, verdict: str, reasons: list[str]
) -> None:
    report = output_report(tmp_path / "r", letters, threshold=threshold)

    assert (report.verdict, codes(report)) == (verdict, reasons)


def test_a_tenth_of_wavering_cases_is_still_stable(tmp_path: Path) -> None:
    steady = dict.fromkeys("abcdefghi", "rrr")

    assert output_report(tmp_path / "r", {**steady, "j": "rrn"}).verdict is ReportVerdict.PASS
    assert output_report(tmp_path / "r", {**steady, "i": "rrn", "j": "rrn"}).verdict is ReportVerdict.UNSTABLE


def test_a_tenth_of_undecided_cases_is_passed_over_and_told_in_the_result(tmp_path: Path) -> None:
    decided = dict.fromkeys("abcdefghi", "rrr")
    report = output_report(tmp_path / "r", {**decided, "j": "ooo"})

    assert report.verdict is ReportVerdict.PASS
    assert summary(report, "en") == "PASS (9 of 9 cases right = 1.00, 1 undecided, threshold = 1.00)"
    assert summary(report, "zh") == "通过 (9 道题中 9 道正确=1.00, 另有 1 道无定论, 及格线=1.00)"


def test_more_undecided_cases_are_named_and_no_score_is_shown(tmp_path: Path) -> None:
    decided = dict.fromkeys("abcdefgh", "rrr")
    report = output_report(tmp_path / "r", {**decided, "i": "ooo", "j": "sss"})

    assert report.verdict is ReportVerdict.INVALID
    assert [note.values for note in report.reasons] == [{"cases": ["i", "j"], "of": 10}]
    assert summary(report, "en") == "INVALID: nothing reliable was measured (2 of 10 cases could not be decided)"
    assert "Of 10 cases, 2 could not be decided (`i`, `j`)" in render(report, "md", "en")
    assert report_from_json(report_to_json(report), name="r.json") == report


def test_a_case_without_a_hard_check_is_not_undecided(tmp_path: Path) -> None:
    report = output_report(tmp_path / "r", {"a": "rrr", "b": "rrr"}, cases=[output_case("a"), output_case("b", SHOWN)])

    assert report.verdict is ReportVerdict.PASS
    assert "undecided" not in summary(report, "en")


def test_a_failure_names_how_many_cases_failed(tmp_path: Path) -> None:
    (reason,) = output_report(tmp_path / "r", {"a": "rrr", "b": "nnn", "c": "www", "d": "sss"}).reasons

    assert reason.values == {"failed": 2, "decided": 3, "value": 1 / 3, "threshold": 1.0}


@pytest.mark.parametrize(
    ("config", "reasons"),
    [
        (Config(runs=3, seed=0, pass_threshold=1.0, draft=True), ["draft_requested", "right_below"]),
        (Config(runs=2, seed=0, pass_threshold=1.0), ["too_few_valid_runs", "draft_runs"]),
        (Config(runs=2, seed=0, pass_threshold=1.0, draft=True), ["draft_requested", "draft_runs", "right_below"]),
        (Config(runs=3, seed=0, pass_threshold=1.0, tags=("printf",)), ["right_below"]),
    ],
)
def test_options_make_a_draft_and_a_choice_of_cases_does_not(
    tmp_path: Path, config: Config, reasons: list[str]
) -> None:
    letters = {"a": "nnn"[: config.runs], "b": "rrr"[: config.runs]}
    report = output_report(tmp_path / "r", letters, config=config)

    assert codes(report) == reasons
    assert report_from_json(report_to_json(report), name="r.json") == report


def test_an_agent_that_asks_no_model_has_measured_nothing(tmp_path: Path) -> None:
    report = output_report(tmp_path / "r", {"a": "sss", "b": "sss"}, agent=EMBEDDED)

    assert (report.verdict, codes(report)) == (ReportVerdict.INVALID, ["nothing_measured"])
    assert "no output could be decided" in summary(report, "en")


def test_what_is_only_shown_never_decides(tmp_path: Path) -> None:
    """Right outputs end in `!`, which the assertion that is only shown forbids."""
    cases = [output_case("a", *GRADERS, SHOWN), output_case("b", *GRADERS, SHOWN), output_case("c")]
    report = output_report(tmp_path / "r", {"a": "rrr", "b": "rqr", "c": "rrr"}, cases=cases)

    assert report.verdict is ReportVerdict.PASS
    assert [note.values for note in report.reasons] == [
        {"assertions": [{"assertion": "max_chars", "cases": ["a", "b"]}]}
    ]
    assert report.failed_cases == ()
    assert "`max_chars` failed in 2 cases (`a`, `b`)" in render(report, "md", "en")


def test_the_file_is_read_back_as_it_was_written(mixed_report: Report) -> None:
    text = report_to_json(mixed_report)

    assert report_from_json(text, name="r.json") == mixed_report
    jsonschema.Draft202012Validator(json.loads(schema_text())).validate(json.loads(text))


def test_the_headline_has_the_share_of_right_outputs_and_no_trigger(mixed_report: Report) -> None:
    metrics = json.loads(report_to_json(mixed_report))["metrics"]

    assert metrics["output_pass_rate"] == 2 / 3
    assert metrics["pass_hat_k"] == 1 / 3
    assert [metrics[name] for name in ("precision", "recall", "f1", "false_trigger_rate")] == [None] * 4


def test_the_page_in_english(mixed_report: Report) -> None:
    page = render(mixed_report, "md", "en")

    for line in (
        "## ❌ Result: FAIL (2 of 3 cases right = 0.67, 1 undecided, threshold = 1.00)",
        "- Of 3 decided cases, 1 is wrong: the share of right ones, 0.67, is below the threshold 1.00.",
        "of 3 decided cases, 2 had a right output; 1 more case without an answer",
        "| `placeholder_integrity` | decides    | 2/3    | 0.67  | 0.21–0.94    |",
        "- Failed runs of `placeholder_integrity`: `placeholder_missing` in 2 cases.",
        "- The skill fired in 11 of 14 runs; 1 more run does not say. That decides nothing here.",
        "- **`b`** [output] `Translate b.` → `placeholder_integrity` (placeholder missing): `Expected placeholder '%s'",
        "  - Runs 1, 2: `placeholder_integrity` (placeholder missing): `Expected placeholder '%s' is missing.`",
        ' is missing.` (`{"actual": [], "expected": ["%s"]}`); output: `↵there!↵`',
        "Unstable: `b` (right in 1 of 3 decided runs), `c` (right in 2 of 3 decided runs)",
        "| acceptance | `printf` | 2     | 0.50 (1/2)       |",
    ):
        assert line in page


def test_pages_show_the_text_of_a_translation_case_and_not_the_request_around_it(tmp_path: Path) -> None:
    prompt = f"Translate the text between the marks.\n\n{marked('Save %s')}\n\nAnswer with the translation alone."
    case = replace(output_case("a"), prompt=prompt)
    new, old = (output_report(tmp_path / letters, {"a": letters}, cases=(case,)) for letters in ("nnn", "rrr"))

    assert "- **`a`** [output] `Save %s` → " in render(new, "md", "en")
    assert "`a`, `Save %s`" in render_comparison(new, old, compare(new, old), "en")
    assert json.loads(report_to_json(new))["failed_cases"][0]["input"] == prompt


@pytest.mark.parametrize("lang", LANGS)
def test_no_page_speaks_of_triggers(mixed_report: Report, lang: Lang) -> None:
    page = render(mixed_report, "md", lang)

    assert [word for word in TRIGGER_WORDS[lang] if word in page] == []
    assert not [line for line in page.splitlines() if line.startswith("| ") and " 0/0 " in line]


def test_the_page_in_chinese(mixed_report: Report) -> None:
    page = render(mixed_report, "md", "zh")

    for line in (
        "## ❌ 整体结果: 未通过 (3 道题中 2 道正确=0.67, 另有 1 道无定论, 及格线=1.00)",
        "- 有定论的 3 道题里有 1 道错：正确的比例 0.67 低于及格线 1.00。",
        "- 14 次运行中技能触发了 11 次；另有 1 次没有说明。这里不据此判定。",
        "`placeholder_integrity`（缺少占位符）",
    ):
        assert line in page


def test_a_passing_page_says_why(tmp_path: Path) -> None:
    page = render(output_report(tmp_path / "r", {"a": "rrr", "b": "rrr"}), "md", "en")

    assert "## ✅ Result: PASS (2 of 2 cases right = 1.00, threshold = 1.00)" in page
    assert "- The share of cases with a right output reaches the threshold, and repeated runs agree." in page
    assert "look at the interval of the output pass rate" in page


def test_runs_that_do_not_say_whether_the_skill_fired_are_counted_as_such(tmp_path: Path) -> None:
    page = render(output_report(tmp_path / "r", {"a": "uuu", "b": "uuu"}), "md", "en")

    assert "- No run says whether the skill fired. That decides nothing here." in page
    assert "0 of 0" not in page


def same_but_worse(folder: Path) -> tuple[Report, Report]:
    """Six cases that were right and are wrong, one that is new, one that is gone."""
    old = output_report(folder / "old", dict.fromkeys("abcdefg", "rrr"))
    new = output_report(folder / "new", {**dict.fromkeys("abcdef", "nnn"), "h": "rrr"}, version="2", baseline=old)
    return new, old


def test_a_report_against_itself_is_unchanged(mixed_report: Report) -> None:
    found = compare(mixed_report, mixed_report, fail_on="significant")

    assert (found.mark, found.stops) == (Change.UNCHANGED, ())
    paired = found.paired[Split.ACCEPTANCE]
    assert (paired.shared, paired.unmeasured, paired.worsened, paired.improved) == (5, ("d", "e"), (), ())
    for lang in LANGS:
        assert render_comparison(mixed_report, mixed_report, found, lang)


def test_right_outputs_that_went_wrong_stop_the_build(tmp_path: Path) -> None:
    """From 7 of 7 to 1 of 7; all 6 shared ones changed alike, which the sign test shows."""
    new, _ = same_but_worse(tmp_path)

    found = new.comparison
    assert found is not None
    changes = {change.name: change for change in found.changes[Split.ACCEPTANCE]}
    assert changes["output_pass_rate"].difference == pytest.approx(1 / 7 - 1)
    assert changes["output_pass_rate"].mark is Change.REGRESSED
    assert (changes["f1"].mark, changes["f1"].why) == (Change.NOT_COMPARABLE, ("undefined",))
    paired = found.paired[Split.ACCEPTANCE]
    assert (paired.worsened, paired.only_new, paired.only_old) == (tuple("abcdef"), ("h",), 1)
    assert paired.changes.keys() == {"output_pass_rate", "pass_hat_k"}
    assert {change.evidence for change in paired.changes.values()} == {Evidence.REGRESSED}
    assert found.stops == ("output_pass_rate", "pass_hat_k")
    assert "Output pass rate from 1.00 to 0.14 (all 6 cases changed alike)" in gate_line(found, "en")
    page = render(new, "md", "en")
    assert "output pass rate -85.7 points (❌ regressed)" in page
    assert "Of 7 decided cases, one is 14.3 points of the output pass rate." in page
    assert "F1" not in page


def test_other_assertions_for_the_same_question_are_not_compared_as_outputs(tmp_path: Path) -> None:
    old = output_report(tmp_path / "old", {"a": "rrr"}, cases=[output_case("a")])
    new = output_report(tmp_path / "new", {"a": "nnn"}, cases=[output_case("a", sha256="other")], version="2")

    assert compare(new, old).paired[Split.ACCEPTANCE].changes == {}


def test_a_case_that_asks_for_a_trigger_is_another_question(tmp_path: Path) -> None:
    old = output_report(tmp_path / "old", {**FIRED, "a": "rrr"}, cases=[*TRIGGERING, output_case("a")])
    same_words = replace(output_case("p1"), prompt_sha256=TRIGGERING[0].prompt_sha256)
    new = output_report(tmp_path / "new", {"a": "rrr", "p1": "rrr"}, cases=[output_case("a"), same_words], version="2")

    paired = compare(new, old).paired[Split.ACCEPTANCE]
    assert (paired.shared, paired.only_new, paired.only_old) == (1, ("p1",), 6)


def test_a_set_of_both_kinds_is_measured_and_shown(tmp_path: Path) -> None:
    """No reader makes one; three are to fire, three are not, and two are about their output alone."""
    cases = [*TRIGGERING, output_case("a"), output_case("b")]
    report = output_report(tmp_path / "r", {**FIRED, "a": "nnn", "b": "rrr"}, cases=cases, threshold=0.8)

    metrics = report.splits[Split.ACCEPTANCE].metrics
    assert (metrics["f1"].value, metrics["output_pass_rate"].value) == (1.0, 0.5)
    assert (report.verdict, codes(report)) == (ReportVerdict.FAIL, ["right_below"])
    assert report_from_json(report_to_json(report), name="r.json") == report
    triggers = output_report(tmp_path / "t", FIRED, cases=TRIGGERING).splits[Split.ACCEPTANCE]
    assert {name: metrics[name] for name in TRIGGER_METRICS} == {
        name: triggers.metrics[name] for name in TRIGGER_METRICS
    }
    for lang in LANGS:
        assert "placeholder_integrity" in render(report, "md", lang)


def test_cases_without_triggers_do_not_move_the_interval_of_f1(tmp_path: Path) -> None:
    """Of 12 positives 4 were missed, so that the drawn interval lies inside 0 and 1."""
    cases = [replace(case, id=f"{case.id}-{copy}") for case in TRIGGERING for copy in range(4)]
    fired = {case.id: "qqq" if case.id.startswith(("p1", "n")) else "rrr" for case in cases}
    triggers = output_report(tmp_path / "t", fired, cases=cases)
    both = output_report(
        tmp_path / "b",
        {**fired, **dict.fromkeys("abcdefghijkl", "rrr")},
        cases=[*cases, *map(output_case, "abcdefghijkl")],
    )

    one, other = (report.splits[Split.ACCEPTANCE].metrics["f1"] for report in (triggers, both))
    assert one.interval is not None
    assert 0 < one.interval.low < one.interval.high < 1
    assert one == other


def test_the_same_words_asked_for_a_trigger_are_another_measurement(tmp_path: Path) -> None:
    old = output_report(tmp_path / "old", FIRED, cases=TRIGGERING)
    same_words = [replace(output_case(case.id), prompt_sha256=case.prompt_sha256) for case in TRIGGERING]
    new = output_report(tmp_path / "new", FIRED, cases=same_words, version="2")
    hashed = replace(new, testset=replace(new.testset, split_sha256=dict.fromkeys(Split, "other")))

    found = {change.name: change for change in compare(hashed, old).changes[Split.ACCEPTANCE]}
    assert found["output_tokens"].why == ("split_hash",)


def test_undecided_cases_are_not_said_to_be_unmeasured(mixed_report: Report) -> None:
    assert [note.code for note in mixed_report.notes] == ["checks_undecided"]


def test_times_are_those_of_all_runs_that_did_not_fail(mixed_report: Report) -> None:
    assert mixed_report.volatile.latency[Split.ACCEPTANCE]["latency_p50"].denominator == 15


def test_no_suggestion_rests_on_them(tmp_path: Path) -> None:
    cases = [
        output_case(name, split=split) for name, split in (("a", Split.ACCEPTANCE), *[(n, Split.TUNING) for n in "bcd"])
    ]
    report = output_report(tmp_path / "r", {"a": "rrr", **dict.fromkeys("bcd", "www")}, cases=cases)

    assert report.suggestions == ()
    assert report_from_json(report_to_json(report), name="r.json") == report
    assert "None: suggestions are made for when a skill fires" in render(report, "md", "en")


def verdict_of(content: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = content["cases"][1]["runs"][0]["verdicts"][0]["outcome"]
    return found


EDITS: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "the decision of a case": (lambda one: one["cases"][1].update(decision=True), "/cases/1/decision"),
    "how many runs were right": (lambda one: one["cases"][1].update(successes=3), "/cases/1/successes"),
    "how many runs are valid": (lambda one: one["cases"][0].update(valid_runs=2), "/cases/0/valid_runs"),
    "what a check found": (lambda one: verdict_of(one).update(passed=True), "/verdict"),
    "the class of a case": (lambda one: one["cases"][1].update(expect_trigger=True), "/"),
    "the verdict": (lambda one: one.update(verdict="PASS"), "/verdict"),
    "the headline": (lambda one: one["metrics"].update(output_pass_rate=1.0), "/metrics/output_pass_rate"),
    "a share of right outputs": (
        lambda one: one["splits"]["acceptance"]["metrics"]["output_pass_rate"].update(value=1.0),
        "/splits/acceptance/metrics/output_pass_rate/value",
    ),
    "a count of an assertion": (
        lambda one: one["splits"]["acceptance"]["assertions"][1].update(undecided=0),
        "/splits/acceptance/assertions/1/undecided",
    ),
    "a code of an assertion": (
        lambda one: one["splits"]["acceptance"]["assertions"][1]["codes"].update(placeholder_missing=1),
        "/splits/acceptance/assertions/1/codes/placeholder_missing",
    ),
    "an assertion that is gone": (
        lambda one: one["splits"]["acceptance"]["assertions"].pop(),
        "/splits/acceptance/assertions/2",
    ),
    "the spread": (
        lambda one: one["splits"]["acceptance"]["spread"].update(output_pass_rate=0.5),
        "/splits/acceptance/spread/output_pass_rate",
    ),
    "the errors": (
        lambda one: one["splits"]["acceptance"]["error_shares"].pop("output_only"),
        "/splits/acceptance/error_shares/output_only",
    ),
    "a failed case": (lambda one: one["failed_cases"].clear(), "/failed_cases/0"),
    "what is only shown": (lambda one: one["reasons"].pop(), "/reasons/2"),
    "a tag": (
        lambda one: one["splits"]["acceptance"]["tags"]["icu"]["metrics"]["output_pass_rate"].update(numerator=1),
        "/splits/acceptance/tags/icu/metrics/output_pass_rate/numerator",
    ),
    "another skill that is expected": (
        lambda one: one["cases"][1].update(expected_skill="x"),
        "/cases/1/expected_skill",
    ),
}


@pytest.mark.parametrize("edit", EDITS)
def test_a_file_that_was_edited_is_refused(mixed_report: Report, edit: str) -> None:
    change, pointer = EDITS[edit]
    content = json.loads(report_to_json(mixed_report))
    change(content)

    with pytest.raises(InputError) as caught:
        report_from_json(json.dumps(content), name="r.json")
    assert any((finding.pointer or "").startswith(pointer) for finding in caught.value.findings), caught.value


def test_an_old_share_that_the_flips_do_not_bear_out_is_refused(tmp_path: Path) -> None:
    """Both reports have the same cases, so the old share is known: 3 of 3."""
    old = output_report(tmp_path / "old", dict.fromkeys("abc", "rrr"))
    new = output_report(tmp_path / "new", {"a": "nnn", "b": "rrr", "c": "rrr"}, version="2", baseline=old)
    content = json.loads(report_to_json(new))
    (change,) = [one for one in content["comparison"]["changes"]["acceptance"] if one["name"] == "output_pass_rate"]
    assert change["old"] == 1.0
    change.update(old=2 / 3, difference=0.0, mark="unchanged")

    with pytest.raises(InputError, match="/comparison/changes/acceptance"):
        report_from_json(json.dumps(content), name="r.json")


def test_the_interval_of_a_tag_is_wilsons(mixed_report: Report) -> None:
    """0 of 1: from 0 to z^2 / (1 + z^2)."""
    rate = mixed_report.splits[Split.ACCEPTANCE].tags["icu"].metrics["output_pass_rate"]

    assert (rate.numerator, rate.denominator) == (0, 1)
    assert rate.interval is not None
    assert (rate.interval.low, rate.interval.high) == pytest.approx((0.0, 0.793450))
