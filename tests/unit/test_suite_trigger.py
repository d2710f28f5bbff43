"""Triggering measured by the Skill graders of a suite, worked out by hand."""

from dataclasses import replace

import pytest
from scipy.stats import binomtest

from skill_evaluator.formats.suite.expected import claims_of
from skill_evaluator.graders.suite import ToolUsed
from skill_evaluator.metrics.suite_trigger import suite_trigger, was_call_made
from skill_evaluator.model import Arm, Case, FailureKind, MockCall, Run, ToolCall
from tests.unit.suite_setup import FIRED, QUIET, SKILL_CALL, TIN, failed_run, grader, suite_case, suite_run

POSITIVE, NEGATIVE = grader("fired", FIRED), grader("quiet", QUIET)


def asked(name: str, letters: str, *graders_of_case: object) -> tuple[Case, list[Run]]:
    """A case and its runs: `y` fired, `n` did not, `e` ended on an API error."""
    case = suite_case(*graders_of_case, grader("tin", TIN), name=name)  # type: ignore[arg-type]
    runs = {
        "y": suite_run("a tin", SKILL_CALL),
        "n": suite_run("a tin"),
        "e": failed_run(FailureKind.API),
    }
    return case, [replace(runs[letter], case_id=name, index=index) for index, letter in enumerate(letters)]


def made(case: Case, run: Run) -> bool | None:
    """Whether the call was made that the case's one claim speaks of."""
    (claim,) = claims_of(case.graders)
    return was_call_made(case, run, claim)


SUITE = (
    asked("p1", "yyn", POSITIVE),
    asked("p2", "nny", POSITIVE),
    asked("p3", "eey", POSITIVE),
    asked("p4", "eee", POSITIVE),
    asked("n1", "nyn", NEGATIVE),
    asked("n2", "yyy", NEGATIVE),
    asked("silent", "yyy"),
)


def test_rates_over_cases_go_by_the_majority_of_runs() -> None:
    """Two of three positives fired (p4 says nothing), and one of two negatives did."""
    found = suite_trigger(SUITE, seed=1)

    assert (found.counts.true_positives, found.counts.false_negatives) == (2, 1)
    assert (found.counts.false_positives, found.counts.true_negatives, found.counts.unmeasured) == (1, 1, 1)
    assert {name: metric.value for name, metric in found.by_case.items()} == {
        "precision": 2 / 3,
        "recall": 2 / 3,
        "f1": 4 / 6,
        "false_trigger_rate": 1 / 2,
    }


def test_rates_over_cases_have_wilson_intervals() -> None:
    recall = suite_trigger(SUITE, seed=1).by_case["recall"]
    expected = binomtest(2, 3).proportion_ci(method="wilson")

    assert recall.interval is not None
    assert (recall.interval.low, recall.interval.high) == pytest.approx((expected.low, expected.high))


def test_rates_over_runs_count_each_run() -> None:
    """Positives: 2 + 1 + 1 fired of 7 valid; negatives: 1 + 3 of 6."""
    values = {name: metric.value for name, metric in suite_trigger(SUITE, seed=1).by_run.items()}

    assert values == {"precision": 4 / 8, "recall": 4 / 7, "f1": 8 / 15, "false_trigger_rate": 4 / 6}


def test_errors_are_no_misses_and_silent_cases_are_counted_apart() -> None:
    found = suite_trigger(SUITE, seed=1)

    assert (found.error_runs, found.without_claim, len(found.cases)) == (5, 1, 6)


def test_order_of_cases_does_not_matter() -> None:
    forth, back = suite_trigger(SUITE, seed=1), suite_trigger(SUITE[::-1], seed=1)

    assert forth.counts == back.counts
    assert {name: metric.value for name, metric in forth.by_run.items()} == {
        name: metric.value for name, metric in back.by_run.items()
    }


@pytest.mark.parametrize("cases", [(), (asked("p", "eee", POSITIVE), asked("n", "e", NEGATIVE)), (asked("s", "yy"),)])
def test_nothing_measured_is_no_number(cases: tuple[tuple[Case, list[Run]], ...]) -> None:
    found = suite_trigger(cases, seed=1)

    assert {metric.value for metric in (*found.by_case.values(), *found.by_run.values())} == {None}


def test_suite_without_negatives_has_no_false_trigger_rate() -> None:
    found = suite_trigger([asked("p", "yy", POSITIVE)], seed=1).by_case

    assert (found["recall"].value, found["false_trigger_rate"].value) == (1, None)


def test_runs_without_the_plugin_say_nothing_of_it() -> None:
    case, runs = asked("p", "yn", POSITIVE)
    bare = [replace(run, arm=Arm.WITHOUT) for run in runs]

    assert suite_trigger([(case, [*runs[:1], *bare])], seed=1).by_run["recall"].denominator == 1


@pytest.mark.parametrize(
    ("check", "skill", "fired"),
    [
        (FIRED, "pantry:label-maker", True),
        (FIRED, None, False),
        (ToolUsed(tool="Skill", input_match="label"), "pantry:label-maker", True),
        (ToolUsed(tool="Skill", input_match="label"), "pantry:jar-washer", False),
        (ToolUsed(tool="Skill", min=2), "pantry:label-maker", True),  # it fired, though the grader wants more
        (ToolUsed(tool="Skill", input_match="("), "pantry:label-maker", None),
        (QUIET, "pantry:label-maker", True),
        (ToolUsed(tool="Skill", max=0), "pantry:label-maker", True),
        (ToolUsed(tool="Skill", input_match="label", min=0, max=0), "pantry:jar-washer", False),
    ],
)
def test_skill_fired_where_the_selector_matches_once(check: ToolUsed, skill: str | None, *, fired: bool | None) -> None:
    calls = [ToolCall(name="Skill", arguments={"skill": skill})] if skill else []

    assert made(suite_case(grader("g", check)), suite_run("", *calls)) is fired


def test_grader_that_claims_nothing_does_not_decide() -> None:
    case = suite_case(
        grader("any", ToolUsed(tool="Skill", min=0)), grader("g", ToolUsed(tool="Skill", input_match="x"))
    )

    assert made(case, suite_run("", SKILL_CALL)) is False


def test_grader_that_no_number_of_calls_passes_does_not_decide() -> None:
    """Its selector fits the call that was made, that of the grader which claims something does not."""
    hopeless = grader("hopeless", ToolUsed(tool="Skill", min=2, max=1))
    wanted = grader("wanted", ToolUsed(tool="Skill", input_match="no-such-skill"))

    assert made(suite_case(hopeless, wanted), suite_run("a tin", SKILL_CALL)) is False


def test_run_that_a_stand_in_ended_does_not_tell() -> None:
    ended = MockCall(tool="mcp__scales__weigh", arguments={}, output="", verdict="expect_violation")
    case, runs = asked("p", "n", POSITIVE)
    found = suite_trigger([(case, [replace(runs[0], mock_calls=(ended,))])], seed=1)

    assert (found.error_runs, found.counts.unmeasured, found.by_case["recall"].value) == (1, 1, None)


def skill(name: str, *, fires: bool) -> object:
    least, most = (1, None) if fires else (0, 0)
    return grader(f"{name}-{fires}", ToolUsed(tool="Skill", input_match=f"pantry:{name}", min=least, max=most))


def test_a_case_that_asks_for_one_skill_and_forbids_another_counts_on_both_sides() -> None:
    """`mixed` calls label-maker twice of three times, where jar-washer is right: a miss and a false trigger."""
    mixed = asked("mixed", "yyn", skill("jar-washer", fires=True), skill("label-maker", fires=False))
    plain = asked("plain", "yyy", skill("label-maker", fires=True))
    found = suite_trigger([mixed, plain], seed=1)

    counts = found.counts
    assert (counts.true_positives, counts.false_negatives) == (1, 1)
    assert (counts.false_positives, counts.true_negatives) == (1, 0)
    assert {name: metric.value for name, metric in found.by_run.items()} == {
        "precision": 3 / 5,
        "recall": 3 / 6,
        "f1": 6 / 11,
        "false_trigger_rate": 2 / 3,
    }


def test_a_run_that_two_claims_cannot_tell_is_one_run() -> None:
    mixed = asked("mixed", "een", skill("jar-washer", fires=True), skill("label-maker", fires=False))

    assert suite_trigger([mixed], seed=1).error_runs == 2
