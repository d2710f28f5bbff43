"""A signal in the middle of a run: the partial result is kept and the exit status says so."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

PROGRAM = """
import asyncio, dataclasses, sys
from skill_evaluator.api import chosen

class Slow:
    def __init__(self, agent):
        self.agent = agent
        self.info = agent.info
    async def run(self, case, arm, index):
        await asyncio.sleep(0.05)
        return await self.agent.run(case, arm, index)

kind = chosen.AGENTS["replay"]
slow = dataclasses.replace(kind, factory=lambda setup: Slow(kind.factory(setup)))
chosen.AGENTS = {"replay": slow}
from skill_evaluator.cli import main
sys.exit(main())
"""

# Windows has no such signal.
QUIT = [(number, 131) for number in signal.Signals if number.name == "SIGQUIT"]

# Under nohup a hangup stays ignored, also by children.
HANGUP = [
    (number, 129)
    for number in signal.Signals
    if number.name == "SIGHUP" and signal.getsignal(number) is not signal.SIG_IGN
]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), *QUIT, *HANGUP])
def test_a_signal_keeps_the_partial_result(
    skill_dir: Path, record: Callable[..., Path], tmp_path: Path, number: signal.Signals, status: int
) -> None:
    arguments = [
        "run",
        str(skill_dir),
        "--agent",
        "replay",
        "--recordings",
        str(record()),
        "--yes",
        "--concurrency",
        "1",
    ]
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    journal = tmp_path / ".skill-evaluator" / "runs"
    deadline = time.monotonic() + 60
    while sum(len(file.read_bytes().splitlines()) for file in journal.glob("*/journal.jsonl")) < 5:
        assert time.monotonic() < deadline, "the run never started"
        time.sleep(0.02)
    process.send_signal(number)
    _out, err = process.communicate(timeout=60)

    assert process.returncode == status, err
    (path,) = (tmp_path / "reports").glob("*.json")
    report = json.loads(path.read_text("utf-8"))
    assert report["verdict"] == "INVALID"
    assert report["stopped_by"] == number.name
    assert set(report["metrics"].values()) == {None}
    finished = sum(case["valid_runs"] for case in report["cases"])
    assert 5 <= finished < 36
    assert report["reasons"][0]["code"] == "interrupted"
    assert report["reasons"][0]["values"]["finished"] == finished


UNREACHABLE = """
import asyncio, sys
from skill_evaluator.agents import AgentKind
from skill_evaluator.api import chosen
from skill_evaluator.model import AgentInfo, Failure, FailureKind, Run

class Unreachable:
    info = AgentInfo(name="unreachable")
    async def run(self, case, arm, index):
        print("asked", case.id, file=sys.stderr, flush=True)
        if case.id.startswith("canary"):
            await asyncio.sleep(60)
        failure = Failure(kind=FailureKind.RATE_LIMIT, message="429")
        return Run(case_id=case.id, arm=arm, index=index, failure=failure)

chosen.AGENTS = {"unreachable": AgentKind(factory=lambda setup: Unreachable(), probed=True, retried=True)}
from skill_evaluator.cli import main
sys.exit(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), *QUIT])
@pytest.mark.parametrize("options", [(), ("--no-canary",)], ids=["in the canary", "between two attempts"])
def test_a_signal_ends_the_canary_and_the_wait_for_a_next_attempt(
    skill_dir: Path, tmp_path: Path, number: signal.Signals, status: int, options: tuple[str, ...]
) -> None:
    arguments = ["run", str(skill_dir), "--agent", "unreachable", "--yes", "--quiet", *options]
    process = subprocess.Popen(
        [sys.executable, "-c", UNREACHABLE, *arguments], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stderr
    while b"asked" not in (line := process.stderr.readline()):
        assert line, "it ended before it asked"
    process.send_signal(number)
    _out, err = process.communicate(timeout=60)

    assert process.returncode == status, err
    (path,) = (tmp_path / "reports").glob("*.json")
    report = json.loads(path.read_text("utf-8"))
    assert (report["verdict"], report["stopped_by"]) == ("INVALID", number.name)
    assert report["canary"]["state"] == ("skipped" if options else "unfinished")
    assert report["reasons"][0]["values"] == {"signal": number.name, "finished": 0, "planned": 36}
    assert b"--resume" in err


EARLY = """
import os, sys, time
def wait(*_):
    print("waiting", file=sys.stderr, flush=True)
    time.sleep(60)
from skill_evaluator.cli import main
if "init" not in sys.argv:
    from skill_evaluator.cli import plugin_eval
    plugin_eval.read_suite = lambda *_, **__: wait()
else:
    os.fsync = wait
sys.exit(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), *QUIT, *HANGUP])
@pytest.mark.parametrize(
    "arguments", [("plugin-eval", "."), ("plugin-eval", "init", "--bare", "jars", "--eval-dir", "evals")]
)
def test_a_signal_before_or_after_the_runs_leaves_nothing_half_written(
    tmp_path: Path, number: signal.Signals, status: int, arguments: tuple[str, ...]
) -> None:
    place = tmp_path / "place"
    place.mkdir()

    process = subprocess.Popen(
        [sys.executable, "-c", EARLY, *arguments], cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stderr
    while b"waiting" not in (line := process.stderr.readline()):
        assert line, "it ended before it came so far"
    process.send_signal(number)
    _out, err = process.communicate(timeout=60)

    assert (process.returncode, err) == (status, b"interrupted\n")
    assert [path for path in place.rglob("*") if path.is_file()] == []
