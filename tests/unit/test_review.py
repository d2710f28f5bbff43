"""Judge and analyst, end to end: the real program and SDK against one scripted server that is agent and judge."""

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from skill_evaluator.errors import InputError
from skill_evaluator.report.serialize import report_from_json
from tests.api_server import Answer, ApiServer, delayed, fault, text
from tests.unit.conftest import POSITIVES, rows
from tests.unit.messages_setup import Body
from tests.unit.report_files import taken
from tests.unit.review_setup import (
    ADVISE_MODEL,
    AGENT_MODEL,
    JUDGE_MODEL,
    codes,
    command,
    environment,
    fair_judge,
    regrade,
    role_of,
    run,
    scripted,
    started,
    steady,
    suggesting,
    with_rubric,
    words_of,
)

JUDGED = 2 * 6  # both orders of one item of six positives
RUNS = Path(".skill-evaluator/runs")


@pytest.fixture(autouse=True)
def _work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)


@contextmanager
def serving(script: Callable[[Body], Answer]) -> Iterator[ApiServer]:
    with ApiServer(script) as server:
        yield server


def asked_of(server: ApiServer, role: str) -> list[Any]:
    return [body for body in server.requests if role_of(body) == role]


def run_dir() -> str:
    (folder,) = RUNS.iterdir()
    return str(folder)


def test_outputs_are_judged_after_the_runs_and_scores_arrive_unchanged(skill_dir: Path) -> None:
    with_rubric(skill_dir)
    with serving(scripted()) as server:
        done = started(skill_dir, server.environment(), "--judge-model", JUDGE_MODEL)

    assert done.returncode == 0, done.stderr
    assert len(asked_of(server, "judge")) == JUDGED
    assert [role_of(body) for body in server.requests][-JUDGED:] == ["judge"] * JUDGED
    assert {body["model"] for body in asked_of(server, "judge")} == {JUDGE_MODEL}
    report = taken()
    assert report["config"]["judge_model"] == JUDGE_MODEL
    judge = report["judge"]
    assert (judge["model"], judge["fit"], judge["same_model"]) == (JUDGE_MODEL, True, False)
    assert (judge["errors"]["numerator"], judge["errors"]["denominator"]) == (0, JUDGED)
    assert judge["usage"]["requests"] == JUDGED
    means = {case["id"]: case["rubric"]["clarity"]["mean"] for case in report["cases"] if case["rubric"]}
    assert means == {f"p{number}": 4.0 for number in range(6)}
    assert report["splits"]["acceptance"]["metrics"]["rubric_pass_rate"]["value"] == 1.0
    assert "rubric_not_scored" not in codes(report)
    assert report["volatile"]["calls"] == 36 + 2  # of the agent alone
    assert "judge: 12/12 calls: 12 answered" in done.stderr
    assert f"judge: model {JUDGE_MODEL}, at most 12 calls, 2 for each of 6 rubric items" in done.stderr
    assert "cost: at most about" in done.stderr


def test_without_a_judge_nobody_is_asked(skill_dir: Path) -> None:
    with_rubric(skill_dir)
    with serving(scripted()) as server:
        run(skill_dir, server.environment(), "--quiet")

    report = taken()
    assert asked_of(server, "judge") == []
    assert report["judge"] is None
    assert "rubric_not_scored" in codes(report)


def test_a_judged_run_is_graded_again_without_a_call_and_says_the_same(skill_dir: Path) -> None:
    with_rubric(skill_dir)
    analyst = suggesting([suggestion(["p0"], "Speak of rooms.")])
    with serving(scripted(missed=POSITIVES[:1], analyst=analyst)) as server:
        run(skill_dir, server.environment(), "--judge-model", JUDGE_MODEL, "--advise-model", ADVISE_MODEL)
        first, asked = taken(), len(server.requests)
        done = regrade(server.environment(), run_dir())

    assert first["judge"]["fit"]
    assert [one["source"] for one in first["suggestions"]][-1] == "model"
    assert len(server.requests) == asked
    assert steady(taken()) == steady(first), done.stderr


def test_a_changed_target_changes_what_passes_and_nothing_that_was_said(skill_dir: Path) -> None:
    with_rubric(skill_dir)
    with serving(scripted()) as server:
        run(skill_dir, server.environment(), "--judge-model", JUDGE_MODEL)
        first = taken()
        with_rubric(skill_dir, {"clarity": 5})
        regrade(server.environment(), run_dir(), "--testset", str(skill_dir / "testset.json"))

    again = taken()
    assert again["judge"]["panels"] == first["judge"]["panels"]
    assert again["splits"]["acceptance"]["metrics"]["rubric_pass_rate"]["value"] == 0.0
    assert len(asked_of(server, "judge")) == JUDGED


def test_another_item_was_not_asked_and_the_report_says_so(skill_dir: Path) -> None:
    with_rubric(skill_dir)
    with serving(scripted()) as server:
        run(skill_dir, server.environment(), "--judge-model", JUDGE_MODEL)
        taken()
        with_rubric(skill_dir, {"brevity": 4})
        regrade(server.environment(), run_dir(), "--testset", str(skill_dir / "testset.json"))

    again = taken()
    assert codes(again)["judge_partly_asked"] == {"calls": JUDGED, "of": JUDGED}
    assert [note["code"] for note in again["reasons"]] == ["verdict_judge_unasked"]
    assert not again["judge"]["fit"]
    assert again["splits"]["acceptance"]["metrics"]["rubric_pass_rate"]["value"] is None


def test_graded_again_against_a_baseline_the_kept_answers_still_fit(skill_dir: Path) -> None:
    with_rubric(skill_dir)
    with serving(scripted()) as server:
        run(skill_dir, server.environment(), "--judge-model", JUDGE_MODEL)
        (path,) = Path("reports").glob("*.json")
        old = path.rename("old.json")
        written_md = list(Path("reports").iterdir())
        for file in written_md:
            file.unlink()
        regrade(server.environment(), run_dir(), "--baseline", str(old))

    again = taken()
    assert again["judge"]["fit"]
    assert again["comparison"] is not None


def test_outputs_of_the_baseline_are_judged_in_the_same_calls(skill_dir: Path, tmp_path: Path) -> None:
    with_rubric(skill_dir)
    with serving(scripted()) as server:
        run(skill_dir, server.environment(), "--judge-model", JUDGE_MODEL)
        old = tmp_path / "old.json"
        (path,) = Path("reports").glob("*.json")
        old.write_bytes(path.read_bytes())
        first = taken()
        run(skill_dir, server.environment(), "--judge-model", JUDGE_MODEL, "--baseline", str(old))
        judged, asked = taken(), len(server.requests)
        folder = max(RUNS.iterdir(), key=lambda folder: folder.name)
        regrade(server.environment(), str(folder), "--baseline", str(old))
        again = taken()
        regrade(server.environment(), str(folder))
        without = taken()

    assert len(asked_of(server, "judge")) == 2 * JUDGED
    assert len(server.requests) == asked
    score = next(case["rubric"]["clarity"] for case in judged["cases"] if case["id"] == "p0")
    assert (score["mean"], score["baseline_mean"]) == (4.0, 4.0)
    assert next(case["rubric"]["clarity"]["baseline_mean"] for case in first["cases"] if case["rubric"]) is None
    assert steady(again) == steady(judged)
    assert without["comparison"] is None
    assert without["judge"] == judged["judge"]  # the questions are those that were asked, whatever is named now
    assert [case["rubric"] for case in without["cases"]] == [case["rubric"] for case in judged["cases"]]


def test_what_the_judge_saw_of_a_baseline_cannot_be_changed_behind_its_answers(skill_dir: Path) -> None:
    with_rubric(skill_dir)
    with serving(scripted()) as server:
        run(skill_dir, server.environment(), "--judge-model", JUDGE_MODEL)
        (path,) = Path("reports").glob("*.json")
        beside = Path(run_dir(), "beside.json")
        kept = beside.read_text("utf-8")
        beside.write_text(kept.replace('"outputs": []', '"outputs": [ ]'), "utf-8")
        by_report = regrade(server.environment(), str(path))
        by_folder = regrade(server.environment(), run_dir())

    assert '"outputs": []' in kept
    assert (by_report.returncode, by_folder.returncode) == (1, 1)
    assert "their hash differs" in by_report.stderr
    assert "beside.json" in by_folder.stderr


def test_recorded_runs_may_be_judged_later(skill_dir: Path) -> None:
    with_rubric(skill_dir)
    with serving(scripted()) as server:
        run(skill_dir, server.environment())
        taken()
        replayed = ("--agent", "replay", "--recordings", run_dir(), "--judge-model", JUDGE_MODEL)
        done = run(skill_dir, server.environment(), *replayed, "--max-cost-usd", "100")

        agents = len(asked_of(server, "agent"))
        first = taken()
        other = ("--agent", "replay", "--recordings", replayed[3], "--judge-model", ADVISE_MODEL)
        again = run(skill_dir, server.environment(), *other)

    assert (done.returncode, again.returncode) == (0, 0), done.stderr + again.stderr
    assert agents < 60  # of the first run alone
    assert len(asked_of(server, "agent")) == agents
    assert [body["model"] for body in asked_of(server, "judge")] == [JUDGE_MODEL] * JUDGED + [ADVISE_MODEL] * JUDGED
    assert first["judge"]["fit"]
    second = taken()
    assert (second["judge"]["fit"], second["judge"]["model"]) == (True, ADVISE_MODEL)
    assert [case["decision"] for case in second["cases"]] == [case["decision"] for case in first["cases"]]


def test_killed_while_judging_the_resumed_run_asks_nothing_twice(skill_dir: Path) -> None:
    with_rubric(skill_dir)
    with serving(scripted()) as server:
        run(skill_dir, server.environment(), "--judge-model", JUDGE_MODEL)
    undisturbed, agents = taken(), asked_of(server, "agent")
    for file in RUNS.rglob("*"):
        if file.is_file():
            file.unlink()

    slow = scripted(judge=lambda asked: delayed(fair_judge(asked), 0.15))
    with serving(slow) as server:
        options = ("--judge-model", JUDGE_MODEL, "--concurrency", "2", "--quiet")
        interrupted(skill_dir, server, signal.SIGKILL, options, judged=5)
        done = run(skill_dir, server.environment(), *options, "--resume")

    asked = Counter(words_of(body) for body in asked_of(server, "judge"))
    assert len(asked) == JUDGED
    assert asked.total() <= JUDGED + 2  # those under way when it was killed had no answer that could be kept
    assert len(asked_of(server, "agent")) == len(agents)
    assert done.returncode == 0, done.stderr
    assert steady(taken()) == steady(undisturbed)


def interrupted(
    skill_dir: Path, server: ApiServer, number: signal.Signals, options: Sequence[str], *, judged: int
) -> "subprocess.CompletedProcess[bytes]":
    """Send a signal once the judge has been asked so often."""
    process = subprocess.Popen(
        command(skill_dir, *options),
        env=environment(server.environment()), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )  # fmt: skip
    deadline = time.monotonic() + 120
    while len(asked_of(server, "judge")) < judged:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline, "the judge was never asked so often"
        time.sleep(0.005)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert b"Traceback" not in err, err
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_while_judging_leaves_a_partial_report_that_goes_on(
    skill_dir: Path, number: signal.Signals, status: int
) -> None:
    with_rubric(skill_dir)
    slow = scripted(judge=lambda asked: delayed(fair_judge(asked), 0.15))
    with serving(slow) as server:
        options = ("--judge-model", JUDGE_MODEL, "--concurrency", "2", "--quiet")
        done = interrupted(skill_dir, server, number, options, judged=5)
        partial = taken()
        again = regrade(server.environment(), run_dir())
        regraded = taken()
        resumed = run(skill_dir, server.environment(), *options, "--resume")
        whole = taken()

    assert done.returncode == status
    assert (partial["verdict"], partial["stopped_by"]) == ("PASS", number.name)
    assert partial["reasons"][0] == {
        "code": "stopped_after_runs", "values": {"signal": number.name, "runs": 36}
    }  # fmt: skip
    assert codes(partial)["judge_partly_asked"]["of"] == JUDGED
    assert again.returncode == 2
    assert steady(regraded) == steady(partial)
    assert resumed.returncode == 0, resumed.stderr
    assert whole["judge"]["fit"]
    assert whole["judge"]["errors"]["denominator"] == JUDGED
    assert len(asked_of(server, "agent")) < 2 * 60  # no run was asked again


def test_the_ceiling_on_costs_holds_for_the_judge_and_nothing_is_paid_twice(skill_dir: Path) -> None:
    with_rubric(skill_dir)
    with serving(scripted()) as server:
        run(skill_dir, server.environment(), "--judge-model", JUDGE_MODEL)
        undisturbed = taken()
    agents = sum(run_["usage"]["cost_usd"] for case in undisturbed["cases"] for run_ in case["runs"])
    each = undisturbed["judge"]["usage"]["cost_usd"] / JUDGED
    for file in RUNS.rglob("*"):
        if file.is_file():
            file.unlink()

    with serving(scripted()) as server:
        # The canary costs as well, less than two runs; room for some calls of the judge, not for all.
        most = f"{agents * 1.06 + 5.5 * each:.9f}"
        options = ("--judge-model", JUDGE_MODEL, "--concurrency", "1", "--quiet")
        done = run(skill_dir, server.environment(), *options, "--max-cost-usd", most)
        partial, first = taken(), len(asked_of(server, "judge"))
        still = run(skill_dir, server.environment(), *options, "--max-cost-usd", most, "--resume")
        taken()
        refused = len(asked_of(server, "judge"))
        resumed = run(skill_dir, server.environment(), *options, "--max-cost-usd", "100", "--resume")

    assert (done.returncode, partial["verdict"], partial["stopped_by"]) == (2, "PASS", "max_cost")
    assert partial["splits"]["acceptance"]["metrics"]["f1"]["value"] == 1.0
    assert 0 < first < JUDGED
    assert codes(partial)["judge_partly_asked"] == {"calls": JUDGED - first, "of": JUDGED}
    assert (still.returncode, refused) == (2, first)
    assert resumed.returncode == 0, resumed.stderr
    assert len(asked_of(server, "judge")) == JUDGED
    assert steady(taken()) == steady(undisturbed)


def test_a_ceiling_reached_by_the_first_call_of_the_judge_leaves_the_verdict(skill_dir: Path) -> None:
    with_rubric(skill_dir)
    with serving(scripted()) as server:
        run(skill_dir, server.environment())
        taken()
        replayed = ("--agent", "replay", "--recordings", run_dir(), "--judge-model", JUDGE_MODEL)
        bounded = (*replayed, "--concurrency", "1", "--max-cost-usd", "0.000001")
        done = run(skill_dir, server.environment(), *bounded)
        partial = taken()
        folder = max(RUNS.iterdir(), key=lambda folder: folder.stat().st_mtime_ns)
        regraded = regrade(server.environment(), str(folder))
        again = taken()
        resumed = run(skill_dir, server.environment(), *replayed, "--resume")

    assert (done.returncode, partial["verdict"], partial["stopped_by"]) == (2, "PASS", "max_cost")
    assert [note["code"] for note in partial["reasons"]] == ["stopped_after_runs", "verdict_judge_unasked"]
    assert codes(partial)["judge_partly_asked"] == {"calls": JUDGED - 1, "of": JUDGED}
    assert f"Only 1 of {JUDGED} calls" in done.stdout
    assert f"judge: {JUDGED}/{JUDGED} calls: 1 answered, {JUDGED - 1} not asked" in done.stderr
    assert "partial, stopped by the ceiling on costs" in done.stderr
    assert (regraded.returncode, steady(again)) == (2, steady(partial))
    assert (resumed.returncode, len(asked_of(server, "judge"))) == (0, JUDGED)
    assert taken()["judge"]["fit"]


def test_a_judge_that_is_not_let_in_stops_at_once_and_is_asked_again_later(skill_dir: Path) -> None:
    with_rubric(skill_dir)
    locked = True
    with serving(
        scripted(judge=lambda asked: fault(401, message="invalid x-api-key") if locked else fair_judge(asked))
    ) as server:
        options = ("--judge-model", JUDGE_MODEL, "--concurrency", "1")
        done = run(skill_dir, server.environment(), *options)
        partial, first = taken(), len(asked_of(server, "judge"))
        locked = False
        resumed = run(skill_dir, server.environment(), *options, "--resume")

    assert (done.returncode, partial["verdict"], partial["stopped_by"], first) == (2, "PASS", "auth", 1)
    assert [note["code"] for note in partial["reasons"]] == ["stopped_after_runs", "verdict_judge_unanswered"]
    assert "gave too few valid answers" in done.stdout
    assert "cannot be believed" not in done.stdout
    assert resumed.returncode == 0, resumed.stderr
    assert taken()["judge"]["fit"]


def test_what_a_judge_said_before_it_was_shut_out_is_kept_and_said_again(skill_dir: Path) -> None:
    with_rubric(skill_dir)
    asked = count()

    def first_refused(body: Body) -> Answer:
        return delayed(fair_judge(body), 0.2) if next(asked) else delayed(fault(401), 2.0)

    with serving(scripted(judge=first_refused)) as server:
        done = run(skill_dir, server.environment(), "--judge-model", JUDGE_MODEL, "--concurrency", "2", "--quiet")
        partial = taken()
        regrade(server.environment(), run_dir())

    ballots = [panel[order] for panel in partial["judge"]["panels"] for order in ("forward", "backward")]
    assert done.returncode == 2
    assert [ballot["failure"]["kind"] for ballot in ballots if ballot and ballot["failure"]] == ["auth"]
    assert sum(bool(ballot and ballot["scores"]) for ballot in ballots) > 1
    assert steady(taken()) == steady(partial)


def test_a_judge_that_fails_leaves_the_verdict_and_says_why_nothing_is_scored(skill_dir: Path) -> None:
    with_rubric(skill_dir)
    with serving(scripted(judge=lambda _: text("I would say 4."))) as server:
        done = run(skill_dir, server.environment(), "--judge-model", JUDGE_MODEL, "--quiet")

    report = taken()
    assert (done.returncode, report["verdict"]) == (0, "PASS")
    assert [note["code"] for note in report["reasons"]] == ["verdict_judge_unanswered"]
    assert "cannot be believed" not in done.stdout
    assert "12 of 12 calls failed or gave no valid answer; more than 10% is too many. Most often: " in done.stdout
    assert not report["judge"]["fit"]
    assert report["judge"]["errors"]["numerator"] == JUDGED
    assert all(not case["rubric"] for case in report["cases"])


def test_the_judge_is_not_asked_after_a_failed_canary_or_an_early_end(skill_dir: Path) -> None:
    with_rubric(skill_dir)
    with serving(lambda _: text("No.")) as server:
        run(skill_dir, server.environment(), "--judge-model", JUDGE_MODEL)
        canary = taken()
    with serving(scripted()) as server_:
        run(skill_dir, server_.environment(), "--judge-model", JUDGE_MODEL, "--max-calls", "9")
        early = taken()

    assert asked_of(server, "judge") == asked_of(server_, "judge") == []
    assert canary["judge"] is early["judge"] is None
    assert codes(early)["judge_not_asked"] == {"cases": 6}
    assert "rubric_not_scored" not in codes(early)


def test_answers_that_cannot_be_kept_end_the_run_with_what_to_do(skill_dir: Path) -> None:
    with_rubric(skill_dir)

    def in_the_way(asked: Body) -> Answer:
        Path(run_dir(), "answers.jsonl").mkdir(exist_ok=True)
        return fair_judge(asked)

    with serving(scripted(judge=in_the_way)) as server:
        done = run(skill_dir, server.environment(), "--judge-model", JUDGE_MODEL, "--quiet")

    assert done.returncode == 2
    assert "cannot be kept" in done.stderr
    assert len(asked_of(server, "judge")) < JUDGED


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--agent", "embedded", "--judge-model", JUDGE_MODEL), "writes no output"),
        (("--judge-model", JUDGE_MODEL, "--case", "n*"), "has a `rubric`"),
        (("--judge-model", "some-model", "--max-cost-usd", "1"), "the price of model 'some-model' (--judge-model)"),
        (("--advise-model", "some-model", "--max-cost-usd", "1"), "the price of model 'some-model' (--advise-model)"),
    ],
)
def test_what_cannot_work_or_would_change_nothing_is_refused(
    skill_dir: Path, options: Sequence[str], said: str
) -> None:
    with_rubric(skill_dir)
    with serving(scripted()) as server:
        done = run(skill_dir, server.environment(), *options)

    assert done.returncode == 1
    assert said in done.stderr
    assert server.requests == []


def test_a_judge_needs_a_key_or_a_server(skill_dir: Path, record: Callable[..., Path]) -> None:
    with_rubric(skill_dir)
    recordings = str(record())
    done = run(skill_dir, {}, "--agent", "replay", "--recordings", recordings, "--judge-model", JUDGE_MODEL)

    assert done.returncode == 1
    assert "--judge-model: needs a key" in done.stderr


def test_a_model_that_would_judge_itself_is_warned_of(skill_dir: Path) -> None:
    with_rubric(skill_dir)
    with serving(scripted()) as server:
        done = run(skill_dir, server.environment(), "--judge-model", AGENT_MODEL)

    assert "would judge its own outputs" in done.stderr
    assert taken()["judge"]["same_model"]


def test_another_judge_is_another_run(skill_dir: Path) -> None:
    with_rubric(skill_dir)
    with serving(scripted()) as server:
        run(skill_dir, server.environment(), "--judge-model", JUDGE_MODEL, "--max-calls", "9")
        taken()
        done = run(skill_dir, server.environment(), "--judge-model", ADVISE_MODEL, "--resume")

    assert done.returncode == 1
    assert "--judge-model" in done.stderr


def suggestion(cases: Sequence[str], proposal: str, cause: str = "missed_words") -> Mapping[str, object]:
    return {"cause": cause, "cases": list(cases), "analysis": "They speak of rooms.", "proposal": proposal}


MARKS = {
    "input": "zqinputzq",
    "output": "zqoutputzq",
    "tag": "zqtagzq",
    "id": "zqidzq",
    "rubric": "zqrubriczq",
    "files": "zqfileszq",
    "context": "zqcontextzq",
    "contains": "zqcontainszq",
}


def marked(skill_dir: Path) -> None:
    """Acceptance cases that would be known anywhere; all of them go wrong, and one of the tuning cases."""
    changed: list[dict[str, object]] = []
    for number, row in enumerate(rows()):
        if row["split"] == "tuning":
            changed.append(row)
            continue
        positive = row["type"] == "should_trigger"
        more: dict[str, object] = {
            "id": f"{MARKS['id']}{number}",
            "input": f"{row['input']} {MARKS['input']}",
            "tag": MARKS["tag"],
            "files": {"a.txt": MARKS["files"]},
            "context": [{"role": "user", "text": MARKS["context"]}, {"role": "assistant", "text": "Yes."}],
        }
        checks: dict[str, object] = {
            "rubric": {MARKS["rubric"]: 4},
            "expected_output_contains": [MARKS["contains"]],
        }
        changed.append({**row, **more, **(checks if positive else {})})
    (skill_dir / "testset.json").write_text(json.dumps(changed), "utf-8")


def test_nothing_of_acceptance_cases_reaches_the_analyst_or_a_suggestion(skill_dir: Path) -> None:
    marked(skill_dir)

    def answer(asked: Body) -> Answer:
        if role_of(asked) == "agent" and MARKS["input"] in words_of(asked):
            return text(f"{MARKS['output']}, and no skill")
        greedy = suggesting([suggestion([f"{MARKS['id']}1"], "From an acceptance case.")])
        return scripted(missed=POSITIVES[:1], analyst=greedy)(asked)

    with serving(answer) as server:
        run(skill_dir, server.environment(), "--advise-model", ADVISE_MODEL, "--quiet")

    report, questions = taken(), asked_of(server, "analyst")
    sent = [raw.decode() for raw in server.raw if b'"suggest"' in raw]
    assert questions
    assert len(sent) == len(questions)
    for name, mark in MARKS.items():
        assert mark in str(report["cases"]) + (skill_dir / "testset.json").read_text("utf-8"), name
        assert not any(mark in raw for raw in sent), name
        assert mark not in str(report["suggestions"]), name
    assert codes(report)["analyst_unknown_cases"]["suggestions"] == 1


def test_a_models_suggestions_stand_after_those_of_the_rules_and_name_it(skill_dir: Path) -> None:
    first = suggestion(["p0"], "Speak of `rooms` | <b>walls</b>.")
    with serving(
        scripted(missed=POSITIVES[:3:2], analyst=suggesting([first], [suggestion(["p2"], "And maps.")]))
    ) as server:
        done = run(skill_dir, server.environment(), "--advise-model", ADVISE_MODEL)

    assert len(asked_of(server, "analyst")) == 2  # the third has no failure left to ask about
    (path,) = Path("reports").glob("*.json")
    report = report_from_json(path.read_text("utf-8"), name="r")
    sources = [(one.source, one.round) for one in report.suggestions]
    assert sources[-2:] == [("model", 1), ("model", 2)]
    assert sources[0][0] == "rules"
    assert f"worded by the model `{ADVISE_MODEL}`" in done.stdout
    assert "``Speak of `rooms` | <b>walls</b>.``" in done.stdout
    assert f"Round 1/3 of the model `{ADVISE_MODEL}`" in done.stdout
    assert "analyst: model" in done.stderr


def test_a_models_suggestion_that_rests_on_nothing_is_refused_when_the_report_is_read(skill_dir: Path) -> None:
    said = suggesting([suggestion(["p0"], "Speak of rooms.")])
    with serving(scripted(missed=POSITIVES[:1], analyst=said)) as server:
        run(skill_dir, server.environment(), "--advise-model", ADVISE_MODEL, "--quiet")
    whole = taken()
    (place,) = (number for number, one in enumerate(whole["suggestions"]) if one["source"] == "model")

    report_from_json(json.dumps(whole), name="r")
    for changes, pointer in (
        ({"cases": ["p1"]}, f"/suggestions/{place}/cases"),
        ({"cases": ["p2"]}, f"/suggestions/{place}/cases"),
        ({"samples": ["another text"]}, f"/suggestions/{place}/samples"),
        ({"round": 2}, f"/suggestions/{place}/round"),
        ({"source": "rules"}, f"/suggestions/{place}/source"),
        ({"proposal": whole["suggestions"][0]["proposal"]}, f"/suggestions/{place}/source"),
    ):
        changed = json.loads(json.dumps(whole))
        changed["suggestions"][place] |= changes
        with pytest.raises(InputError, match=pointer):
            report_from_json(json.dumps(changed), name="r")
    swapped = {**whole, "suggestions": whole["suggestions"][::-1]}
    with pytest.raises(InputError, match="stand before those by a model"):
        report_from_json(json.dumps(swapped), name="r")
    unnamed = {**whole, "config": {**whole["config"], "advise_model": None}}
    with pytest.raises(InputError, match="no model was asked"):
        report_from_json(json.dumps(unnamed), name="r")


def test_the_analyst_is_not_asked_where_no_advice_is_due(skill_dir: Path) -> None:
    with serving(scripted()) as server:
        run(skill_dir, server.environment(), "--advise-model", ADVISE_MODEL, "--quiet")

    assert asked_of(server, "analyst") == []
    assert taken()["suggestions"] == []


def test_an_analyst_that_fails_leaves_the_report_whole(skill_dir: Path) -> None:
    broken = scripted(missed=POSITIVES[:1], analyst=lambda _: fault(400, message="no such tool"))
    with serving(broken) as server:
        done = run(skill_dir, server.environment(), "--advise-model", ADVISE_MODEL, "--quiet")

    report = taken()
    assert (report["stopped_by"], codes(report)["analyst_failed"]["kind"]) == (None, "api")
    assert "no such tool" in codes(report)["analyst_failed"]["message"]
    assert done.returncode == 0
    assert [one["source"] for one in report["suggestions"]] == ["rules"]


def test_the_embedded_agent_may_have_an_analyst(skill_dir: Path) -> None:
    with serving(scripted(analyst=suggesting([]))) as server:
        done = run(skill_dir, server.environment(), "--agent", "embedded", "--advise-model", ADVISE_MODEL)

    assert done.returncode == 0, done.stderr
