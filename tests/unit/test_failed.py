"""Every failure with its evidence."""

import json

import pytest

from skill_evaluator.graders import Contains
from skill_evaluator.metrics.cases import case_result
from skill_evaluator.metrics.failed import failed_cases
from skill_evaluator.model import (
    Aspect,
    Case,
    Failure,
    FailureKind,
    JsonObject,
    Outcome,
    Run,
    Severity,
    Source,
    Split,
    Verdict,
)
from skill_evaluator.results import CaseResult, FailedCase

TIMEOUT = Failure(kind=FailureKind.TIMEOUT, message="300 s")
API = Failure(kind=FailureKind.API, message="500")


def case(
    id_: str, *runs: Run, expect: bool = True, split: Split = Split.ACCEPTANCE, verdicts: tuple[Verdict, ...] = ()
) -> CaseResult:
    asked = Case(
        id=id_,
        prompt=f"words of {id_}",
        split=split,
        expect_trigger=expect,
        sha256="a",
        prompt_sha256="b",
        source=Source(path="t.json"),
    )
    graded = [(run, verdicts if run.triggered else ()) for run in runs]
    return case_result(asked, graded, planned_runs=3)


def run(
    id_: str,
    index: int,
    *,
    triggered: bool | None = None,
    failure: Failure | None = None,
    output: str | None = "done",
    invoked: tuple[str, ...] = (),
) -> Run:
    return Run(case_id=id_, index=index, triggered=triggered, failure=failure, output=output, skills_invoked=invoked)


def fired(id_: str = "p", count: int = 3) -> list[Run]:
    return [run(id_, index, triggered=True) for index in range(count)]


def verdict(code: str, evidence: JsonObject, aspect: Aspect, grader: str = "g") -> Verdict:
    outcome = Outcome(passed=False, code=code, message="m", evidence=evidence)
    return Verdict(grader=grader, aspect=aspect, severity=Severity.HARD, weight=1.0, outcome=outcome)


def only(case_: CaseResult) -> FailedCase:
    (failed,) = failed_cases([case_])
    return failed


def test_what_is_right_is_no_failure() -> None:
    quiet = [run("n", index, triggered=False) for index in range(3)]
    outcome = Outcome(passed=True, code="contains_ok", message="m")
    right = Verdict(grader="g", aspect=Aspect.OUTPUT, severity=Severity.HARD, weight=1.0, outcome=outcome)

    assert failed_cases([case("p", *fired(), verdicts=(right,)), case("n", *quiet, expect=False)]) == ()


def test_a_missed_case_tells_a_direct_answer_from_a_sibling() -> None:
    """More key words would not have helped the first run: it needed no skill at all."""
    failed = only(
        case(
            "p",
            run("p", 0, triggered=False, output="Here is your level."),
            run("p", 1, triggered=False, invoked=("painter",)),
            run("p", 2, failure=TIMEOUT),
        )
    )

    assert (failed.id, failed.sort, failed.input, failed.expected) == ("p", "missed", "words of p", {"trigger": True})
    assert failed.actual == {
        "trigger": False,
        "triggered_runs": 0,
        "valid_runs": 2,
        "runs": [
            {
                "run": 0,
                "state": "not_triggered",
                "skills_invoked": [],
                "answered_directly": True,
                "failure": None,
            },
            {
                "run": 1,
                "state": "not_triggered",
                "skills_invoked": ["painter"],
                "answered_directly": False,
                "failure": None,
            },
            {
                "run": 2,
                "state": "error",
                "skills_invoked": [],
                "answered_directly": None,
                "failure": {"kind": "timeout", "message": "300 s"},
            },
        ],
    }


def test_an_agent_without_output_is_not_said_to_answer() -> None:
    failed = only(case("p", *(run("p", index, triggered=False, output=None) for index in range(3))))

    assert [happened["answered_directly"] for happened in _rows(failed)] == [None, None, None]


def test_a_false_trigger_shows_each_run() -> None:
    runs = [run("n", 0, triggered=True, invoked=("it",)), run("n", 1, triggered=False)]
    failed = only(case("n", *runs, expect=False))

    assert (failed.sort, failed.expected) == ("false_trigger", {"trigger": False})
    assert (failed.actual["triggered_runs"], failed.actual["valid_runs"]) == (1, 2)
    assert [happened["state"] for happened in _rows(failed)] == ["triggered", "not_triggered"]
    assert [happened["answered_directly"] for happened in _rows(failed)] == [False, True]


def test_an_unmeasured_case_lists_its_failures_by_kind() -> None:
    """A positive or a negative alike: it is neither missed nor passed."""
    failed = only(case("n", run("n", 0, failure=API), run("n", 1, failure=TIMEOUT), expect=False))

    assert (failed.sort, failed.expected) == ("unmeasured", {"trigger": False})
    assert failed.actual["failures"] == {"api": 1, "timeout": 1}
    assert (failed.actual["planned_runs"], failed.actual["not_run"], failed.actual["unknown"]) == (3, 1, 0)


def test_a_run_that_says_nothing_leaves_its_case_unmeasured() -> None:
    failed = only(case("p", run("p", 0)))

    assert (failed.sort, failed.actual["failures"], failed.actual["unknown"]) == ("unmeasured", {}, 1)


@pytest.mark.parametrize(
    ("code", "evidence", "aspect", "sort", "asked"),
    [
        ("contains_missing", {"missing": "关卡", "output": "x"}, Aspect.OUTPUT, "output", {"contains": "关卡"}),
        ("not_contains_found", {"found": "x", "output": "x", "at": 0}, Aspect.OUTPUT, "output", {"not_contains": "x"}),
        ("regex_missing", {"pattern": "^a", "output": "x"}, Aspect.OUTPUT, "output", {"regex": "^a"}),
        ("regex_timeout", {"pattern": "^a", "limit_s": 1.0}, Aspect.OUTPUT, "output", {"regex": "^a"}),
        ("params_no_json", {"expected": {"n": 1}, "output": "x"}, Aspect.PARAMS, "params", {"params": {"n": 1}}),
        (
            "params_mismatch",
            {"fields": [{"path": "a.b", "expected": 1, "actual": "1", "why": "type"}], "output": "{}"},
            Aspect.PARAMS,
            "params",
            {"params": {"a.b": 1}},
        ),
        (
            "tools_missing",
            {"expected": ["read", "write"], "actual": ["read"], "missing": ["write"]},
            Aspect.TOOL_ORDER,
            "tool_order",
            {"tool_calls": ["read", "write"]},
        ),
        (
            "tools_out_of_order",
            {"expected": ["a", "b"], "actual": ["b", "a"]},
            Aspect.TOOL_ORDER,
            "tool_order",
            {"tool_calls": ["a", "b"]},
        ),
        (
            "tools_extra",
            {"expected": ["a"], "actual": ["a", "b"], "extra": ["b"]},
            Aspect.TOOL_ORDER,
            "tool_order",
            {"tool_calls": ["a"]},
        ),
        ("of_a_later_grader", {"why": "so"}, Aspect.OUTPUT, "output", {}),
    ],
)
def test_a_failing_check_says_what_it_asked_for_and_what_it_found(
    code: str, evidence: JsonObject, aspect: Aspect, sort: str, asked: JsonObject
) -> None:
    failed = only(case("p", *fired(), verdicts=(verdict(code, evidence, aspect),)))

    assert (failed.sort, failed.input) == (sort, "words of p")
    assert failed.expected == {"checks": [{"grader": "g", **asked}]}
    assert (failed.actual["passed_runs"], failed.actual["measured_runs"]) == (0, 3)
    assert _rows(failed)[2] == {"run": 2, "checks": [{"grader": "g", "code": code, "evidence": evidence}]}


def test_evidence_of_the_real_check_is_taken_as_it_is() -> None:
    outcome = Contains(text="level_id").check(run("p", 0, triggered=True, output="no such field"))
    seen = Verdict(grader="contains", aspect=Aspect.OUTPUT, severity=Severity.HARD, weight=1.0, outcome=outcome)
    failed = only(case("p", *fired(), verdicts=(seen,)))

    assert failed.expected == {"checks": [{"grader": "contains", "contains": "level_id"}]}


def test_a_case_may_fail_in_several_ways() -> None:
    """One failure for each aspect, each with its own checks only."""
    verdicts = (
        verdict("contains_missing", {"missing": "a", "output": ""}, Aspect.OUTPUT, "one"),
        verdict("contains_missing", {"missing": "b", "output": ""}, Aspect.OUTPUT, "two"),
        verdict("params_no_json", {"expected": {"n": 1}, "output": ""}, Aspect.PARAMS),
    )
    output, params = failed_cases([case("p", *fired(), verdicts=verdicts)])

    assert output.expected == {"checks": [{"grader": "one", "contains": "a"}, {"grader": "two", "contains": "b"}]}
    assert params.expected == {"checks": [{"grader": "g", "params": {"n": 1}}]}


def test_a_run_that_did_not_trigger_passed_nothing_and_shows_no_check() -> None:
    runs = [*fired(count=2), run("p", 2, triggered=False)]
    failed = only(case("p", *runs, verdicts=(verdict("of_a_later_grader", {"why": "so"}, Aspect.OUTPUT),)))

    assert (failed.actual["passed_runs"], failed.actual["measured_runs"]) == (0, 3)
    assert [happened["run"] for happened in _rows(failed)] == [0, 1]


def test_acceptance_comes_first_then_the_order_of_the_test_set() -> None:
    quiet = {id_: [run(id_, index, triggered=False) for index in range(3)] for id_ in "dcba"}
    splits = {"d": Split.TUNING, "c": Split.ACCEPTANCE, "b": Split.TUNING, "a": Split.ACCEPTANCE}
    failed = failed_cases([case(id_, *quiet[id_], split=splits[id_]) for id_ in "dcba"])

    assert [one.id for one in failed] == ["c", "a", "d", "b"]


def test_all_of_it_is_json() -> None:
    runs = [run("n", 0, triggered=True), run("n", 1, failure=API)]
    shown = case("p", *fired(), verdicts=(verdict("x", {"a": [1, None]}, Aspect.TOOL_ORDER),))
    for failed in failed_cases([shown, case("n", *runs, expect=False), case("e", expect=False)]):
        for part in (failed.expected, failed.actual):
            assert json.loads(json.dumps(part)) == part


def _rows(failed: FailedCase) -> list[dict[str, object]]:
    rows = failed.actual["runs"]
    assert isinstance(rows, list)
    return rows
