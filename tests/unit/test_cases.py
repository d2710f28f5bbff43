"""One case over its repetitions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.metrics.cases import case_result, run_state
from skill_evaluator.metrics.output import all_right
from skill_evaluator.model import (
    Aspect,
    Case,
    Failure,
    FailureKind,
    Outcome,
    Run,
    Severity,
    Source,
    Split,
    Usage,
    Verdict,
)
from skill_evaluator.results import CaseResult, RunState

FAILURE = Failure(kind=FailureKind.API, message="500")
TRIGGERED = {"t": True, "p": True, "f": True, "n": False}


def asked(*, expect: bool | None = True) -> Case:
    return Case(
        id="case_001",
        prompt="make a level",
        split=Split.ACCEPTANCE,
        expect_trigger=expect,
        sha256="a",
        prompt_sha256="b",
        source=Source(path="testset.json", line=4),
        tags=("levels",),
    )


def run(letter: str, index: int = 0) -> Run:
    """t, p, f: triggered; n: not; e: an error; u: nothing says whether it did."""
    return Run(
        case_id="case_001", index=index, triggered=TRIGGERED.get(letter), failure=FAILURE if letter == "e" else None
    )


def verdict(*, passed: bool | None, aspect: Aspect = Aspect.OUTPUT, severity: Severity = Severity.HARD) -> Verdict:
    outcome = Outcome(passed=passed, code="made_up", message="made up", evidence={"output": "{}"})
    return Verdict(grader="g", aspect=aspect, severity=severity, weight=1.0, outcome=outcome)


GOOD, BAD, BLIND = (verdict(passed=True),), (verdict(passed=False),), (verdict(passed=None),)


def result(letters: str) -> CaseResult:
    """A positive (+) or negative (-) and its runs by letter; p and f carry an output check that passed or failed."""
    checks = {"p": GOOD, "f": BAD}
    graded = [(run(letter, index), checks.get(letter, ())) for index, letter in enumerate(letters[1:])]
    return case_result(asked(expect=letters[0] == "+"), graded, planned_runs=max(len(graded), 1))


def aspects(*verdicts: tuple[Verdict, ...]) -> dict[Aspect, bool]:
    graded = [(run("t", index), of_run) for index, of_run in enumerate(verdicts)]
    return dict(case_result(asked(), graded, planned_runs=len(graded)).aspects)


@pytest.mark.parametrize(
    ("letter", "state"),
    [("t", RunState.TRIGGERED), ("n", RunState.NOT_TRIGGERED), ("e", RunState.ERROR), ("u", RunState.UNKNOWN)],
)
def test_a_run_ends_in_one_of_four_ways(letter: str, state: RunState) -> None:
    assert run_state(run(letter)) is state


@pytest.mark.parametrize(
    ("letters", "decision", "fluctuation"),
    [
        ("+ttt", "triggers", 0.0),
        ("+ttn", "triggers", 1 / 3),
        ("-tnn", "stays quiet", 1 / 3),
        ("-tnnnnnnnnn", "stays quiet", 0.1),
        ("+tn", "stays quiet", 0.5),  # a tie is decided against the skill
        ("-tn", "triggers", 0.5),
        ("+ttee", "triggers", 0.0),  # errors and unknowns decide nothing
        ("+tnu", "stays quiet", 0.5),
        ("+eee", "is unmeasured", None),
        ("-uu", "is unmeasured", None),
        ("+", "is unmeasured", None),
    ],
)
def test_majority_of_the_valid_runs_decides(letters: str, decision: str, fluctuation: float | None) -> None:
    case = result(letters)

    assert {True: "triggers", False: "stays quiet", None: "is unmeasured"}[case.decision] == decision
    assert case.fluctuation == fluctuation


@given(st.sampled_from("+-"), st.text("tneupf", max_size=12))
def test_counts_add_up(sign: str, letters: str) -> None:
    case = result(sign + letters)
    triggered = sum(letter in "tpf" for letter in letters)

    assert case.triggered_runs == triggered
    assert case.valid_runs == triggered + letters.count("n")
    assert len(case.runs) == len(letters)
    assert case.successes <= case.valid_runs <= case.planned_runs


@given(st.sampled_from("+-"), st.text("tnpf", max_size=8), st.text("eu", max_size=4))
def test_runs_that_say_nothing_change_nothing(sign: str, letters: str, errors: str) -> None:
    without, with_errors = result(sign + letters), result(sign + letters + errors)

    for name in ("decision", "fluctuation", "successes", "aspects", "valid_runs", "triggered_runs"):
        assert getattr(with_errors, name) == getattr(without, name)


def test_two_crashes_of_three_leave_one_valid_run_in_view() -> None:
    case = result("+tee")

    assert (case.planned_runs, case.valid_runs, case.fluctuation) == (3, 1, 0.0)


@pytest.mark.parametrize(("letters", "successes"), [("+ptfn", 2), ("-tnn", 2), ("-ppp", 0), ("+eu", 0)])
def test_a_success_is_right_in_every_respect(letters: str, successes: int) -> None:
    assert result(letters).successes == successes


def test_a_check_that_could_not_look_is_no_failure() -> None:
    case = case_result(asked(), [(run("t"), (*BLIND, verdict(passed=None, aspect=Aspect.PARAMS)))], planned_runs=1)

    assert case.successes == 1
    assert case.aspects == {}


def test_a_check_that_could_not_look_beside_one_that_passed_leaves_its_run_open() -> None:
    """A regex passed, and the file that another grader wanted was not kept."""
    open_run = (*GOOD, *BLIND)
    case = case_result(asked(), [(run("t"), open_run)], planned_runs=1)

    assert case.aspects == {}
    assert case.successes == 0
    assert all_right(case) is None
    assert aspects(open_run, GOOD, GOOD) == {Aspect.OUTPUT: True}
    assert aspects(open_run, open_run, GOOD) == {}
    assert aspects(open_run, BAD, GOOD) == {}
    assert aspects(open_run, (*BAD, *BLIND)) == {Aspect.OUTPUT: False}


def test_a_run_that_failed_elsewhere_is_not_open() -> None:
    wrong = (*GOOD, *BLIND, verdict(passed=False, aspect=Aspect.PARAMS))
    case = case_result(asked(), [(run("t"), wrong)], planned_runs=1)

    assert (case.aspects, case.successes, all_right(case)) == ({Aspect.PARAMS: False}, 0, 0.0)


def test_votes_leave_no_success_open() -> None:
    judged = tuple(verdict(passed=passed, aspect=Aspect.JUDGED) for passed in (True, None))
    case = case_result(asked(), [(run("t"), (*GOOD, *judged))], planned_runs=1)

    assert (case.aspects, case.successes, all_right(case)) == ({Aspect.OUTPUT: True}, 1, 1.0)


def test_a_reported_check_decides_nothing() -> None:
    case = case_result(asked(), [(run("t"), (verdict(passed=False, severity=Severity.REPORT),))], planned_runs=1)

    assert case.successes == 1
    assert case.aspects == {}


def test_most_triggered_runs_decide_on_an_aspect() -> None:
    assert aspects(GOOD, GOOD, BAD) == {Aspect.OUTPUT: True}
    assert aspects(GOOD, BAD) == {Aspect.OUTPUT: False}
    assert aspects(GOOD, GOOD, BLIND) == {Aspect.OUTPUT: True}
    assert aspects(BAD, BAD, BLIND, BLIND) == {Aspect.OUTPUT: False}
    assert aspects(GOOD, (), BAD, BAD) == {Aspect.OUTPUT: False}


def test_runs_without_an_answer_decide_nothing_where_they_could_turn_it() -> None:
    assert aspects(GOOD, BLIND, BLIND) == {}
    assert aspects(GOOD, BLIND) == {}
    assert aspects(BAD, BLIND, BLIND) == {}


def test_one_failing_check_fails_its_aspect_and_no_other() -> None:
    verdicts = (*GOOD, *BAD, *BLIND, verdict(passed=True, aspect=Aspect.PARAMS))

    assert aspects(verdicts) == {Aspect.OUTPUT: False, Aspect.PARAMS: True}


@pytest.mark.parametrize(
    ("letters", "verdicts", "passed"),
    [
        ("tttnn", [GOOD, GOOD, GOOD, (), ()], True),  # 3 of 5 valid runs
        ("tttnn", [GOOD, GOOD, BAD, (), ()], False),  # 2 of 5, though 2 of the 3 that triggered
        ("tttne", [GOOD, GOOD, GOOD, (), ()], True),  # 3 of 4: an error is no valid run
        ("tttne", [GOOD, GOOD, BAD, (), ()], False),  # 2 of 4, a tie
        ("tttn", [GOOD, GOOD, (), ()], True),  # 2 of 3: nothing looked at one of the four
        ("ttn", [GOOD, (), BAD], False),  # what a run without the trigger wrote is not looked at: 1 of 2, a tie
    ],
)
def test_an_aspect_passes_by_the_majority_of_the_valid_runs(
    letters: str, verdicts: list[tuple[Verdict, ...]], passed: bool
) -> None:
    graded = [(run(letter, index), found) for index, (letter, found) in enumerate(zip(letters, verdicts, strict=True))]

    assert case_result(asked(), graded, planned_runs=5).aspects == {Aspect.OUTPUT: passed}


@pytest.mark.parametrize("letters", ["+pnn", "-ppp"])
def test_only_a_positive_that_triggers_has_aspects(letters: str) -> None:
    assert result(letters).aspects == {}


def test_runs_are_kept_by_repetition_with_all_they_said() -> None:
    usage = Usage(input_tokens=3)
    second = Run(case_id="case_001", index=1, triggered=True, output="o", skills_invoked=("other", "it"), usage=usage)
    case = case_result(asked(), [(second, GOOD), (run("e", 0), ())], planned_runs=3)

    assert [kept.index for kept in case.runs] == [0, 1]
    assert case.runs[0].failure == FAILURE
    assert (case.runs[1].output, case.runs[1].skills_invoked, case.runs[1].usage) == ("o", ("other", "it"), usage)
    assert case.runs[1].verdicts == GOOD
    assert (case.id, case.tags, case.line, case.prompt) == ("case_001", ("levels",), 4, "make a level")


@pytest.mark.parametrize("indices", [(0, 0), (3,), (-1,)])
def test_what_is_no_repetition_is_refused(indices: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="are not repetitions out of 3"):
        case_result(asked(), [(run("t", index), ()) for index in indices], planned_runs=3)


def test_a_run_of_another_case_is_refused() -> None:
    with pytest.raises(ValueError, match="not of case 'case_001'"):
        case_result(asked(), [(Run(case_id="case_002", triggered=True), ())], planned_runs=3)
