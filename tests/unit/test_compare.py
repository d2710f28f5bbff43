"""A report beside an earlier one."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.compare.conditions import TOUCHED_BY
from skill_evaluator.compare.reports import compare, compare_latency, refuse_as_baseline
from skill_evaluator.errors import InputError
from skill_evaluator.metrics.split import split_result
from skill_evaluator.metrics.usage import latency_metrics
from skill_evaluator.model import AgentInfo, Level, Split
from skill_evaluator.results import (
    CaseResult,
    Change,
    Config,
    Metric,
    MetricChange,
    Note,
    Report,
    ReportVerdict,
    SkillInfo,
    SplitResult,
    TestsetInfo,
    Volatile,
)

EMPTY = {**split_result([], seed=0).metrics, **latency_metrics([])}
OTHER_WORDS = AgentInfo(name="messages", model="m", settings={"wording": "0123456789ab"})
OTHER_AGENT = AgentInfo(name="claude-code", model="m")
REGRESSED, UNCHANGED, IMPROVED, NOT_COMPARABLE = Change
Values = Mapping[str, float | None]


def report(acceptance: Values | None = None, *, tuning: Values | None = None, latency: Values | None = None) -> Report:
    """A report of which nothing but these numbers is known."""
    hashes = {Split.ACCEPTANCE: "aa", Split.TUNING: "bb"}
    return Report(
        skill=SkillInfo(name="levels", version="1.0", description="d", sha256="s1", files=("SKILL.md",)),
        testset=TestsetInfo(name="testset.json", sha256="tt", split_sha256=hashes, cases=20),
        agent=AgentInfo(name="messages", model="m"),
        config=Config(runs=3, seed=0, pass_threshold=0.85),
        timestamp="2025-11-08T14:30:00Z",
        verdict=ReportVerdict.PASS,
        reasons=(),
        splits={Split.ACCEPTANCE: split(acceptance or {}), Split.TUNING: split(tuning or {})},
        cases=(),
        failed_cases=(),
        volatile=Volatile(
            latency={Split.ACCEPTANCE: measured(latency or {}, "latency"), Split.TUNING: {}},
            skill_path="SKILL.md",
            testset_path="testset.json",
            concurrency=1,
        ),
    )


def split(values: Values) -> SplitResult:
    return replace(split_result([], seed=0), metrics=measured(values))


def measured(values: Values, prefix: str = "") -> dict[str, Metric]:
    metrics = {name: metric for name, metric in EMPTY.items() if name.startswith("latency") is bool(prefix)}
    return metrics | {name: replace(EMPTY[name], value=value) for name, value in values.items()}


def change(new: Report, old: Report, name: str, split: Split = Split.ACCEPTANCE) -> MetricChange:
    (found,) = [one for one in compare(new, old).changes[split] if one.name == name]
    return found


def with_hash(report_: Report, split: Split, prompt: str = "another question") -> Report:
    hashes = {**report_.testset.split_sha256, split: "other"}
    return replace(with_case(report_, split, prompt), testset=replace(report_.testset, split_sha256=hashes))


def with_case(report_: Report, split: Split, prompt: str, *, expect_trigger: bool = True) -> Report:
    case = CaseResult(
        id="c1",
        split=split,
        expect_trigger=expect_trigger,
        prompt=prompt,
        prompt_sha256=f"hash of {prompt}",
        sha256="",
        planned_runs=3,
        valid_runs=3,
        triggered_runs=3,
        decision=True,
        fluctuation=0.0,
        successes=3,
    )
    return replace(report_, cases=(case,))


@pytest.mark.parametrize(("old", "new", "difference", "mark"), [(0.4, 0.9, 0.5, IMPROVED), (0.9, 0.4, -0.5, REGRESSED)])
def test_04_to_09_is_half_a_point_up(old: float, new: float, difference: float, mark: Change) -> None:
    """Whatever the names of the files and the order of the dates."""
    found = change(report({"f1": new}), replace(report({"f1": old}), timestamp="2030-01-01T00:00:00Z"), "f1")

    assert (found.old, found.new, found.mark) == (old, new, mark)
    assert found.difference == pytest.approx(difference)
    assert found.why == ()


@pytest.mark.parametrize(
    ("name", "old", "new", "mark"),
    [
        ("recall", 0.90, 0.85, UNCHANGED),  # 0.05000000000000004 in floats, and still exactly five points
        ("recall", 0.85, 0.90, UNCHANGED),
        ("recall", 0.90, 0.849, REGRESSED),
        ("recall", 0.849, 0.90, IMPROVED),
        ("f1", 18 / 20, 17 / 20, UNCHANGED),
        ("f1", 199 / 200, 189 / 200, UNCHANGED),
        ("f1", 199 / 200, 188 / 200, REGRESSED),
        ("false_trigger_rate", 0.0, 0.06, REGRESSED),
        ("false_trigger_rate", 0.06, 0.0, IMPROVED),
        ("false_trigger_rate", 0.05, 0.10, UNCHANGED),
        ("output_tokens", 100.0, 105.0, UNCHANGED),
        ("output_tokens", 100.0, 105.1, REGRESSED),
        ("output_tokens", 100.0, 94.0, IMPROVED),
        ("cost_usd", 0.02, 0.021, UNCHANGED),
        ("cost_usd", 0.02, 0.0211, REGRESSED),
        ("cost_usd", 0.0, 0.0, UNCHANGED),
        ("cost_usd", 5e-324, 1e9, NOT_COMPARABLE),  # the share is beyond all floats
        ("pass_hat_k", 0.0, 0.0, UNCHANGED),
    ],
)
def test_worse_by_more_than_five_is_a_regression(name: str, old: float, new: float, mark: Change) -> None:
    assert change(report({name: new}), report({name: old}), name).mark is mark


def test_rates_differ_in_points_and_costs_in_shares_of_the_old() -> None:
    new, old = report({"recall": 0.5, "cost_usd": 0.03}), report({"recall": 0.25, "cost_usd": 0.02})

    assert change(new, old, "recall").difference == 0.25
    assert change(new, old, "cost_usd").difference == pytest.approx(0.5)
    assert (change(new, old, "recall").unit, change(new, old, "cost_usd").unit) == ("ratio", "usd")


@given(st.integers(1, 400), st.integers(1, 400), st.integers(0, 400), st.integers(0, 400))
def test_the_bound_is_exact_for_every_pair_of_rates(n: int, m: int, a: int, b: int) -> None:
    a, b = min(a, n), min(b, m)
    twenty_times_more = 20 * (b * n - a * m)  # 20 * (b/m - a/n) * nm, in whole numbers
    expected = UNCHANGED if abs(twenty_times_more) <= n * m else IMPROVED if twenty_times_more > 0 else REGRESSED

    assert change(report({"recall": b / m}), report({"recall": a / n}), "recall").mark is expected


@given(st.floats(0, 1), st.floats(0, 1), st.sampled_from(["recall", "false_trigger_rate"]))
def test_the_two_directions_mirror_each_other(one: float, other: float, name: str) -> None:
    there = change(report({name: one}), report({name: other}), name)
    back = change(report({name: other}), report({name: one}), name)

    assert there.difference == -(back.difference or 0.0)
    assert {there.mark, back.mark} in ({UNCHANGED}, {IMPROVED, REGRESSED})


@pytest.mark.parametrize(("new", "old"), [(None, 0.5), (0.5, None), (None, None)])
def test_missing_is_not_0(new: float | None, old: float | None) -> None:
    found = change(report({"precision": new}), report({"precision": old}), "precision")

    assert (found.new, found.old) == (new, old)
    assert (found.difference, found.mark, found.why) == (None, NOT_COMPARABLE, ("undefined",))


def test_a_share_of_nothing_is_undefined() -> None:
    found = change(report({"cost_usd": 0.1}), report({"cost_usd": 0.0}), "cost_usd")

    assert (found.difference, found.mark, found.why) == (None, NOT_COMPARABLE, ("undefined",))


def test_a_metric_that_the_old_report_lacks_is_shown_alone() -> None:
    old = report({"f1": 0.9})
    acceptance = replace(old.splits[Split.ACCEPTANCE], metrics={"f1": old.splits[Split.ACCEPTANCE].metrics["f1"]})
    found = change(report({"recall": 0.9}), replace(old, splits={**old.splits, Split.ACCEPTANCE: acceptance}), "recall")

    assert (found.new, found.old, found.why) == (0.9, None, ("undefined",))


@pytest.mark.parametrize(
    ("code", "new"),
    [
        ("split_hash", with_hash(report({"f1": 0.9, "cost_usd": 0.1}), Split.ACCEPTANCE)),
        ("agent", replace(report({"f1": 0.9, "cost_usd": 0.1}), agent=OTHER_AGENT)),
        ("model", replace(report({"f1": 0.9, "cost_usd": 0.1}), agent=AgentInfo(name="messages", model="n"))),
        ("agent", replace(report({"f1": 0.9, "cost_usd": 0.1}), agent=OTHER_WORDS)),
    ],
)
def test_another_measurement_is_shown_and_not_compared(code: str, new: Report) -> None:
    comparison = compare(new, report({"f1": 0.4, "cost_usd": 0.1}))

    assert comparison.mark is NOT_COMPARABLE
    for found in comparison.changes[Split.ACCEPTANCE]:
        assert (found.mark, found.difference) == (NOT_COMPARABLE, None)
        assert found.why[0] == code
    f1 = comparison.changes[Split.ACCEPTANCE][2]
    assert (f1.name, f1.new, f1.old, f1.why) == ("f1", 0.9, 0.4, (code,))


def test_another_number_of_runs_touches_decisions_but_no_mean_over_runs() -> None:
    values = {name: 0.5 for name in TOUCHED_BY if not name.startswith("latency")}
    new = replace(report(values), config=Config(runs=5, seed=0, pass_threshold=0.85))
    comparable = [one.name for one in compare(new, report(values)).changes[Split.ACCEPTANCE] if not one.why]

    assert comparable == ["input_tokens", "output_tokens", "cost_usd"]


def test_other_tuning_cases_touch_the_tuning_split_only() -> None:
    new = with_hash(report({"f1": 0.9}, tuning={"f1": 0.9}), Split.TUNING)
    old = report({"f1": 0.5}, tuning={"f1": 0.5})

    assert change(new, old, "f1").mark is IMPROVED
    assert change(new, old, "f1", Split.TUNING).why == ("split_hash",)


def test_other_checks_of_the_same_questions_leave_triggers_comparable() -> None:
    """Fixing an expectation must not make the whole history worthless."""
    values = {name: 0.5 for name in TOUCHED_BY if not name.startswith("latency")}
    old = with_case(report(values), Split.ACCEPTANCE, "make a level")
    new = with_hash(report(values), Split.ACCEPTANCE, "make a level")
    touched = {one.name: one.why for one in compare(new, old).changes[Split.ACCEPTANCE] if one.why}

    assert touched == dict.fromkeys(
        (
            *("output_pass_rate", "params_pass_rate", "tool_order_pass_rate", "judged_pass_rate"),
            *("expected_skill_rate", "rubric_pass_rate", "pass_hat_k"),
        ),
        ("checks",),
    )


def test_a_question_whose_right_answer_was_turned_round_is_another_question() -> None:
    old = with_case(report({"f1": 0.5}), Split.ACCEPTANCE, "make a level", expect_trigger=False)
    new = with_hash(report({"f1": 0.5}), Split.ACCEPTANCE, "make a level")

    assert change(new, old, "f1").why == ("split_hash",)


def test_several_differences_are_all_named() -> None:
    new = replace(with_hash(report(), Split.ACCEPTANCE), agent=OTHER_AGENT)

    assert change(new, report({"f1": 0.5}), "f1").why == ("split_hash", "agent", "undefined")


@pytest.mark.parametrize(
    ("new", "mark"),
    [
        ({"f1": 0.80, "recall": 0.80}, UNCHANGED),
        ({"f1": 0.90, "recall": 0.80}, IMPROVED),
        ({"f1": 0.90, "recall": 0.70}, REGRESSED),  # any regression outweighs every improvement
        ({"f1": 0.90}, IMPROVED),  # what is undefined has no say
        ({}, NOT_COMPARABLE),
    ],
)
def test_any_regression_marks_the_whole(new: Values, mark: Change) -> None:
    """The tuning split, here far worse, is shown and has no say."""
    comparison = compare(report(new, tuning={"f1": 0.1}), report({"f1": 0.8, "recall": 0.8}, tuning={"f1": 0.9}))

    assert comparison.mark is mark
    assert list(comparison.changes) == [Split.ACCEPTANCE, Split.TUNING]


def test_both_versions_are_named() -> None:
    old = report({"f1": 0.9})
    new = replace(old, skill=replace(old.skill, version="1.1", sha256="s2"), timestamp="2025-12-01T00:00:00Z")
    found = compare(new, old)

    assert (found.new_version, found.old_version) == ("1.1", "1.0")
    assert (found.old_sha256, found.old_timestamp) == ("s1", "2025-11-08T14:30:00Z")
    assert found.notes == ()


def test_what_else_differs_is_noted() -> None:
    old = report({"f1": 0.9})
    new = replace(
        old,
        skill=replace(old.skill, name="stages"),
        agent=AgentInfo(name="messages", model="m", settings={"max_turns": 5}),
        evaluator_version="9.9.9",
    )

    assert compare(new, old).notes == (
        Note(code="same_skill"),
        Note(code="other_skill", values={"new": "stages", "old": "levels"}),
        Note(code="other_evaluator", values={"new": "9.9.9", "old": old.evaluator_version}),
        Note(code="settings_differ", values={"settings": ["max_turns"]}),
    )


def test_times_are_compared_apart_and_in_per_cent() -> None:
    new = report(latency={"latency_p50": 1.05, "latency_p95": 3.0})
    old = report(latency={"latency_p50": 1.0, "latency_p95": 2.0})
    p50, p95 = compare_latency(new, old)[Split.ACCEPTANCE]

    assert (p50.name, p50.mark, p50.unit) == ("latency_p50", UNCHANGED, "s")
    assert (p95.name, p95.mark, p95.difference) == ("latency_p95", REGRESSED, 0.5)
    assert compare_latency(new, old)[Split.TUNING] == ()


def test_times_of_another_agent_are_not_compared() -> None:
    new = replace(report(latency={"latency_p50": 1.0}), agent=OTHER_AGENT)
    p50, _ = compare_latency(new, report(latency={"latency_p50": 1.0}))[Split.ACCEPTANCE]

    assert (p50.mark, p50.why) == (NOT_COMPARABLE, ("agent",))


def test_a_report_without_a_score_shows_none_beside_the_baseline() -> None:
    found = change(replace(report({"f1": 0.9}), verdict=ReportVerdict.INVALID), report({"f1": 0.5}), "f1")

    assert (found.new, found.old, found.difference, found.why) == (None, 0.5, None, ("undefined",))


@pytest.mark.parametrize(
    ("old", "expected"),
    [
        (replace(report(), verdict=ReportVerdict.DRAFT), ["baseline-draft"]),
        (replace(report(), verdict=ReportVerdict.INVALID), ["baseline-invalid"]),
        (replace(report(), stopped_by="SIGINT"), ["baseline-partial"]),
        (
            replace(report(), verdict=ReportVerdict.INVALID, stopped_by="SIGTERM"),
            ["baseline-invalid", "baseline-partial"],
        ),
    ],
)
def test_a_report_that_measured_too_little_is_no_baseline(old: Report, expected: list[str]) -> None:
    with pytest.raises(InputError) as refused:
        refuse_as_baseline(old, "old.json")
    with pytest.raises(InputError):
        compare(report({"f1": 0.9}), old)

    assert [finding.code for finding in refused.value.findings] == expected
    assert all((finding.level, finding.file) == (Level.FAIL, "old.json") for finding in refused.value.findings)


@pytest.mark.parametrize("verdict", ["PASS", "FAIL", "UNSTABLE", "ESTIMATE"])
def test_a_full_report_may_serve_as_a_baseline(verdict: str) -> None:
    refuse_as_baseline(replace(report(), verdict=ReportVerdict(verdict)), "old.json")


def asked(report_: Report, **right: int) -> Report:
    """A report of these acceptance cases, all positives, each right in so many of three runs."""
    cases = tuple(
        replace(
            with_case(report_, Split.ACCEPTANCE, name).cases[0],
            id=name,
            triggered_runs=count,
            decision=count > 1,
            successes=count,
        )
        for name, count in right.items()
    )
    splits = {**report_.splits, Split.ACCEPTANCE: split_result(cases, seed=0)}
    hashes = {**report_.testset.split_sha256, Split.ACCEPTANCE: " ".join(right)}
    return replace(report_, cases=cases, splits=splits, testset=replace(report_.testset, split_sha256=hashes))


OLD = asked(report(), a=3, b=3, c=3, d=3, e=0)
NEW = asked(report(), a=3, b=3, c=0, d=0, f=3, g=3)


def test_other_cases_are_compared_over_the_shared_ones_where_asked() -> None:
    """Over all cases recall went from 4/5 to 4/6, over the four shared ones from 4/4 to 2/4."""
    apart, shared = compare(NEW, OLD), compare(NEW, OLD, on_shared_cases=True)
    recall, again = apart.changes[Split.ACCEPTANCE][1], shared.changes[Split.ACCEPTANCE][1]

    assert (recall.name, recall.mark, recall.why) == ("recall", NOT_COMPARABLE, ("split_hash",))
    assert (again.new, again.old, again.difference, again.mark, again.why) == (0.5, 1.0, -0.5, REGRESSED, ())
    assert (apart.shared_only, shared.shared_only) == (False, True)
    assert shared.paired[Split.ACCEPTANCE].shared == 4
    assert apart.paired == shared.paired


def test_both_sides_of_a_shared_comparison_are_those_of_the_shared_cases() -> None:
    alone = compare(asked(report(), a=3, b=3, c=0, d=0), asked(report(), a=3, b=3, c=3, d=3))

    assert compare(NEW, OLD, on_shared_cases=True).changes[Split.ACCEPTANCE] == alone.changes[Split.ACCEPTANCE]


def test_nothing_is_left_out_where_all_cases_are_shared() -> None:
    new = asked(report(), a=3, b=0)

    assert compare(new, asked(report(), a=3, b=3), on_shared_cases=True) == compare(new, asked(report(), a=3, b=3))


def test_no_shared_case_is_nothing_to_compare() -> None:
    found = compare(asked(report(), a=3), asked(report(), b=3), on_shared_cases=True, fail_on="marked")

    assert (found.mark, found.stops, found.paired[Split.ACCEPTANCE].shared) == (NOT_COMPARABLE, (), 0)


def test_shared_cases_with_other_checks_leave_only_triggers_comparable() -> None:
    new = replace(NEW, cases=tuple(replace(case, sha256="rewritten") for case in NEW.cases))
    changes = {one.name: one for one in compare(new, OLD, on_shared_cases=True).changes[Split.ACCEPTANCE]}

    assert changes["recall"].mark is REGRESSED
    assert changes["pass_hat_k"].why == ("checks",)


@pytest.mark.parametrize(
    "new",
    [
        replace(NEW, agent=OTHER_AGENT),
        replace(NEW, agent=AgentInfo(name="messages", model="n")),
        replace(NEW, config=Config(runs=5, seed=0, pass_threshold=0.85)),
    ],
    ids=["agent", "model", "runs"],
)
def test_another_measurement_has_no_paired_evidence_even_over_shared_cases(new: Report) -> None:
    found = compare(new, OLD, on_shared_cases=True, fail_on="marked")

    assert (found.paired, found.shared_only, found.mark, found.stops) == ({}, False, NOT_COMPARABLE, ())


def test_a_report_without_a_score_has_no_paired_evidence_even_over_shared_cases() -> None:
    found = compare(replace(NEW, verdict=ReportVerdict.INVALID), OLD, on_shared_cases=True, fail_on="marked")

    assert (found.paired, found.shared_only, found.mark, found.stops) == ({}, False, NOT_COMPARABLE, ())


def test_only_rates_of_the_acceptance_split_stop_a_build() -> None:
    worse = {"f1": 0.5, "cost_usd": 9.0, "output_tokens": 900.0}
    better = {"f1": 0.9, "cost_usd": 1.0, "output_tokens": 100.0}
    there = compare(report(worse, tuning=worse), report(better, tuning=better), fail_on="marked")
    tuning = compare(report(better, tuning=worse), report(better, tuning=better), fail_on="marked")

    assert (there.stops, tuning.stops) == (("f1",), ())


def test_every_metric_of_a_report_has_a_row_in_the_table() -> None:
    assert set(TOUCHED_BY) == set(EMPTY)
