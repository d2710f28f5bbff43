"""Runs of eval suites with the real program, which asks a scripted server on the loopback."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from skill_evaluator.agents.claude_code.program import open_program
from skill_evaluator.agents.claude_code.suite_agent import ClaudeCodeSuiteAgent
from skill_evaluator.grading.suites import is_gradable
from skill_evaluator.model import Arm, FailureKind, Limits
from tests.api_server import Answer, ApiServer, Asked, call, delayed, fault, text
from tests.suite_files import lay_out
from tests.unit.claude_setup import ask, case_for, harbour
from tests.unit.command_setup import left_behind

pytestmark = pytest.mark.usefixtures("temporary")

ALONE = ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_AUTOUPDATER")  # it asks nobody but its server
POISON = "brindlewick"
PRICES = {"input_tokens": 100, "output_tokens": 20}


def answer(asked: Asked) -> Answer:
    """Do what the prompt says, a word of it a turn."""
    body = json.dumps(asked["messages"])
    results = body.count('"tool_result"')
    if "be refused" in body:
        return fault(401, headers={"x-should-retry": "false"})
    if "wait" in body:
        return delayed(text("too late"), 30)
    if "go on" in body:
        return call("Glob", {"pattern": f"{results}*"})
    if "the skill" in body and not results:
        return call("Skill", {"skill": "tide-table"}, usage=PRICES)
    return text("High water at 12:04.", usage=PRICES)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ApiServer]:
    """A server, and a home that no run may see."""
    lay_out(
        tmp_path / "home",
        {
            ".claude/skills/poison/SKILL.md": f"---\nname: poison\ndescription: {POISON}\n---\n",
            ".claude/CLAUDE.md": POISON,
            ".claude/settings.json": json.dumps({"model": POISON, "env": {"EVAL_POISON": POISON}}),
        },
    )
    with ApiServer(answer) as server:
        for name, value in {**server.environment(), **dict.fromkeys(ALONE, "1")}.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("HOME", str(tmp_path / "home"))
        yield server


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    return harbour(tmp_path)


@pytest.fixture(scope="module")
def agent(claude_program: Path) -> ClaudeCodeSuiteAgent:
    program = open_program(claude_program)
    return ClaudeCodeSuiteAgent(program=program.path, version=program.version, model="claude-opus-5-5")


def asked_of(server: ApiServer) -> list[Asked]:
    return [asked for asked in server.requests if asked.get("tools")]


def test_the_skill_is_listed_fires_and_is_paid_for(
    agent: ClaudeCodeSuiteAgent, server: ApiServer, plugin: Path, temporary: Path
) -> None:
    asked = ask(agent, case_for(plugin, "the skill, please"))

    # The program counts the body of the skill, which comes as words of the user, as a turn.
    assert (asked.error, asked.turns, asked.notes) == (None, 3, ())
    # Two answers, each 100 read at 4 dollars a million and 20 written at 20.
    assert asked.cost_usd == pytest.approx(0.0016)
    assert (asked.run.triggered, asked.run.output) == (True, "High water at 12:04.")
    assert "harbour:tide-table: Gives tides." in json.dumps(asked_of(server)[0]["messages"])
    assert left_behind(temporary, os.getpid()) == []


def test_nothing_of_the_users_home_reaches_the_model(
    agent: ClaudeCodeSuiteAgent, server: ApiServer, plugin: Path
) -> None:
    asked = ask(agent, case_for(plugin, "hello"))

    assert asked.error is None
    sent = json.dumps(asked_of(server))
    assert POISON not in sent
    assert "Git user: Plugin Eval" in sent
    assert "?? ../.gitconfig" in sent


def test_without_the_plugin_the_skill_is_unknown(agent: ClaudeCodeSuiteAgent, server: ApiServer, plugin: Path) -> None:
    asked = ask(agent, case_for(plugin, "the skill, please"), Arm.WITHOUT)

    assert asked.run.triggered is False
    assert "harbour:" not in json.dumps(asked_of(server)[0])


def test_a_refused_key_is_told_apart(agent: ClaudeCodeSuiteAgent, server: ApiServer, plugin: Path) -> None:
    asked = ask(agent, case_for(plugin, "be refused"))

    assert asked.run.failure is not None
    assert asked.run.failure.kind is FailureKind.AUTH
    assert str(asked.error).startswith("exit 1: ")
    assert not is_gradable(asked.run)
    assert server.requests


def test_the_turn_limit_leaves_a_run_that_is_graded(
    agent: ClaudeCodeSuiteAgent, server: ApiServer, plugin: Path
) -> None:
    asked = ask(agent, case_for(plugin, "go on", limits=Limits(max_turns=2, timeout_s=120)))

    assert (asked.run.cut_by, asked.run.failure, asked.turns) == ("max_turns", None, 3)
    assert asked.error is not None
    assert len(asked_of(server)) == 2
    assert is_gradable(asked.run)


@pytest.mark.usefixtures("server")
def test_the_time_limit_ends_it(agent: ClaudeCodeSuiteAgent, plugin: Path, temporary: Path) -> None:
    asked = ask(agent, case_for(plugin, "wait", limits=Limits(timeout_s=4)))

    assert asked.error == "timed out after 4s"
    assert is_gradable(asked.run)
    assert left_behind(temporary, os.getpid()) == []


@pytest.mark.usefixtures("server")
def test_what_a_hook_of_the_plugin_writes_into_it_is_told(agent: ClaudeCodeSuiteAgent, plugin: Path) -> None:
    hook = {"type": "command", "command": 'echo x > "${CLAUDE_PLUGIN_ROOT}/written.txt"'}
    lay_out(plugin, {"hooks/hooks.json": json.dumps({"hooks": {"SessionStart": [{"hooks": [hook]}]}})})
    asked = ask(agent, case_for(plugin, "hello"))

    assert [note.rpartition(": ")[2] for note in asked.notes] == ["written.txt"]
