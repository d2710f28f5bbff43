"""`run --agent messages --batch`, end to end: the real program and SDK against a scripted server."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from skill_evaluator.agents.messages.custom_ids import custom_id
from skill_evaluator.api.probe import probe_skill
from skill_evaluator.cli import main
from skill_evaluator.formats.testset import read_testset_bytes
from skill_evaluator.model import Arm, Case
from tests.api_server import Answer, ApiServer, Asked, call, fault, text
from tests.unit.conftest import POSITIVES, rows
from tests.unit.report_files import taken

MODEL = "claude-sonnet-4-5"
SUBMIT, ASK = "POST /v1/messages/batches", "POST /v1/messages"
READS_FIRST = POSITIVES[1]  # the model looks at a file before it calls the skill
PROBE = probe_skill().name


def words(value: object) -> str:
    """All that was said to the model, as one text."""
    return json.dumps(value, ensure_ascii=False)


def perfect(asked: Asked) -> Answer:
    """Call the probe by name, the skill for the positives, and nothing else."""
    messages = asked["messages"]
    assert isinstance(messages, list)
    prompt = words(messages[0])
    if PROBE in prompt:
        return call("Skill", {"skill": PROBE}) if len(messages) == 1 else text("Its word.")
    if READS_FIRST in prompt and len(messages) == 1:
        return call("Glob", {"pattern": "*"})
    fires = any(positive in prompt for positive in POSITIVES)
    return call("Skill", {"skill": "level-maker"}) if fires else text("Done.")


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder, as a user would."""
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ApiServer]:
    with ApiServer(perfect) as scripted:
        for name, value in scripted.environment().items():
            monkeypatch.setenv(name, value)
        yield scripted


def score(skill: Path, *options: str) -> int:
    return main(["run", str(skill), "--agent", "messages", "--model", MODEL, "--yes", *options])


def steady(report: Mapping[str, Any]) -> dict[str, Any]:
    """A report without what may differ between asking live and by batches."""
    kept = {key: value for key, value in report.items() if key not in {"volatile", "timestamp", "run_dir"}}
    kept["agent"] = {key: value for key, value in report["agent"].items() if key != "settings"}
    return dict(_without_costs(kept))


def _without_costs(value: Any) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(value, dict):
        return {key: _without_costs(item) for key, item in value.items() if key != "cost_usd"}
    return [_without_costs(item) for item in value] if isinstance(value, list) else value


def cases() -> Mapping[str, Case]:
    suite = read_testset_bytes(json.dumps(rows()).encode(), "t", pass_threshold=None).suite
    assert suite
    return {case.id: case for case in suite.cases}


def entry(case_id: str, index: int) -> str:
    return custom_id(cases()[case_id], Arm.WITH, index)


def test_all_first_requests_go_out_as_one_batch_after_the_canary(
    skill_dir: Path, server: ApiServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.batch_delay = 1
    assert score(skill_dir, "--batch") == 0

    assert [one for one in server.calls if one in {ASK, SUBMIT}] == [ASK] * 2 + [SUBMIT] + [ASK] * 3
    (batch,) = server.batches.made.values()
    assert sorted(batch.entries) == sorted(entry(case_id, index) for case_id in cases() for index in range(3))
    report = taken()
    assert (report["verdict"], report["metrics"]["f1"]) == ("PASS", 1.0)
    assert report["volatile"]["calls"] == 36 + 2
    err = capsys.readouterr().err
    assert f"batch {batch.id} (36 requests) was submitted" in err
    assert "has ended and was fetched" in err


@pytest.mark.usefixtures("server")
def test_report_is_that_of_the_same_model_asked_live_and_the_price_is_half(skill_dir: Path) -> None:
    assert score(skill_dir) == 0
    live = taken()
    assert score(skill_dir, "--batch") == 0
    batched = taken()

    assert steady(batched) == steady(live)
    assert live["agent"]["settings"] != batched["agent"]["settings"]
    negative = {name: next(case for case in report["cases"] if case["id"] == "n0") for name, report in
                (("live", live), ("batched", batched))}  # fmt: skip
    costs = {name: case["runs"][0]["usage"]["cost_usd"] for name, case in negative.items()}
    assert costs["batched"] == pytest.approx(costs["live"] / 2)


@pytest.mark.usefixtures("server")
def test_an_entry_that_ends_in_another_tools_call_is_continued_live_and_counts(skill_dir: Path) -> None:
    assert score(skill_dir, "--batch") == 0

    (case,) = (case for case in taken()["cases"] if case["id"] == "p1")
    assert [run["state"] for run in case["runs"]] == ["triggered"] * 3
    assert [[made["name"] for made in run["tool_calls"]] for run in case["runs"]] == [["Glob", "Skill"]] * 3


def test_expired_errored_and_cancelled_entries_are_errors_and_asked_anew_by_resume(
    skill_dir: Path, server: ApiServer
) -> None:
    fates = {entry("p5", 0): "expired", entry("n1", 1): "errored", entry("p0", 2): "canceled"}
    server.batch_fate.update(fates)

    assert score(skill_dir, "--batch", "--runs", "4") == 0

    report = taken()
    failed = {
        (case["id"], run["index"]): run["failure"]["kind"]
        for case in report["cases"]
        for run in case["runs"]
        if run["failure"]
    }
    assert failed == {("p5", 0): "api", ("n1", 1): "api", ("p0", 2): "api"}
    assert report["splits"]["acceptance"]["metrics"]["recall"]["value"] == 1.0
    assert server.calls.count(SUBMIT) == 1

    server.batch_fate.clear()
    assert score(skill_dir, "--batch", "--runs", "4", "--resume") == 0

    again = taken()
    assert not any(run["failure"] for case in again["cases"] for run in case["runs"])
    first, second = server.batches.made.values()
    assert sorted(second.entries) == sorted(fates)
    assert len(first.entries) == 48


def test_a_server_that_is_away_while_a_batch_is_polled_costs_nothing_but_time(
    skill_dir: Path, server: ApiServer, capsys: pytest.CaptureFixture[str]
) -> None:
    away = fault(503, headers={"x-should-retry": "false"})
    server.batches.faults.retrieve[:] = [away]
    server.batches.faults.results[:] = [away]

    assert score(skill_dir, "--batch") == 0

    assert taken()["verdict"] == "PASS"
    assert "could not be asked for" in capsys.readouterr().err


def test_a_server_without_batches_leaves_errors_and_no_score(skill_dir: Path, server: ApiServer) -> None:
    server.batches.faults.create[:] = [fault(404, message="no batches here")]

    assert score(skill_dir, "--batch") == 2

    report = taken()
    assert (report["verdict"], report["stopped_by"]) == ("INVALID", "error_budget")
    messages = {run["failure"]["message"] for case in report["cases"] for run in case["runs"]}
    assert len(messages) == 1
    assert "no batches here" in messages.pop()


def test_what_a_batch_cannot_keep_is_refused_all_at_once(
    skill_dir: Path, server: ApiServer, capsys: pytest.CaptureFixture[str]
) -> None:
    checked = rows()
    for row in checked[:7]:
        row["expected_output_contains" if row["type"] == "should_trigger" else "tag"] = ["x"]
    checked[0] |= {"rubric": {"clear": 4}}
    (skill_dir / "testset.json").write_text(json.dumps(checked), "utf-8")

    assert score(skill_dir, "--batch", "--max-cost-usd", "1", "--max-calls", "37") == 1

    err = capsys.readouterr().err
    assert "6 of the cases look at the output (checks or a rubric)" in err
    assert "'p0', 'p1', 'p2', 'p3', 'p4', ...;" in err
    assert "--max-cost-usd cannot be kept" in err
    assert "--max-calls 37 lies below the 38 calls" in err
    assert server.calls == []


def test_a_ceiling_that_the_plan_fits_in_is_kept(skill_dir: Path, server: ApiServer) -> None:
    assert score(skill_dir, "--batch", "--max-calls", "38") == 0
    assert taken()["stopped_by"] is None
    assert len(server.batches.made) == 1


def test_batches_are_for_the_messages_agent_alone(skill_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(skill_dir), "--agent", "embedded", "--batch", "--yes"]) == 1
    assert "--batch is for --agent messages" in capsys.readouterr().err


class Bench:
    """Starts the program in a process of its own, and ends it while it waits for its batch."""

    def __init__(self, skill: Path, server: ApiServer) -> None:
        self._server = server
        self._words = ["run", str(skill), "--agent", "messages", "--model", MODEL, "--yes", "--batch", "--quiet"]

    def start(self, *options: str) -> "subprocess.Popen[bytes]":
        env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
        return subprocess.Popen(
            [sys.executable, "-m", "skill_evaluator", *self._words, *options],
            env=env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    def end_while_polling(self, number: signal.Signals, *options: str) -> tuple[int, str]:
        """Send a signal after the first poll of a new batch; give the exit status and what was said."""
        known = len(self._server.batches.made)
        self._server.batch_delay = 1_000
        process, deadline = self.start(*options), time.monotonic() + 60
        while not any(batch.polls for batch in list(self._server.batches.made.values())[known:]):
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < deadline, "no batch was polled"
            time.sleep(0.01)
        process.send_signal(number)
        err = process.communicate(timeout=60)[1]
        self._server.batch_delay = 0
        return process.returncode, err.decode()


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_killed_while_polling_the_resumed_run_fetches_the_same_batch(skill_dir: Path, server: ApiServer) -> None:
    assert score(skill_dir, "--batch", "--output-dir", "undisturbed") == 0
    undisturbed = taken(Path("undisturbed"))
    before = len(server.batches.made)
    Path(".skill-evaluator").rename("elsewhere")

    status, _ = Bench(skill_dir, server).end_while_polling(signal.SIGKILL)
    assert status == -signal.SIGKILL
    assert list(Path("reports").glob("*")) == []
    assert score(skill_dir, "--batch", "--resume") == 0

    assert len(server.batches.made) == before + 1
    assert server.calls.count(SUBMIT) == before + 1
    resumed = taken()
    assert steady(resumed) == steady(undisturbed)
    assert resumed["agent"] == undisturbed["agent"]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_names_the_batch_and_resume_fetches_it(
    skill_dir: Path, server: ApiServer, number: signal.Signals, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    ended, err = Bench(skill_dir, server).end_while_polling(number)

    (batch,) = server.batches.made.values()
    assert ended == status
    assert re.search(rf"batch {batch.id} .*--resume fetches it", err)
    report = taken()
    assert (report["verdict"], report["stopped_by"]) == ("INVALID", number.name)
    assert report["canary"]["state"] == "passed"

    assert score(skill_dir, "--batch", "--resume", "--max-calls", "39") == 1
    assert "--max-calls 39 lies below the 40 calls" in capsys.readouterr().err
    assert score(skill_dir, "--batch", "--resume", "--max-calls", "40") == 0  # 36 runs and the canary twice
    assert taken()["verdict"] == "PASS"
    assert len(server.batches.made) == 1
    assert "1 message batch kept: fetched, not sent again" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_killed_while_it_waits_for_what_failed_before_nothing_is_sent_a_third_time(
    skill_dir: Path, server: ApiServer
) -> None:
    """Failed in the first batch, asked anew in the second, which outlives the evaluator that sent it."""
    server.batch_fate[entry("p5", 0)] = "expired"
    assert score(skill_dir, "--batch", "--runs", "4") == 0
    taken()
    server.batch_fate.clear()
    (first,) = server.batches.made.values()
    first.polls = 10_000  # it has ended whatever the delay is

    Bench(skill_dir, server).end_while_polling(signal.SIGKILL, "--resume", "--runs", "4")
    assert score(skill_dir, "--batch", "--resume", "--runs", "4") == 0
    report = taken()
    assert not any(run["failure"] for case in report["cases"] for run in case["runs"])
    assert len(server.batches.made) == 2


def test_settings_say_that_batches_were_used_so_that_live_runs_do_not_go_on_with_them(
    skill_dir: Path, server: ApiServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.batch_fate[entry("p5", 0)] = "expired"
    assert score(skill_dir, "--batch", "--draft", "--runs", "1") == 2
    (run,) = Path(".skill-evaluator/runs").iterdir()
    (run / "end.json").unlink()

    assert score(skill_dir, "--draft", "--runs", "1", "--resume") == 1
    assert "'batch': True then, None now" in capsys.readouterr().err
