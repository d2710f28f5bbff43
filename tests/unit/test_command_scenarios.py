"""A scripted agent that does all that agents were seen to do: each ends as it should, and nothing is left behind."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from skill_evaluator.cli import main
from skill_evaluator.model import FailureKind, Run, Skill
from tests.unit.command_setup import ask, case_of, config, left_behind, skill_at
from tests.unit.report_files import written

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the scripted agent forks")

FIRED = ("level-maker",)

# Under nohup a hangup stays ignored, also by children.
HANGUP = [
    (number, 129)
    for number in signal.Signals
    if number.name == "SIGHUP" and signal.getsignal(number) is not signal.SIG_IGN
]


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give each test its own place for run folders, and look into it afterwards."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    monkeypatch.chdir(tmp_path)
    yield place
    assert left_behind(place, os.getpid()) == []


@pytest.fixture
def skill(skill_dir: Path) -> Skill:
    return skill_at(skill_dir)


def failure(run: Run) -> FailureKind:
    assert run.failure is not None
    assert run.triggered is None
    return run.failure.kind


@pytest.mark.parametrize(
    ("mode", "triggered", "invoked"),
    [
        ("well", True, FIRED),
        ("sibling", True, ("some-sibling", "level-maker")),
        ("tool-first", True, FIRED),
        ("plugin", True, ("games:level-maker",)),
        ("longer", False, ("level-maker-pro",)),
        ("last-chunk", True, FIRED),
        ("opens", True, FIRED),
        ("opens-and-fails", False, ()),
        ("leave-grandchild", True, FIRED),
        ("leave-setsid", True, FIRED),
        ("leave-daemon", True, FIRED),
        ("leave-forgetful", True, FIRED),
    ],
)
def test_the_whole_run_is_read_before_it_is_decided(
    tmp_path: Path, skill: Skill, mode: str, *, triggered: bool, invoked: tuple[str, ...]
) -> None:
    run = ask(config(tmp_path, mode), skill)

    assert run.failure is None
    assert (run.triggered, run.skills_invoked) == (triggered, invoked)
    assert run.output == "Done."
    assert run.usage is not None
    assert (run.usage.input_tokens, run.usage.output_tokens, run.usage.cost_usd) == (100, 20, 0.001)


def test_a_quiet_agent_fired_nothing(tmp_path: Path, skill: Skill) -> None:
    run = ask(config(tmp_path), skill, case_of("what is the capital of Portugal?"))

    assert (run.triggered, run.skills_invoked, run.tool_calls) == (False, (), ())


@pytest.mark.parametrize(
    ("mode", "kind", "message"),
    [
        ("fail", FailureKind.CRASH, "exit status 1: Traceback: nothing works"),
        ("disk", FailureKind.CRASH, "exit status 1: OSError: [Errno 28] No space left on device"),
        (
            "broken",
            FailureKind.CRASH,
            'no event in the output (none of 2 lines is a JSON object; the first is \'{"type": "start"\')',
        ),
        ("silent", FailureKind.CRASH, "the output is empty"),
        ("rate", FailureKind.RATE_LIMIT, "429: rate limit reached"),
        ("unlisted", FailureKind.SKILL_NOT_LISTED, "the agent lists no skill, so 'level-maker' is not offered"),
    ],
)
def test_what_went_wrong_is_an_error_and_no_miss(
    tmp_path: Path, skill: Skill, mode: str, kind: FailureKind, message: str
) -> None:
    run = ask(config(tmp_path, mode), skill)

    assert failure(run) is kind
    assert run.failure is not None
    assert run.failure.message == message


def test_a_missing_program_is_told_by_name(tmp_path: Path, skill: Skill) -> None:
    path = tmp_path / "none.toml"
    path.write_text('argv = ["no-such-agent", "{prompt}"]\nformat = "jsonl"\nread.skill = "name"\n', "utf-8")

    run = ask(path, skill)

    assert failure(run) is FailureKind.AGENT_MISSING
    assert "'no-such-agent'" in str(run.failure)


@pytest.mark.parametrize("mode", ["hang-grandchild", "hang-setsid", "hang-daemon", "hang-forgetful"])
def test_a_hung_agent_is_ended_with_all_that_it_started(tmp_path: Path, skill: Skill, mode: str) -> None:
    run = ask(config(tmp_path, mode), skill, timeout_s=1)

    assert failure(run) is FailureKind.TIMEOUT
    assert run.failure is not None
    assert run.failure.message == "the session was not done after 1 s"
    assert run.duration_s is not None
    assert run.duration_s >= 1


def test_the_clock_starts_with_the_session(tmp_path: Path, skill: Skill) -> None:
    """Without its sign of a start, the same silence is said to be one of the start-up."""
    never = config(tmp_path, "hang-grandchild")
    never.write_text(never.read_text("utf-8").replace("'start'\"\nlisted", "'never'\"\nlisted"), "utf-8")

    run = ask(never, skill, timeout_s=1)

    assert str(run.failure and run.failure.message) == "the session had not started after 1 s"


def test_a_child_that_does_not_read_its_input_is_no_error(tmp_path: Path, skill: Skill) -> None:
    path = config(tmp_path, "deaf", prompt='"level"', more='stdin = "prompt"')

    assert ask(path, skill, case_of("level " * 500_000)).triggered is True


def test_an_edit_of_the_copy_is_seen_and_the_original_stays(tmp_path: Path, skill: Skill) -> None:
    before = skill.path.read_bytes()

    run = ask(config(tmp_path, "edit"), skill)

    assert run.skill_changes == ("SKILL.md",)
    assert run.triggered is True
    assert skill.path.read_bytes() == before


FLOOD = """
import resource, sys
from pathlib import Path
from tests.unit.command_setup import ask, skill_at
run = ask(Path(sys.argv[1]), skill_at(Path(sys.argv[2])))
status = Path("/proc/self/status")
# Linux counts the peak of whoever forked a process to its own; its memory map tells better.
peak_kib = (
    next(line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    if status.exists()
    else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
)
print(run.triggered, run.output_cut, len(run.output), run.output[-5:], peak_kib)
"""


def test_a_hundred_megabytes_are_kept_to_a_bound_and_decided_from_the_whole(
    tmp_path: Path, skill: Skill, temporary: Path
) -> None:
    path = config(tmp_path, "flood")
    path.write_text(path.read_text("utf-8").replace("[read]", '[read]\ntext_mode = "joined"'), "utf-8")
    env = {**os.environ, "TMPDIR": str(temporary), "PYTHONPATH": str(Path(__file__).parents[2])}

    done = subprocess.run(
        [sys.executable, "-c", FLOOD, str(path), str(skill.path)],
        env=env, capture_output=True, text=True, encoding="utf-8", check=True, timeout=300,
    )  # fmt: skip
    triggered, is_cut, length, end, peak_kib = done.stdout.split()

    assert (triggered, is_cut, end) == ("True", "True", "Done.")
    assert 1_000_000 < int(length) < 1_000_100
    assert int(peak_kib) < 250 * 1024


def run_command(skill_dir: Path, path: Path, *options: str) -> int:
    given = ["--agent", "command", "--agent-config", str(path), "--yes", "--quiet", *options]
    return main(["run", str(skill_dir), *given])


def steady(folder: str = "reports") -> dict[str, Any]:
    return {key: value for key, value in written(folder).items() if key not in {"timestamp", "volatile"}}


def test_one_worker_and_eight_give_equal_reports(skill_dir: Path, tmp_path: Path) -> None:
    path = config(tmp_path, "opens")

    assert run_command(skill_dir, path, "--concurrency", "1", "--output-dir", "one") == 0
    assert run_command(skill_dir, path, "--concurrency", "8", "--output-dir", "eight") == 0

    assert steady("one") == steady("eight")
    assert steady("one")["verdict"] == "PASS"


def test_a_skill_that_an_agent_edits_fails_and_the_file_is_named(skill_dir: Path, tmp_path: Path) -> None:
    before = (skill_dir / "SKILL.md").read_bytes()

    assert run_command(skill_dir, config(tmp_path, "edit"), "--concurrency", "2") == 1

    report = steady()
    assert (report["verdict"], report["violations"]) == ("FAIL", ["SKILL.md"])
    assert report["reasons"][0] == {"code": "violation", "values": {"files": ["SKILL.md"]}}
    assert (skill_dir / "SKILL.md").read_bytes() == before


def test_a_missing_program_leaves_no_score(skill_dir: Path, tmp_path: Path) -> None:
    path = tmp_path / "none.toml"
    path.write_text('argv = ["no-such-agent", "{prompt}"]\nformat = "jsonl"\nread.skill = "name"\n', "utf-8")

    assert run_command(skill_dir, path) == 2

    report = steady()
    assert report["verdict"] == "INVALID"
    assert set(report["metrics"].values()) == {None}


def test_a_run_sees_neither_the_test_set_nor_personal_settings(
    skill_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (skill_dir / "evals").mkdir()
    (skill_dir / "evals" / "secret.json").write_text("{}", "utf-8")
    (skill_dir / "references").mkdir()
    (skill_dir / "references" / "tiles.md").write_text("# Tiles", "utf-8")
    for name in ("MY_EDITOR", "OPENAI_API_KEY", "EVAL_ROUND"):
        monkeypatch.setenv(name, "a-personal-value")

    path = config(tmp_path, "environment", more='env_from = ["OPENAI_API_KEY"]')
    assert run_command(skill_dir, path, "--case", "p1", "--case", "n1", "--draft", "--runs", "1") == 2

    report = steady()
    (call,) = report["cases"][0]["runs"][0]["tool_calls"]
    assert call["arguments"]["home"] == "/RUN/home"
    assert {"OPENAI_API_KEY", "EVAL_ROUND", "SKILL_EVALUATOR_RUN"} <= set(call["arguments"]["names"])
    assert "MY_EDITOR" not in call["arguments"]["names"]
    files = [name for name in call["result"].splitlines() if "/level-maker/" in name]
    assert files == ["/RUN/skills/level-maker/SKILL.md", "/RUN/skills/level-maker/references/tiles.md"]
    assert "testset" not in call["result"]
    settings = report["agent"]["settings"]
    assert "OPENAI_API_KEY" in settings["environment"]
    assert "MY_EDITOR" not in settings["environment"]
    assert "a-personal-value" not in json.dumps(report)


def test_a_transcript_that_shows_the_test_set_is_told(
    skill_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = tmp_path / "seen.txt"
    seen.write_text(f"/etc/hosts\n{skill_dir / 'testset.json'}\n", "utf-8")
    monkeypatch.setenv("SEEN", str(seen))
    narrow = ("--case", "p1", "--case", "n1", "--draft", "--runs", "1")

    run_command(skill_dir, config(tmp_path, "testset", more='env_from = ["SEEN"]'), *narrow)

    assert {"code": "testset_seen", "values": {"cases": ["p1", "n1"]}} in steady()["notes"]


def start(skill_dir: Path, path: Path, temporary: Path) -> subprocess.Popen[bytes]:
    """Start the program, and wait until its agent has left somebody behind."""
    words = ["run", str(skill_dir), "--agent", "command", "--agent-config", str(path), "--yes", "--concurrency", "1"]
    process = subprocess.Popen(
        [sys.executable, "-m", "skill_evaluator", *words],
        env={**os.environ, "TMPDIR": str(temporary), "PYTHONPATH": str(Path(__file__).parents[2])},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while not any("time.sleep(600)" in word for word in left_behind(temporary, process.pid)):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline, "the agent never started"
        time.sleep(0.05)
    return process


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), *HANGUP])
def test_an_interrupt_ends_everything(
    skill_dir: Path, tmp_path: Path, temporary: Path, number: signal.Signals, status: int
) -> None:
    process = start(skill_dir, config(tmp_path, "hang-daemon"), temporary)

    process.send_signal(number)
    process.communicate(timeout=60)

    assert process.returncode == status
    assert left_behind(temporary, process.pid) == []


def test_what_a_killed_evaluator_left_is_cleared_by_the_next_one(
    skill_dir: Path, tmp_path: Path, temporary: Path
) -> None:
    process = start(skill_dir, config(tmp_path, "hang-daemon"), temporary)
    psutil.Process(process.pid).kill()
    process.communicate(timeout=60)
    assert left_behind(temporary, process.pid) != []

    assert run_command(skill_dir, config(tmp_path), "--case", "p1", "--case", "n1", "--draft", "--runs", "1") == 2

    assert left_behind(temporary, process.pid) == []
