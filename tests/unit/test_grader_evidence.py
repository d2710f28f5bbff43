"""Graders over what agents keep: verdicts worked out by hand, and again from the run folder without any agent."""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from skill_evaluator.cli import main
from skill_evaluator.graders.suite.views import WHY_NO_LIST
from skill_evaluator.journal import JournalEntry, read_journal
from tests.api_server import call, text
from tests.unit.conftest import NEGATIVES, POSITIVES, rows
from tests.unit.messages_setup import FIRE, model, serve

SCRIPTED = Path(__file__).resolve().parents[1] / "scripted_claude.py"
READ = """
[read]
listed = "type == 'system' && skills"
skill = "type == 'assistant' && message.content[?name == 'Skill'].input.skill"
tool_calls = "type == 'assistant' && message.content[?type == 'tool_use'].{name: name, input: input, id: id}"
text = "type == 'result' && result"
"""
REPORT = {"source": "file", "path": "out/level.json"}

# The agent fires the skill, reads notes.txt, writes out/level.json, out/deep/.hidden and a link, and changes notes.txt.
GRADERS: Sequence[tuple[dict[str, object], bool]] = [
    ({"type": "regex", "pattern": "^wrote level \\d$|^Wrote Level \\d\\.$", "match": "count:1"}, True),
    ({"type": "regex", "pattern": "wrote"}, False),
    ({"type": "regex", "pattern": '"level_id": ?\\d', "target": REPORT}, True),
    ({"type": "regex", "pattern": "level_id", "target": REPORT, "match": "count:2"}, False),
    ({"type": "regex", "pattern": '"name": ?"Write"', "target": "trace"}, True),
    ({"type": "regex", "pattern": "out/", "target": "files", "match": "count:2"}, True),
    ({"type": "regex", "pattern": "x", "target": {"source": "file", "path": "gone"}, "match": "not_contains"}, False),
    ({"type": "tool_used", "tool": "Write", "input_match": "level\\.json", "max": 1}, True),
    ({"type": "tool_used", "tool": "Read", "min": 2}, False),
    ({"type": "tool_used", "tool": "Bash", "min": 0, "max": 0}, True),
    ({"type": "tool_order", "before": "Read", "after": {"tool": "Write", "input_match": "7"}}, True),
    ({"type": "tool_order", "before": "Write", "after": "Skill"}, False),
    ({"type": "file_exists", "path": "out/*.json"}, True),
    ({"type": "file_exists", "path": "out/link.json"}, False),
    ({"type": "file_exists", "path": "notes.txt", "exists": False}, True),
    ({"type": "file_exists", "path": "**/.hidden"}, True),
]  # fmt: skip


def write_testset(folder: Path, graders: Sequence[Mapping[str, object]], name: str = "testset.json") -> Path:
    changes = {"p1": {"graders": graders, "files": {"notes.txt": "as laid out"}}}
    path = folder / name
    path.write_text(json.dumps([{**row, **changes.get(str(row["id"]), {})} for row in rows()]), "utf-8")
    return path


def verdicts(report: Mapping[str, Any]) -> list[bool | None]:
    (case,) = [case for case in report["cases"] if case["id"] == "p1"]
    return [verdict["outcome"]["passed"] for verdict in case["runs"][0]["verdicts"]]


def entries(runs: Path) -> dict[str, JournalEntry]:
    (folder,) = (runs / ".skill-evaluator" / "runs").iterdir()
    return {entry.run.case_id: entry for entry in read_journal(folder).entries}


@pytest.fixture
def command_options(tmp_path: Path) -> list[str]:
    config = tmp_path / "agent.toml"
    argv = [sys.executable, str(SCRIPTED), "{skill_dir}", "{prompt}"]
    config.write_text(f'argv = {json.dumps(argv)}\nformat = "jsonl"\n{READ}', "utf-8")
    return ["--agent", "command", "--agent-config", str(config)]


def run(skill_dir: Path, options: Sequence[str]) -> Mapping[str, Any]:
    out = skill_dir.parent / "run.json"
    words = ["--draft", "--runs", "1", "--yes", "--quiet", "--json", str(out), "--output-dir", str(out.parent / "r")]
    main(["run", str(skill_dir), *options, *words])
    report: Mapping[str, Any] = json.loads(out.read_text("utf-8"))
    return report


def regraded(runs: Path, *options: str) -> Mapping[str, Any]:
    (folder,) = (runs / ".skill-evaluator" / "runs").iterdir()
    out = runs / "regraded.json"
    words = ["--yes", "--json", str(out), "--output-dir", str(runs / "r2")]
    main(["regrade", str(folder), *options, *words])
    report: Mapping[str, Any] = json.loads(out.read_text("utf-8"))
    return report


def test_a_program_is_graded_by_all_it_left_behind(
    skill_dir: Path, command_options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_testset(skill_dir, [grader for grader, _ in GRADERS])
    expected = [passed for _, passed in GRADERS]

    assert verdicts(run(skill_dir, command_options)) == expected
    kept = entries(tmp_path)
    graded = kept["p1"].run
    assert graded.created_files == ("out/deep/.hidden", "out/level.json")
    assert {path: seen.state for path, seen in graded.seen_files.items()} == {
        "out/level.json": "file",
        "gone": "missing",
    }
    assert graded.seen_files["out/level.json"].content == b'{"level_id": 7, "key": "[redacted]"}\n'
    assert graded.trace is not None
    assert [json.loads(line)["type"] for line in graded.trace[:2]] == ["system", "assistant"]
    again = regraded(tmp_path, "--testset", str(skill_dir / "testset.json"))
    assert verdicts(regraded(tmp_path)) == verdicts(again) == expected


def test_nothing_is_kept_where_no_grader_looks(
    skill_dir: Path, command_options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_testset(skill_dir, [{"type": "regex", "pattern": "level", "flags": "i"}])
    report = run(skill_dir, command_options)

    assert verdicts(report) == [True]
    (folder,) = (tmp_path / ".skill-evaluator" / "runs").iterdir()
    journal = (folder / "journal.jsonl").read_text("utf-8")
    assert not any(word in journal for word in ("trace", "created_files", "seen_files", "mock_calls"))

    # A changed test set looks at what was not kept: nobody knows, and the report says so.
    changed = write_testset(
        skill_dir,
        [
            {"type": "regex", "pattern": "level", "target": REPORT},
            {"type": "file_exists", "path": "out/*"},
            {"type": "regex", "pattern": "Write", "target": "trace"},
            {"type": "tool_used", "tool": "Write"},
        ],
        "changed.json",
    )
    again = regraded(tmp_path, "--testset", str(changed))
    (case,) = [case for case in again["cases"] if case["id"] == "p1"]
    found = case["runs"][0]["verdicts"]
    assert [verdict["outcome"]["passed"] for verdict in found] == [None, None, None, True]
    assert {verdict["outcome"]["code"] for verdict in found[:3]} == {"not_run"}
    assert [verdict["outcome"]["message"] for verdict in found[:3]] == [
        "The run keeps nothing of the file 'out/level.json'.",
        f"The run was kept without its created_files.{WHY_NO_LIST}",
        "The run was kept without its trace.",
    ]


def test_a_model_is_graded_by_the_files_it_wrote_in_memory(
    skill_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    graders: Sequence[tuple[Mapping[str, object], bool]] = [
        ({"type": "regex", "pattern": "^level_id: 8$", "target": {"source": "file", "path": "./out/level.yaml"}}, True),
        ({"type": "regex", "pattern": "buy", "target": {"source": "file", "path": "notes.txt"}}, True),
        ({"type": "regex", "pattern": "x", "match": "not_contains", "target": {"source": "file", "path": "o"}}, False),
        ({"type": "file_exists", "path": "out/*.yaml"}, True),
        ({"type": "file_exists", "path": "notes.txt"}, False),
        ({"type": "file_exists", "path": "skills/**", "exists": False}, True),
        ({"type": "regex", "pattern": '"tool_result".+"content":"out/level.yaml: written', "target": "trace"}, True),
        ({"type": "regex", "pattern": "Base folder of this skill", "target": "trace"}, True),
        ({"type": "tool_used", "tool": "Edit", "min": 2, "max": 2}, True),
        ({"type": "tool_used", "tool": "deploy"}, True),
        ({"type": "tool_order", "before": "Write", "after": "deploy"}, True),
        ({"type": "regex", "pattern": "^Done\\.$"}, True),
    ]  # fmt: skip
    write_testset(skill_dir, [grader for grader, _ in graders])
    answers = {
        POSITIVES[1]: [
            call("Skill", {"skill": FIRE}),
            call("Write", {"path": "out/level.yaml", "content": "level_id: 7"}),
            call("Edit", {"path": "out/level.yaml", "old_text": "7", "new_text": "8"}),
            call("Edit", {"path": "notes.txt", "old_text": "as laid out", "new_text": "buy milk"}),
            call("Write", {"path": "skills/level-maker/SKILL.md", "content": "mine"}),
            call("deploy", {}),
            text("Done."),
        ]
    }
    with serve(model(answers)) as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        report = run(skill_dir, ["--agent", "messages", "--model", "some-model"])
        offered = [
            {tool["name"] for tool in asked["tools"]}  # type: ignore[attr-defined]
            for asked in server.requests
            if NEGATIVES[0] in json.dumps(asked) or POSITIVES[1] in json.dumps(asked)
        ]
    expected = [passed for _, passed in graders]

    assert verdicts(report) == expected
    assert {frozenset(names) for names in offered} == {
        frozenset({"Skill", "Read", "Glob", "Grep"}),
        frozenset({"Skill", "Read", "Glob", "Grep", "Write", "Edit", "deploy"}),
    }
    kept = entries(tmp_path)
    assert kept["p1"].run.created_files == ("out/level.yaml",)
    assert kept["p1"].run.skill_changes == ()
    trace = kept["p1"].run.trace
    assert trace is not None
    assert json.loads(trace[-1]) == {
        "type": "result", "subtype": "success", "is_error": False, "num_turns": 7, "result": "Done.",
    }  # fmt: skip
    assert kept["p0"].run.trace is None
    assert verdicts(regraded(tmp_path)) == expected
