"""The folder of an eval suite in place of a test set: imported, or run as it is, with the ordinary report."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from skill_evaluator.cli import main
from tests.unit.conftest import NEGATIVES, POSITIVES


@pytest.fixture
def suite(skill_dir: Path) -> Path:
    """A plugin with six cases of each class, and one that says nothing of the skill."""
    plugin = skill_dir.parent / "plugin"
    (plugin / ".claude-plugin").mkdir(parents=True)
    (plugin / ".claude-plugin" / "plugin.json").write_text('{"name": "games"}', "utf-8")
    for number, prompt in enumerate(POSITIVES):
        case(plugin, f"p{number}", prompt, fires="type: tool_used\ntool: Skill\ninput_match: level-maker")
    for number, prompt in enumerate(NEGATIVES):
        case(plugin, f"n{number}", prompt, stays="type: tool_used\ntool: Skill\nmin: 0\nmax: 0")
    case(plugin, "silent", "whatever", polite="type: llm\ncriteria: PASS if polite, FAIL if not.")
    grader(plugin / "evals" / "p1" / "graders" / "done.md", "type: regex\npattern: level \\d")
    return plugin


def case(plugin: Path, name: str, prompt: str, **graders: str) -> None:
    folder = plugin / "evals" / name
    (folder / "graders").mkdir(parents=True)
    (folder / "prompt.md").write_text(prompt, "utf-8")
    for key, text in graders.items():
        grader(folder / "graders" / f"{key}.md", text)


def grader(path: Path, text: str) -> None:
    path.write_text(f"---\n{text}\n---\n", "utf-8")


def test_a_suite_becomes_a_test_set(suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "testset.json"

    assert main(["import", str(suite), "-o", str(output)]) == 0
    rows = json.loads(output.read_text("utf-8"))
    by_id = {row["id"]: row for row in rows}
    assert len(rows) == 12
    assert {row["input"] for row in rows if row["type"] == "should_trigger"} == set(POSITIVES)
    assert {row["input"] for row in rows if row["type"] == "should_not_trigger"} == set(NEGATIVES)
    assert by_id["p1"]["graders"] == [{"name": "done", "type": "regex", "pattern": "level \\d"}]
    assert "1 case left out, saying nothing of the skill: silent" in capsys.readouterr().err
    assert main(["validate", str(output)]) == 0


def test_a_suite_is_run_and_regraded_as_a_test_set(
    suite: Path,
    skill_dir: Path,
    tmp_path: Path,
    record: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = {"skills_invoked": ["level-maker"], "text": "here is level 7"}
    recordings = record({"p1": answer, "n2": {"skills_invoked": ["level-maker"]}})
    out = tmp_path / "report.json"
    options = ["--agent", "replay", "--recordings", str(recordings), "--yes", "--json", str(out)]
    main(["run", str(skill_dir), "--testset", str(suite), *options])
    report: dict[str, Any] = json.loads(out.read_text("utf-8"))
    said = capsys.readouterr().err

    metrics = {case["id"]: case for case in report["cases"]}
    assert len(metrics) == 12
    assert {case["case"] if "case" in case else case["id"] for case in report["cases"]} == set(metrics)
    assert "silent" in said
    (folder,) = (tmp_path / ".skill-evaluator" / "runs").iterdir()
    kept = json.loads((folder / "testset.json").read_text("utf-8"))
    assert {row["id"] for row in kept} == set(metrics)
    again = tmp_path / "again.json"
    main(["regrade", str(folder), "--yes", "--json", str(again)])
    regraded = json.loads(again.read_text("utf-8"))
    assert regraded["splits"] == report["splits"]
    assert regraded["cases"] == report["cases"]
