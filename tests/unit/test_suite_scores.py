"""Scores of runs, cases and suites, worked out by hand."""

from dataclasses import replace

import pytest

from skill_evaluator.graders.suite import CallOrder, Llm, Regex, Selector, ToolUsed
from skill_evaluator.grading import GradedRun, grade_suite_run, left_out, score_case, score_suite
from skill_evaluator.model import (
    Arm,
    Check,
    Completion,
    Failure,
    FailureKind,
    Grader,
    GraderArm,
    JudgedCheck,
    MockCall,
    MockServer,
    Run,
)
from tests.unit.suite_setup import FIRED, GLASS, QUIET, TIN, failed_run, grader, suite_case, suite_run

CALLS = Regex(pattern="weigh", target="mock_calls")
DECLARED, FREE = (MockServer(name=name, is_declared=name == "scales", tools=()) for name in ("scales", "till"))
JUDGED = Llm(criteria="The year stands first.")


def one_arm(*graders: Grader, run: Run | None = None) -> GradedRun:
    return grade_suite_run(suite_case(*graders), run or suite_run(), has_two_arms=False)


def test_score_is_the_share_of_the_weight_that_passed() -> None:
    graded = one_arm(grader("a", TIN, 3), grader("b", GLASS, 1))

    assert (graded.score, graded.passed) == (0.75, False)


@pytest.mark.parametrize(
    ("passing", "failing", "score"),
    [
        ([0.1, 0.2, 0.3], [0.4], 0.6000000000000001),  # 0.1 + 0.2 + 0.3 is 0.6000000000000001, not 0.6
        ([0.7, 0.1, 0.2], [], 1),
        ([3], [1e-300], 1),
        ([5e-324], [5e-324], 0.5),
        ([1e308, 1e308], [1], None),
        ([1], [1e308, 1e308], 0),
        ([float("inf")], [], None),
        ([1], [float("inf")], 0),
    ],
)
def test_weights_add_up_as_in_javascript(passing: list[float], failing: list[float], score: float | None) -> None:
    graders = [grader(f"p{n}", TIN, weight) for n, weight in enumerate(passing)]
    graders += [grader(f"f{n}", GLASS, weight) for n, weight in enumerate(failing)]

    graded = one_arm(*graders)

    assert graded.score == score
    assert graded.passed is (score == 1)


def test_one_arm_leaves_nothing_out() -> None:
    graded = one_arm(grader("fired", FIRED), Grader(name="w", check=TIN, arm=GraderArm.WITH_ONLY))

    assert graded.score == 0.5
    assert [(row.is_scored, row.is_with_only) for row in graded.verdicts] == [(True, False), (True, False)]


@pytest.mark.parametrize(
    ("check", "arm", "mocks", "is_left_out"),
    [
        (FIRED, None, (), True),
        (QUIET, None, (), True),
        (ToolUsed(tool="Skill", input_match="x"), None, (), True),
        (FIRED, GraderArm.BOTH, (), False),
        (ToolUsed(tool="skill"), None, (), False),
        (ToolUsed(tool="mcp__scales__weigh"), None, (DECLARED,), False),
        (CallOrder(before=Selector(tool="Skill"), after=Selector(tool="Read")), None, (), False),
        (TIN, None, (DECLARED,), False),
        (TIN, GraderArm.WITH_ONLY, (), True),
        (CALLS, None, (DECLARED,), True),
        (CALLS, None, (DECLARED, FREE), False),
        (CALLS, None, (FREE,), False),
        (CALLS, None, (), False),
        (CALLS, GraderArm.BOTH, (DECLARED,), False),
        (Llm(criteria="c", focus="mock_calls"), None, (DECLARED,), True),
        (Llm(criteria="c", focus="mock_calls"), None, (), False),
        (Llm(criteria="c"), None, (DECLARED,), False),
    ],
)
def test_graders_that_only_the_plugin_can_pass_are_left_out(
    check: Check | JudgedCheck, arm: GraderArm | None, mocks: tuple[MockServer, ...], *, is_left_out: bool
) -> None:
    case = suite_case(Grader(name="g", check=check, arm=arm), grader("other", TIN), mocks=mocks)

    assert left_out(case) == ({"g"} if is_left_out else frozenset())


def test_what_is_left_out_is_shown_with_the_plugin_and_absent_without_it() -> None:
    case = suite_case(grader("fired", FIRED), grader("tin", TIN))

    with_plugin = grade_suite_run(case, suite_run(), has_two_arms=True)
    without = grade_suite_run(case, suite_run(arm=Arm.WITHOUT), has_two_arms=True)

    assert [(row.name, row.passed, row.is_scored, row.is_with_only) for row in with_plugin.verdicts] == [
        ("fired", False, False, True),
        ("tin", True, True, False),
    ]
    assert [row.name for row in without.verdicts] == ["tin"]
    assert (with_plugin.score, without.score) == (1, 1)


def test_graders_that_would_all_be_left_out_all_count() -> None:
    case = suite_case(grader("fired", FIRED), Grader(name="tin", check=TIN, arm=GraderArm.WITH_ONLY))

    graded = grade_suite_run(case, suite_run(arm=Arm.WITHOUT), has_two_arms=True)

    assert [(row.name, row.is_scored, row.is_with_only) for row in graded.verdicts] == [
        ("fired", True, False),
        ("tin", True, False),
    ]
    assert graded.score == 0.5


def test_judged_grader_passes_by_two_votes() -> None:
    votes = {"j": [Completion(text=text) for text in ("PASS", "FAIL", "pass")]}

    graded = grade_suite_run(suite_case(grader("j", JUDGED)), suite_run(), has_two_arms=False, votes=votes)

    assert graded.verdicts[0].votes == (True, False, True)
    assert graded.score == 1


def test_failed_call_of_the_judge_counts_as_failed() -> None:
    refused = Completion(failure=Failure(kind=FailureKind.API, message="no"))
    votes = {"j": [Completion(text="PASS"), refused]}

    case = suite_case(grader("j", JUDGED), grader("tin", TIN))
    graded = grade_suite_run(case, suite_run(), has_two_arms=False, votes=votes)

    assert graded.score == 0.5
    assert graded.verdicts[0].is_scored


def test_judged_grader_that_was_not_asked_counts_as_failed() -> None:
    """The real program has it so where the ceiling of cost was reached."""
    graded = one_arm(grader("j", JUDGED), grader("tin", TIN))

    assert graded.score == 0.5
    assert graded.verdicts[0].outcome.code == "judge_not_asked"
    assert graded.verdicts[0].votes is None


@pytest.mark.parametrize(
    ("run", "score", "verdicts"),
    [
        (failed_run(FailureKind.API), 0, 0),
        (failed_run(FailureKind.AUTH), 0, 0),
        (failed_run(FailureKind.RATE_LIMIT), 0, 0),
        (failed_run(FailureKind.CRASH, traced=False), 0, 0),  # it never started
        (failed_run(FailureKind.CRASH), 1, 1),
        (failed_run(FailureKind.TIMEOUT), 1, 1),
        (replace(suite_run(), cut_by="max_turns"), 1, 1),
    ],
)
def test_run_is_graded_unless_the_service_failed_or_it_never_started(run: Run, score: float, verdicts: int) -> None:
    graded = one_arm(grader("tin", TIN), run=run)

    assert (graded.score, len(graded.verdicts)) == (score, verdicts)


@pytest.mark.parametrize(("verdict", "score"), [("ok", 1), ("tool_error", 1), ("expect_violation", 0)])
def test_run_that_a_stand_in_ended_scores_nothing(verdict: str, score: float) -> None:
    call = MockCall(tool="mcp__scales__weigh", arguments={}, output="", verdict=verdict)

    assert one_arm(grader("tin", TIN), run=replace(suite_run(), mock_calls=(call,))).score == score


def graded_runs(*scores: float | None, arm: Arm = Arm.WITH) -> list[GradedRun]:
    return [
        GradedRun(run=suite_run(arm=arm, index=index), verdicts=(), score=score) for index, score in enumerate(scores)
    ]


def test_case_is_the_mean_of_its_runs_and_passes_by_run() -> None:
    score = score_case(graded_runs(1, 0.5, 0), graded_runs(0.25, 0.25, arm=Arm.WITHOUT))

    assert (score.with_plugin.score, score.with_plugin.pass_rate) == (0.5, 1 / 3)
    assert score.without_plugin is not None
    assert (score.without_plugin.score, score.without_plugin.pass_rate) == (0.25, 0)
    assert (score.is_comparable, score.delta) == (True, 0.25)


def test_case_of_one_arm_has_nothing_to_compare() -> None:
    score = score_case(graded_runs(1))

    assert (score.without_plugin, score.is_comparable, score.delta) == (None, False, None)


@pytest.mark.parametrize("arm", list(Arm))
def test_api_error_in_either_arm_spoils_the_comparison(arm: Arm) -> None:
    broken = GradedRun(run=failed_run(FailureKind.API, arm=arm, index=1), verdicts=(), score=0.0)
    runs = {Arm.WITH: graded_runs(1), Arm.WITHOUT: graded_runs(0, arm=Arm.WITHOUT)}
    runs[arm].append(broken)

    score = score_case(runs[Arm.WITH], runs[Arm.WITHOUT])

    assert not score.is_comparable
    assert score.delta is None
    assert score.without_plugin is not None


@pytest.mark.parametrize("arm", list(Arm))
def test_a_judge_that_was_not_paid_in_either_arm_spoils_the_comparison(arm: Arm) -> None:
    short = GradedRun(run=suite_run(arm=arm, index=1), verdicts=(), score=0.5, has_skipped_judges=True)
    runs = {Arm.WITH: graded_runs(1), Arm.WITHOUT: graded_runs(0, arm=Arm.WITHOUT)}
    runs[arm].append(short)

    score = score_case(runs[Arm.WITH], runs[Arm.WITHOUT])

    assert (score.is_comparable, score.delta) == (False, None)
    assert score.without_plugin is not None


def test_suite_counts_cases_that_reach_the_threshold() -> None:
    cases = [score_case(graded_runs(1, 1, 0)), score_case(graded_runs(0.5))]

    score = score_suite(cases, threshold=0.66666666666666666)

    assert (score.cases, score.passed, score.compared, score.mean_delta) == (2, 1, 0, None)
    assert score.score == pytest.approx((2 / 3 + 0.5) / 2)
    assert score.pass_rate == pytest.approx(1 / 3)


def test_mean_delta_leaves_out_cases_that_cannot_be_compared() -> None:
    cases = [
        score_case(graded_runs(1), graded_runs(0.5, arm=Arm.WITHOUT)),
        score_case(graded_runs(0)),
        score_case(graded_runs(0), graded_runs(1, arm=Arm.WITHOUT)),
    ]

    score = score_suite(cases, threshold=1)

    assert (score.compared, score.mean_delta) == (2, -0.25)


def test_score_that_does_not_exist_leaves_means_unknown() -> None:
    cases = [score_case(graded_runs(None), graded_runs(1, arm=Arm.WITHOUT)), score_case(graded_runs(1))]

    score = score_suite(cases, threshold=0)

    assert (score.passed, score.score, score.compared, score.mean_delta) == (1, None, 1, None)
