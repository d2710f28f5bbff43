"""Translations by the real program Claude Code, which asks a scripted server on the loopback."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from skill_evaluator.cli import main
from skill_evaluator.formats.evalcase.marks import marked_text
from tests.api_server import Answer, ApiServer, Asked, call, text
from tests.unit import claude_server
from tests.unit.claude_server import tools_shown, words_of
from tests.unit.translation_setup import GOOD, SKILL, SOURCES

AGENT = ("--agent", "claude-code", "--model", "claude-opus-5-5", "--yes", "--quiet")
PROBE = "brindlewick-tide-word"
OUT = Path("made.out")


class Model:
    """Starts the skill, then translates; what it says of a source may be changed."""

    def __init__(self) -> None:
        self.says = {SOURCES[name]: f"{good}\n" for name, good in GOOD.items()}

    def __call__(self, asked: Asked) -> Answer:
        messages = asked["messages"]
        assert isinstance(messages, list)
        words = list(words_of([one for one in messages if one["role"] == "user"]))
        started = '"tool_result"' in json.dumps(messages)
        wanted = next((found for word in words if (found := marked_text(word))), None)
        if wanted is None:  # the canary, whose probe is listed in each of its prompts
            return call("Skill", {"skill": PROBE}) if PROBE in words[-1] and not started else text("42")
        return text(self.says[wanted]) if started else call("Skill", {"skill": SKILL})


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
def server(model: Model, claude_program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ApiServer]:
    """The server that the program asks, from a folder with the skill and the cases."""
    monkeypatch.setattr(claude_server, "answer", model)
    monkeypatch.setenv("PATH", f"{claude_program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    with claude_server.serving(tmp_path, monkeypatch) as server:
        yield server


@pytest.mark.usefixtures("translator", "cases")
def test_each_case_is_translated_checked_and_not_asked_again(
    server: ApiServer, capsys: pytest.CaptureFixture[str]
) -> None:
    make = ["translation", "candidates", SKILL, "ui", "-o", str(OUT), *AGENT, "--no-canary"]

    assert main(make) == 0, capsys.readouterr().err
    rows = [json.loads(line) for line in OUT.read_text("utf-8").splitlines()]
    assert [(row["case_id"], row["text"]) for row in rows] == [(f"ui.{name}", good) for name, good in GOOD.items()]
    assert main(["translation", "check", "ui/cases/dev/ui.jsonl", str(OUT)]) == 0
    sent = json.dumps(server.requests)
    assert "Secret words of a locked case" not in sent
    asked = len(tools_shown(server))
    assert asked == 2 * len(GOOD)
    assert main([*make, "--resume"]) == 0
    assert len(tools_shown(server)) == asked


@pytest.mark.usefixtures("translator", "cases", "server")
def test_the_verdict_follows_from_what_it_wrote(model: Model) -> None:
    model.says[SOURCES["greet"]] = "Willkommen!"

    assert main(["run", SKILL, "--testset", "ui", *AGENT, "--json", "report.json"]) == 1
    report = json.loads(Path("report.json").read_text("utf-8"))
    assert (report["verdict"], report["canary"]["state"]) == ("FAIL", "passed")
    greet, coins, _ = report["cases"]
    assert {one["outcome"]["code"] for run in greet["runs"] for one in run["verdicts"]} == {"ok", "token_missing"}
    assert [run["state"] for run in coins["runs"]] == ["triggered"] * 3
