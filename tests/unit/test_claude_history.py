"""A transcript is copied into the run and gone on with there; the case's folder stays as it is."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from skill_evaluator.agents.claude_code.history import prepare_history
from skill_evaluator.agents.claude_code.layout import Layout, furnish
from skill_evaluator.agents.claude_code.program import open_program
from skill_evaluator.agents.claude_code.suite_agent import ClaudeCodeSuiteAgent
from skill_evaluator.agents.claude_code.transcript import transcript
from skill_evaluator.model import Turn
from tests.api_server import ApiServer
from tests.unit.claude_server import serving
from tests.unit.claude_setup import ask, case_for, harbour

TALK = transcript(
    (Turn(role="user", text="When is brindlewick?"), Turn(role="assistant", text="At a quarter to merlow.")),
    model="claude-opus-5-5",
    version="2.1.332",
)


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ApiServer]:
    with serving(tmp_path, monkeypatch) as server:
        yield server


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    plugin = harbour(tmp_path)
    (plugin / "evals/high-water/talk.jsonl").write_bytes(TALK)
    return plugin


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    layout = Layout.below(tmp_path / "run")
    furnish(layout)
    return layout


def hashes(folder: Path) -> dict[str, str]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_the_real_program_goes_on_with_a_transcript_and_the_case_stays_as_it_is(
    claude_program: Path, server: ApiServer, plugin: Path
) -> None:
    before = hashes(plugin)
    program = open_program(claude_program)
    agent = ClaudeCodeSuiteAgent(program=program.path, version=program.version)

    asked = ask(agent, case_for(plugin, "And then?", history_file="talk.jsonl"))

    assert asked.error is None
    sent = json.dumps(next(one["messages"] for one in server.requests if one.get("tools")))
    assert "When is brindlewick?" in sent
    assert sent.index("quarter to merlow") < sent.index("And then?")
    assert "merlow" not in "".join(asked.run.trace or ())
    assert hashes(plugin) == before


def test_the_copy_is_whole_and_lies_in_the_run(layout: Layout, plugin: Path) -> None:
    copy = prepare_history(layout, case_for(plugin, history_file="talk.jsonl"))

    assert isinstance(copy, Path)
    assert copy.is_relative_to(layout.out)
    assert copy.read_bytes() == TALK


@pytest.mark.parametrize(
    ("named", "said"), [("gone.jsonl", "cannot be read"), (".", "cannot be read"), (None, "no transcript")]
)
def test_what_cannot_be_copied_is_said(layout: Layout, plugin: Path, named: str | None, said: str) -> None:
    assert said in str(prepare_history(layout, case_for(plugin, history_file=named)))


def test_a_transcript_has_a_bound(layout: Layout, plugin: Path) -> None:
    said = prepare_history(layout, case_for(plugin, history_file="talk.jsonl"), max_bytes=100)

    assert "larger than 100 bytes" in str(said)
