"""Graders that a model votes on, end to end: the real command and SDK against one scripted server."""

import json
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.api_server import Answer, ApiServer, fault, text
from tests.unit.conftest import rows
from tests.unit.messages_setup import Body
from tests.unit.report_files import taken
from tests.unit.review_setup import JUDGE_MODEL, codes, regrade, role_of, run, scripted, steady, with_rubric, words_of

POSITIVES = 6
CALLS = POSITIVES * 3 * 3  # of one grader: three runs a case, three votes a run
RUNS = Path(".skill-evaluator/runs")


@pytest.fixture(autouse=True)
def _work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)


def with_graders(skill_dir: Path, criteria: Mapping[str, str] | None = None) -> None:
    """Let a model vote on all positives; by case what the criterion is, else `It is fine.`"""
    changed = [
        {
            **row,
            "graders": [{"name": "fine", "type": "llm", "criteria": (criteria or {}).get(row["id"], "It is fine.")}],
        }
        if row["type"] == "should_trigger"
        else row
        for row in rows()
    ]
    (skill_dir / "testset.json").write_text(json.dumps(changed), "utf-8")


def votes_of(server: ApiServer) -> list[Any]:
    return [body for body in server.requests if "evaluation judge" in json.dumps(body["system"])]


def voting(answer: Callable[[str, int], Answer]) -> Callable[[Body], Answer]:
    """Answer a vote by the criterion asked about, and by how often it was asked before."""
    asked: Counter[str] = Counter()
    lock = threading.Lock()

    def judge(body: Body) -> Answer:
        told = words_of(body)
        criterion = told.split("<<<begin criterion ")[1].split("\\n")[1]
        with lock:
            asked[criterion] += 1
            return answer(criterion, asked[criterion] - 1)

    return scripted(judge=judge)


def run_dir() -> str:
    (folder,) = RUNS.iterdir()
    return str(folder)


def verdicts(report: Mapping[str, Any], case_id: str) -> list[Any]:
    (case,) = [case for case in report["cases"] if case["id"] == case_id]
    return [one["verdicts"][0]["outcome"] for one in case["runs"]]


def test_each_run_is_voted_on_three_times_and_the_votes_decide_as_scripted(skill_dir: Path) -> None:
    criteria = {f"p{number}": f"Criterion {number}." for number in range(POSITIVES)}
    answers = {
        "Criterion 0.": ["PASS", "pass.", "**PASS**"],
        "Criterion 1.": ["FAIL", "Verdict: PASS", "PASS"],
        "Criterion 2.": ["PASSED", "YES", "PASS"],
        "Criterion 3.": ["", "PASS, not FAIL", "fail"],
    }
    with_graders(skill_dir, criteria)
    script = voting(lambda criterion, at: text(answers.get(criterion, ["PASS"] * 3)[at % 3]))
    with ApiServer(script) as server:
        done = run(skill_dir, server.environment(), "--judge-model", JUDGE_MODEL, "--concurrency", "1")
        asked = votes_of(server)

    assert done.returncode == 0, done.stderr
    assert len(asked) == CALLS
    assert {body["model"] for body in asked} == {JUDGE_MODEL}
    assert all("tools" not in body and len(body["messages"]) == 1 for body in asked)
    report = taken()
    found = {case_id: [one["evidence"]["votes"] for one in verdicts(report, case_id)] for case_id in criteria}
    assert found["p0"] == [[True] * 3] * 3
    assert found["p1"] == [[False, True, True]] * 3
    assert found["p2"] == [[False, False, True]] * 3
    assert found["p3"] == [[False] * 3] * 3
    assert {(one["id"], one["sort"]) for one in report["failed_cases"]} == {("p2", "judged"), ("p3", "judged")}
    votes = report["judge"]["votes"]
    assert (votes["planned"], votes["asked"], votes["failed"]) == (CALLS, CALLS, 0)
    assert report["judge"]["usage"]["requests"] == CALLS
    assert report["verdict"] == "PASS"
    assert f"judge: model {JUDGE_MODEL}, at most {CALLS} calls, 3 for each of 18 votes, counted by run" in done.stderr
    assert f"judge: {CALLS}/{CALLS} calls: {CALLS} answered" in done.stderr


def test_without_a_judge_nobody_votes_and_the_report_says_so(skill_dir: Path) -> None:
    with_graders(skill_dir)
    with ApiServer(scripted()) as server:
        run(skill_dir, server.environment(), "--quiet")
        assert votes_of(server) == []

    report = taken()
    assert report["judge"] is None
    assert codes(report)["graders_not_judged"] == {"cases": POSITIVES}
    assert "graders-not-judged" in [one["code"] for one in report["warnings"]]
    assert report["metrics"]["judged_pass_rate"] is None


def test_failed_calls_are_no_verdict_and_a_resumed_run_asks_them_alone(skill_dir: Path) -> None:
    with_graders(skill_dir)
    failing = {4, 5, 10}
    calls = count()
    first = voting(lambda _, __: fault(400) if next(calls) in failing else text("PASS"))
    with ApiServer(first) as server:
        run(skill_dir, server.environment(), "--judge-model", JUDGE_MODEL, "--concurrency", "1")
        env = server.environment()
        report = taken()
        votes = report["judge"]["votes"]
        assert (votes["planned"], votes["asked"], votes["failed"]) == (CALLS, CALLS, 3)
        outcomes = [one for number in range(POSITIVES) for one in verdicts(report, f"p{number}")]
        assert Counter(one["passed"] for one in outcomes) == {True: 16, None: 2}
        assert codes(report)["votes_failed"] == {"failed": 3, "calls": CALLS}
        asked = len(server.requests)

        done = run(skill_dir, env, "--judge-model", JUDGE_MODEL, "--resume")
        assert len(server.requests) == asked + 3, done.stderr

    again = taken()
    assert again["judge"]["votes"]["failed"] == 0
    assert again["metrics"]["judged_pass_rate"] == 1.0


def test_saved_votes_are_graded_again_without_a_call(skill_dir: Path) -> None:
    with_graders(skill_dir)
    with ApiServer(voting(lambda _, at: text("FAIL" if at % 3 else "PASS"))) as server:
        run(skill_dir, server.environment(), "--judge-model", JUDGE_MODEL)
        first, asked = taken(), len(server.requests)
        done = regrade(server.environment(), run_dir())
        assert len(server.requests) == asked

    assert first["metrics"]["judged_pass_rate"] == 0.0
    assert steady(taken()) == steady(first), done.stderr


def test_another_criterion_has_no_votes_and_the_report_says_so(skill_dir: Path) -> None:
    with_graders(skill_dir)
    with ApiServer(voting(lambda _, __: text("PASS"))) as server:
        run(skill_dir, server.environment(), "--judge-model", JUDGE_MODEL)
        taken()
        with_graders(skill_dir, {"p1": "It rhymes."})
        regrade(server.environment(), run_dir(), "--testset", str(skill_dir / "testset.json"))

    again = taken()
    assert {one["code"] for one in verdicts(again, "p1")} == {"judge_not_asked"}
    assert {one["passed"] for one in verdicts(again, "p0")} == {True}
    assert codes(again)["judge_partly_asked"] == {"calls": 9, "of": CALLS}


def test_a_refused_key_ends_the_asking(skill_dir: Path) -> None:
    with_graders(skill_dir)
    calls = count()
    with ApiServer(voting(lambda _, __: fault(401) if next(calls) >= 5 else text("PASS"))) as server:
        done = run(skill_dir, server.environment(), "--judge-model", JUDGE_MODEL, "--concurrency", "1")
        assert len(votes_of(server)) == 6

    assert done.returncode == 2
    report = taken()
    assert report["stopped_by"] == "auth"
    assert (report["judge"]["votes"]["asked"], report["judge"]["votes"]["failed"]) == (6, 1)


def test_a_ceiling_on_costs_holds_for_votes(skill_dir: Path) -> None:
    with_graders(skill_dir)
    with ApiServer(voting(lambda _, __: text("PASS"))) as server:
        env = server.environment()
        done = run(skill_dir, env, "--judge-model", JUDGE_MODEL, "--concurrency", "1", "--max-cost-usd", "0.01")
        made = len(votes_of(server))
        partial = taken()
        assert done.returncode == 2, done.stderr
        assert 0 < made < CALLS
        assert partial["stopped_by"] == "max_cost"
        assert partial["judge"]["votes"]["asked"] == made

        run(skill_dir, env, "--judge-model", JUDGE_MODEL, "--resume", "--max-cost-usd", "9")
        assert len(votes_of(server)) == CALLS

    assert taken()["metrics"]["judged_pass_rate"] == 1.0


def test_rubrics_and_votes_go_side_by_side(skill_dir: Path) -> None:
    with_rubric(skill_dir)
    both = json.loads((skill_dir / "testset.json").read_text("utf-8"))
    for row in both:
        if row["id"] == "p1":
            row["graders"] = [{"type": "llm", "criteria": "It is fine."}]
    (skill_dir / "testset.json").write_text(json.dumps(both), "utf-8")

    def script(body: Body) -> Answer:
        return text("PASS") if "evaluation judge" in json.dumps(body.get("system")) else scripted()(body)

    with ApiServer(script) as server:
        run(skill_dir, server.environment(), "--judge-model", JUDGE_MODEL)
        assert len([body for body in server.requests if role_of(body) == "judge"]) == 12 + 9

    report = taken()
    assert report["judge"]["fit"]
    assert (report["metrics"]["rubric_pass_rate"], report["metrics"]["judged_pass_rate"]) == (1.0, 1.0)
