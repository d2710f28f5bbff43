"""A suite from its options to its answer: a scripted program as the child, a loopback server as the judge."""

import json
import sys
from pathlib import Path

import pytest

from skill_evaluator.api.plugin_eval.execution import evaluate_suite
from skill_evaluator.api.plugin_eval.options import SuiteOptions
from skill_evaluator.api.plugin_eval.parts import make_parts, make_stand_ins
from skill_evaluator.api.plugin_eval.plan import plan_suite
from tests.api_server import ApiServer
from tests.api_server import text as answered
from tests.unit.claude_setup import scripted_program
from tests.unit.scripted_suites import JUDGED, Heard, case_files, suite

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the scripted program is a shell script")


def _program(folder: Path) -> Path:
    """A scripted program that tells its version as the real one does."""
    inner = scripted_program(folder)
    told = folder / "told" / "claude"
    told.parent.mkdir()
    told.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] && exec echo "2.1.332 (Claude Code)"\nexec "{inner}" "$@"\n', "utf-8"
    )
    told.chmod(0o755)
    return told


def test_a_suite_is_run_judged_and_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "c/prompt.md": "---\nruns: 1\n---\n\nwell\n",
        "c/graders/judged.md": JUDGED,
        "c/graders/open.md": "---\ntype: regex\n---\n\n[a-z]\n",
    }
    loaded = suite(tmp_path / "p", files)
    options = SuiteOptions(
        suite=loaded, output_dir=tmp_path / "out", report=tmp_path / "r.html", program=str(_program(tmp_path))
    )
    with ApiServer(lambda _: answered("PASS")) as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        evaluated = evaluate_suite(options, Heard())
    assert evaluated.result is not None, evaluated.reasons
    assert (evaluated.exit_status, evaluated.reasons) == (0, ())
    case = evaluated.result.cases[0]
    assert [grader.judge_votes for grader in case.with_plugin[0].graders] == [(True, True, True), None]
    assert case.numbers.delta == 0
    written = json.loads((tmp_path / "out" / "aggregate-result.json").read_text("utf-8"))
    assert written["aggregates"] == {
        "casesTotal": 1,
        "casesPassed": 1,
        "overallScore": 1,
        "overallPassRate": 1,
        "meanDelta": 0,
    }
    assert (tmp_path / "r.html").is_file()
    assert not (tmp_path / "out" / "report.html").exists()


def test_a_program_that_is_not_there_is_told_and_gives_one(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "p", case_files())
    options = SuiteOptions(suite=loaded, output_dir=tmp_path / "out", program=str(tmp_path / "nobody"))
    heard = Heard()
    evaluated = evaluate_suite(options, heard)
    assert (evaluated.result, evaluated.exit_status, heard.lines) == (None, 1, [])
    assert "Claude Code" in evaluated.reasons[0]


def test_a_suite_without_servers_starts_none_and_one_with_mocks_stands_in_for_them(tmp_path: Path) -> None:
    program = str(_program(tmp_path))
    mocks = {"mocks/tracker/t.md": "An answer.\n"}
    for name, files, has_any in (("bare", case_files(), False), ("mocked", {**case_files(), **mocks}, True)):
        loaded = suite(tmp_path / name, files)
        options = SuiteOptions(suite=loaded, output_dir=tmp_path / "out", program=program, allow_tools=("Write",))
        assert (make_stand_ins(options, plan_suite(options), None) is not None) is has_any
        assert make_parts(options, plan_suite(options)).agent.info.settings == {"version": "2.1.332"}


def test_agent_messages_needs_no_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "key-for-a-test")
    loaded = suite(tmp_path / "p", case_files())
    options = SuiteOptions(suite=loaded, output_dir=tmp_path / "out", agent="messages", model="haiku")
    parts = make_parts(options, plan_suite(options))
    assert (parts.agent.info.name, parts.judge) == ("messages", None)
