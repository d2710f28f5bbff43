"""`run --agent claude-code` with the real program against a scripted server."""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from skill_evaluator.cli import main
from tests.api_server import Answer, ApiServer, Asked, call, fault, text
from tests.suite_files import lay_out
from tests.unit.claude_server import words_of

PROBE, POISON = "brindlewick-tide-word", "merlow"
ALONE = ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_AUTOUPDATER")  # it asks nobody but its server
SKILLS = {
    "jovd83+defensive-appsec-review-skill": "defensive-appsec-review-skill",
    "dalberto+imessage-history-skill": "imessage-history",
    "limleesol+stop-slop-ko": "stop-slop-ko",
}


def choosing(wanted: Callable[[str], str | None]) -> Callable[[Asked], Answer]:
    """A model that starts the skill which its prompt wants, and passes the canary."""

    def answer(asked: Asked) -> Answer:
        messages = asked["messages"]
        assert isinstance(messages, list)
        last = [message for message in messages if message["role"] == "user"][-1]
        prompt = list(words_of(last))[-1].strip()
        if "tool_result" in json.dumps(last):
            return text("Done.")
        skill = PROBE if PROBE in prompt else wanted(prompt)
        return call("Skill", {"skill": skill}) if skill else text("That takes no skill.")

    return answer


@pytest.fixture
def alone(claude_program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home full of what must not reach a run, and a working folder."""
    poison = {
        ".claude/skills/poison/SKILL.md": f"---\nname: poison\ndescription: {POISON}\n---\n",
        ".claude/CLAUDE.md": POISON,
        ".claude/agents/poison.md": f"---\nname: poison\ndescription: {POISON}\n---\n{POISON}\n",
        ".claude/settings.json": json.dumps({"model": POISON, "permissions": {"deny": ["Skill"]}}),
        ".claude.json": json.dumps({"mcpServers": {POISON: {"command": POISON}}}),
    }
    home = lay_out(tmp_path / "home", poison)
    work = lay_out(tmp_path / "work", {"CLAUDE.md": POISON, ".claude/settings.json": poison[".claude/settings.json"]})
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", f"{claude_program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(work)
    return work


@contextmanager
def serving(answer: Callable[[Asked], Answer], monkeypatch: pytest.MonkeyPatch) -> Iterator[ApiServer]:
    with ApiServer(answer) as server:
        for name, value in {**server.environment(), **dict.fromkeys(ALONE, "1")}.items():
            monkeypatch.setenv(name, value)
        yield server


def score(skill: Path, testset: Path, *options: str) -> tuple[int, Mapping[str, Any]]:
    report = Path(f"{len(list(Path.cwd().iterdir()))}.json")
    usual = ("--agent", "claude-code", "--model", "claude-opus-5-5", "--yes", "--quiet", "--draft", "--runs", "1")
    status = main(["run", str(skill), "--testset", str(testset), *usual, "--json", str(report), *options])
    return status, json.loads(report.read_text("utf-8"))


def matrix(report: Mapping[str, Any]) -> tuple[int, int, int, int]:
    """Count hits, misses, false alarms and rightly quiet cases, by what single runs did."""
    counts = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    for case in report["cases"]:
        (run,) = case["runs"]
        assert run["state"] in {"triggered", "not_triggered"}, run
        counts[case["expect_trigger"], run["state"] == "triggered"] += 1
    return counts[True, True], counts[True, False], counts[False, True], counts[False, False]


@pytest.mark.parametrize("folder", SKILLS)
def test_a_real_skill_has_the_matrix_worked_out_by_hand_at_any_concurrency(
    folder: str, corpus: Path, alone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The model misses the first two prompts of the skill, and starts it at the first one that is none of it."""
    source, testset = corpus / "triggersets" / folder, alone / "cases.json"
    assert main(["import", str(source / "trigger.json"), "-o", str(testset)]) == 0
    rows = json.loads(testset.read_text("utf-8"))
    ours = [row["input"].strip() for row in rows if row["type"] == "should_trigger"]
    others = [row["input"].strip() for row in rows if row["type"] == "should_not_trigger"]
    fires = {*ours[2:], others[0]}
    found = []
    with serving(choosing(lambda prompt: SKILLS[folder] if prompt in fires else None), monkeypatch) as server:
        for workers in ("1", "8"):
            _, report = score(source / "SKILL.md", testset, "--concurrency", workers)
            assert report["canary"]["state"] == "passed"
            found.append(matrix(report))
        sent = json.dumps(server.requests)

    assert found == [(len(ours) - 2, 2, 1, len(others) - 1)] * 2
    assert POISON not in sent
    assert json.dumps(others[0])[1:-1] in sent


def test_a_refused_key_stops_the_suite_at_once(
    skill_dir: Path, alone: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    del alone
    refuse = fault(401, headers={"x-should-retry": "false"})
    with serving(lambda _: refuse, monkeypatch) as server:
        usual = ("--agent", "claude-code", "--model", "claude-opus-5-5", "--yes", "--no-canary")
        status = main(["run", str(skill_dir), *usual, "--concurrency", "1"])

    assert status == 2
    assert len([asked for asked in server.requests if asked.get("tools")]) <= 2
    assert "stopped by a failed authentication" in capsys.readouterr().err


def test_expected_tools_are_called_files_are_there_and_earlier_turns_were_said(
    skill_dir: Path, alone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = {
        "id": "talk",
        "type": "should_trigger",
        "split": "acceptance",
        "input": "make one more, please",
        "context": [{"role": "user", "text": "I build a game."}, {"role": "assistant", "text": "How nice."}],
        "files": {"notes.txt": "low water"},
        "expected_tool_calls": ["load_map"],
    }
    testset = alone / "cases.json"
    testset.write_text(json.dumps([*json.loads((skill_dir / "testset.json").read_text("utf-8")), row]), "utf-8")

    def answer(asked: Asked) -> Answer:
        results = json.dumps(asked["messages"]).count('"tool_result"')
        steps = [
            call("Skill", {"skill": "level-maker"}),
            call("mcp__tools__load_map", {"level": 4}),
            call("Read", {"file_path": f"{_workspace(asked)}/notes.txt"}),
        ]
        return steps[results] if results < len(steps) else text("Made.")

    with serving(answer, monkeypatch) as server:
        _, report = score(skill_dir / "SKILL.md", testset, "--case", "talk", "--no-canary")

    (case,) = [one for one in report["cases"] if one["id"] == "talk"]
    assert [run["state"] for run in case["runs"]] == ["triggered"]
    assert report["metrics"]["tool_order_pass_rate"] == 1.0
    last = json.dumps(server.requests[-1]["messages"])
    assert "I build a game." in last
    assert "low water" in last


def _workspace(asked: Asked) -> str:
    """The working folder, as the model is told of it."""
    words = " ".join(words_of(asked["messages"]))
    return words.partition("orking directory: ")[2].split()[0]
