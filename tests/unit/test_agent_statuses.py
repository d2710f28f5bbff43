"""What a user sees of an agent that misbehaves: exit status, verdict, reasons, and nothing left behind."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.unit.command_setup import READ, config, left_behind

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the scripted agent forks")

HERE = str(Path(__file__).parents[2])
# The command as it is, but for the waits before a failed call is tried again.
QUICK = """
import asyncio, functools, sys
from skill_evaluator.cli import run

async def sleep(seconds):
    await asyncio.sleep(seconds / 1000)

run.run_prepared = functools.partial(run.run_prepared, sleep=sleep)
from skill_evaluator.cli import main
sys.exit(main())
"""

# Under nohup a hangup stays ignored, also by children.
HANGUP = [
    (number, 129)
    for number in signal.Signals
    if number.name == "SIGHUP" and signal.getsignal(number) is not signal.SIG_IGN
]


class Desk:
    """Where a user sits: the command is typed here."""

    def __init__(self, folder: Path, skill_dir: Path) -> None:
        self.folder, self.temporary, self.skill_dir = folder, folder / "temporary", skill_dir
        self.temporary.mkdir()
        self.pids: list[int] = []

    def start(self, path: Path, *options: str) -> "subprocess.Popen[str]":
        """Type the command."""
        words = ["run", str(self.skill_dir), "--agent", "command", "--agent-config", str(path), "--yes", *options]
        env = {
            **os.environ,
            "TMPDIR": str(self.temporary),
            "PYTHONPATH": HERE,
            "ASKED": str(self.folder / "asked.log"),
            "ORIGINAL": str(self.skill_dir / "SKILL.md"),
        }
        process = subprocess.Popen(
            [sys.executable, "-c", QUICK, *words],
            cwd=self.folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
        )  # fmt: skip
        self.pids.append(process.pid)
        return process

    def run(self, path: Path, *options: str) -> tuple[int, str, dict[str, Any]]:
        """Give the exit status, the page that was shown, and the report."""
        process = self.start(path, *options)
        page, said = process.communicate(timeout=240)
        assert "Traceback (most recent call last)" not in said, said
        return process.returncode, page, self.report()

    def report(self) -> dict[str, Any]:
        """The only report."""
        (path,) = (self.folder / "reports").glob("*.json")
        content: dict[str, Any] = json.loads(path.read_text("utf-8"))
        return content

    def left(self) -> list[str]:
        """What is still there of any run."""
        return [found for pid in self.pids for found in left_behind(self.temporary, pid)]


@pytest.fixture
def desk(tmp_path: Path, skill_dir: Path) -> Iterator[Desk]:
    made = Desk(tmp_path, skill_dir)
    yield made
    assert made.left() == []
    assert list(made.temporary.iterdir()) == []


def scripted(folder: Path, mode: str) -> Path:
    return config(folder, mode, more='env_from = ["ASKED", "ORIGINAL"]')


def codes(report: dict[str, Any]) -> list[str]:
    return [reason["code"] for reason in report["reasons"]]


@pytest.mark.parametrize("mode", ["last-chunk", "sibling", "tool-first", "plugin", "leave-daemon", "flaky", "limited"])
def test_what_an_agent_may_do_passes(desk: Desk, tmp_path: Path, mode: str) -> None:
    """Bad luck and rate limits in the middle are tried again, and change no figure."""
    status, _page, report = desk.run(scripted(tmp_path, mode))

    assert (status, report["verdict"], report["stopped_by"]) == (0, "PASS", None)
    assert (report["metrics"]["recall"], report["metrics"]["false_trigger_rate"]) == (1.0, 0.0)
    assert sum(len(case["runs"]) for case in report["cases"]) == 36
    assert (report["volatile"]["retries"] > 0) is (mode in {"flaky", "limited"})


@pytest.mark.parametrize(
    ("mode", "reasons"), [("longer", ["f1_below"]), ("edit", ["violation"]), ("edit-original", ["violation"])]
)
def test_what_is_the_skills_own_failure_fails(desk: Desk, tmp_path: Path, mode: str, reasons: list[str]) -> None:
    status, _page, report = desk.run(scripted(tmp_path, mode))

    assert (status, report["verdict"], codes(report)) == (1, "FAIL", reasons)
    assert report["metrics"]["f1"] is not None
    assert report["violations"] == (["SKILL.md"] if "violation" in reasons else [])


@pytest.mark.parametrize(
    ("mode", "options", "stopped_by", "calls", "cause"),
    [
        ("fail", (), "canary", 6, "exit status 1: Traceback: nothing works"),
        ("disk", (), "canary", 6, "exit status 1: OSError: [Errno 28] No space left on device"),
        (
            "broken",
            (),
            "canary",
            6,
            'no event in the output (none of 2 lines is a JSON object; the first is \'{"type": "start"\')',
        ),
        ("silent", (), "canary", 6, "the output is empty"),
        ("rate", (), "canary", 6, "429: rate limit reached"),
        ("unlisted", (), "canary", 1, ""),
        ("hang-canary", ("--timeout-s", "1"), "canary", 2, "the session was not done after 1 s"),
        ("hang-grandchild", ("--timeout-s", "1"), "canary", 2, "the session was not done after 1 s"),
        ("hang-daemon", ("--timeout-s", "1"), "canary", 2, "the session was not done after 1 s"),
        ("fail-later", (), "error_budget", None, "exit status 1: not any more"),
        ("fail-negatives", (), "error_budget", None, "exit status 1: no idea"),
        ("fail", ("--no-canary",), "error_budget", None, "exit status 1: Traceback: nothing works"),
        ("well", ("--max-calls", "9"), "max_calls", 9, ""),
        ("well", ("--max-cost-usd", "0.01", "--concurrency", "1"), "max_cost", 10, ""),
    ],
)
def test_what_could_not_be_measured_has_no_score(  # noqa: PLR0913, PLR0917 - one row of the table
    desk: Desk, tmp_path: Path, mode: str, options: Sequence[str], stopped_by: str, calls: int | None, cause: str
) -> None:
    status, page, report = desk.run(scripted(tmp_path, mode), *options)

    assert (status, report["verdict"], report["stopped_by"]) == (2, "INVALID", stopped_by)
    assert set(report["metrics"].values()) == {None}
    assert calls is None or report["volatile"]["calls"] == calls
    told = [reason["values"].get("message") for reason in report["reasons"]]
    assert told.count(cause) == (1 if cause else 0)
    for case in report["cases"]:
        assert case["valid_runs"] == sum(run["state"] != "error" for run in case["runs"])
    shows_no_score(page)


def shows_no_score(page: str) -> None:
    """The table of metrics is not there, nor any figure that stands in it."""
    assert "INVALID" in page
    for word in ("F1", "95%", "Precision", "Recall |"):
        assert word not in page.split("## ⚠️ Warnings", maxsplit=1)[0]


@pytest.mark.parametrize("options", [(), ("--no-canary",)], ids=["canary", "none"])
def test_a_program_that_is_missing_is_named_once(desk: Desk, tmp_path: Path, options: Sequence[str]) -> None:
    path = tmp_path / "agent.toml"
    path.write_text(f'argv = ["./agent", "{{prompt}}"]\nformat = "jsonl"\n{READ}', "utf-8")
    (tmp_path / "agent").write_text("#!/bin/sh\necho no\n", "utf-8")  # there, but not executable

    status, page, report = desk.run(path, *options)

    assert (status, report["verdict"]) == (2, "INVALID")
    assert report["stopped_by"] == ("agent_missing" if options else "canary")
    assert page.split("## ❌ Failed")[0].count("./agent") == 1
    shows_no_score(page)


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), *HANGUP])
@pytest.mark.parametrize("times", [1, 2])
def test_an_interrupt_in_the_middle_leaves_a_partial_report_and_nothing_else(
    desk: Desk, tmp_path: Path, number: signal.Signals, status: int, times: int
) -> None:
    """Whoever presses twice wants out at once; the first signal still ends what was started."""
    process = desk.start(scripted(tmp_path, "hang-daemon"), "--no-canary")
    deadline = time.monotonic() + 120
    while not any("time.sleep(600)" in word for word in desk.left()):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline, "the agent never started"
        time.sleep(0.05)

    process.send_signal(number)
    if times == 2 and number is signal.SIGINT:
        time.sleep(random.Random(0).random() * 0.05)  # noqa: S311 - a moment, no secret
        process.send_signal(number)
    _page, said = process.communicate(timeout=120)

    assert process.returncode == status, said
    if times == 1:
        assert (desk.report()["verdict"], desk.report()["stopped_by"]) == ("INVALID", number.name)


def test_the_installed_command_gives_the_same_status(skill_dir: Path, tmp_path: Path) -> None:
    """What the driver above changes is the waits alone, and here there are none."""
    done = subprocess.run(
        [sys.executable, "-m", "skill_evaluator", "run", str(skill_dir), "--agent", "command", "--yes", "--quiet",
         "--agent-config", str(config(tmp_path, "unlisted"))],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": HERE}, capture_output=True, check=False, timeout=120,
    )  # fmt: skip

    assert done.returncode == 2, done.stderr
