"""Scripts of cases fill the workspace: they see few variables, and nothing that they start outlives them."""

import asyncio
import os
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from skill_evaluator.agents.claude_code.layout import Layout, furnish
from skill_evaluator.agents.claude_code.scaffold import run_scaffold
from skill_evaluator.agents.claude_code.suite_agent import ClaudeCodeSuiteAgent
from skill_evaluator.sandbox import open_sandbox
from skill_evaluator.sandbox.environment import MARKER
from tests.unit.claude_setup import ask, case_for, harbour, scripted_program


@pytest.fixture
def layout() -> Iterator[Layout]:
    with open_sandbox(workspace_place="home/cwd") as folder:
        layout = Layout.below(folder.root)
        furnish(layout)
        yield layout


def scaffold(layout: Layout, folder: Path, text: str, limit_s: float = 60.0) -> str | None:
    script = folder / "make.sh"
    script.write_text(text, "utf-8")
    return asyncio.run(run_scaffold(layout, script, limit_s=limit_s))


def test_a_script_runs_in_the_workspace_and_knows_its_own_folder(layout: Layout, tmp_path: Path) -> None:
    (tmp_path / "fixture.txt").write_text("low water", "utf-8")

    assert scaffold(layout, tmp_path, 'cp "$(dirname "$0")/fixture.txt" . && git status > status.txt') is None

    assert (layout.cwd / "fixture.txt").read_text("utf-8") == "low water"
    assert "On branch main" in (layout.cwd / "status.txt").read_text("utf-8")


def test_a_script_sees_a_small_fixed_environment(
    layout: Layout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVAL_SHELL", "x")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "x")

    assert scaffold(layout, tmp_path, "env > env.txt") is None

    lines = (layout.cwd / "env.txt").read_text("utf-8").splitlines()
    seen = dict(line.split("=", 1) for line in lines)
    own = {"PATH", "HOME", "USERPROFILE", "TMPDIR", "TMP", "TEMP", "PWD", "TERM", "GIT_CONFIG_NOSYSTEM", MARKER}
    assert set(seen) - {"_", "SHLVL", "OLDPWD"} == own
    assert (seen["HOME"], seen["TMPDIR"], seen["TERM"]) == (str(layout.home), str(layout.tmp), "dumb")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("echo boom >&2; exit 3", "scaffold failed: make.sh ended with status 3: boom"),
        ("exit 4", "scaffold failed: make.sh ended with status 4"),
        ("kill -9 $$", "scaffold failed: make.sh ended with status -9"),
    ],
)
def test_a_script_that_fails_says_why(layout: Layout, tmp_path: Path, text: str, said: str) -> None:
    assert scaffold(layout, tmp_path, text) == said


def test_a_script_that_forks_and_sleeps_is_ended_with_all_it_started(layout: Layout, tmp_path: Path) -> None:
    began_s = time.monotonic()

    said = scaffold(layout, tmp_path, "(setsid sleep 300 & echo $! > pid); sleep 300", limit_s=2.0)

    assert said == "scaffold failed: make.sh was not done within 2 s and was ended"
    assert time.monotonic() - began_s < 100
    pid = int((layout.cwd / "pid").read_text("utf-8"))
    assert not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


def test_what_a_script_leaves_behind_is_ended_too(layout: Layout, tmp_path: Path) -> None:
    assert scaffold(layout, tmp_path, "setsid sleep 300 & echo $! > pid") is None

    pid = int((layout.cwd / "pid").read_text("utf-8"))
    assert not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


def test_without_bash_no_script_runs(layout: Layout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    assert "no bash was found" in str(scaffold(layout, tmp_path, "exit 0"))


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="the program of this test is a script")
@pytest.mark.parametrize(("is_on", "made"), [(True, ()), (False, None)])
def test_a_scaffold_runs_only_when_it_is_asked_for(
    tmp_path: Path, *, is_on: bool, made: tuple[str, ...] | None
) -> None:
    """What it makes is no new file of the run."""
    plugin = harbour(tmp_path)
    (plugin / "evals/high-water/make.sh").write_text("echo tide > b.txt", "utf-8")
    agent = ClaudeCodeSuiteAgent(program=scripted_program(tmp_path), version="2.1.332", scaffold=is_on)

    asked = ask(agent, case_for(plugin, scaffold_script="make.sh"))

    assert asked.error is None
    assert asked.run.seen_files["b.txt"].state == ("file" if is_on else "missing")
    assert made is None or "b.txt" not in (asked.run.created_files or ())


def test_a_run_whose_scaffold_fails_is_not_graded(tmp_path: Path) -> None:
    plugin = harbour(tmp_path)
    (plugin / "evals/high-water/make.sh").write_text("exit 3", "utf-8")
    agent = ClaudeCodeSuiteAgent(program=scripted_program(tmp_path), version="2.1.332", scaffold=True)

    asked = ask(agent, case_for(plugin, scaffold_script="make.sh"))

    assert asked.error == "scaffold failed: make.sh ended with status 3"
    assert asked.duration_s == 0.0
    assert asked.started_at is not None
    assert asked.run.trace is None
