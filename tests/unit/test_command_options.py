"""The options of the command agent, and what other agents say of them."""

import json
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from skill_evaluator.cli import main
from tests.unit.command_setup import config
from tests.unit.report_files import written

NARROW = ("--case", "p1", "--case", "n1", "--draft", "--runs", "1", "--no-canary", "--yes", "--quiet")
SHOW = """
import json, os, pathlib, sys
notes = {str(path): path.read_text("utf-8") for path in sorted(pathlib.Path().rglob("*.txt"))}
print(json.dumps({"type": "skill", "name": "level-maker" if "level" in sys.argv[-1] else "none"}))
print(json.dumps({"type": "text", "text": json.dumps({"notes": notes, "argv": sys.argv[1:]})}))
"""


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "temporary").mkdir()
    (tmp_path / "work").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


def with_files(skill_dir: Path) -> None:
    path = skill_dir / "testset.json"
    rows = json.loads(path.read_text("utf-8"))
    for row in rows:
        row["files"] = {"notes/todo.txt": f"for {row['id']}"}
    path.write_text(json.dumps(rows), "utf-8")


def show(folder: Path, *arguments: str, more: str = "") -> Path:
    """A program that says what it was given."""
    program = folder / "show.py"
    program.write_text(SHOW, "utf-8")
    path = folder / "show.toml"
    argv = json.dumps([sys.executable, "{config_dir}/show.py", *arguments, "--", "{prompt}"])
    read = "[read]\nskill = \"type == 'skill' && name\"\ntext = \"type == 'text' && text\"\n"
    path.write_text(f'argv = {argv}\nformat = "jsonl"\n{more}\n{read}', "utf-8")
    return path


def answer_of(report: Mapping[str, Any], case: str) -> Mapping[str, Any]:
    (found,) = [one for one in report["cases"] if one["id"] == case]
    answer: Mapping[str, Any] = json.loads(found["runs"][0]["output"])
    return answer


def test_files_of_the_case_and_the_model_reach_the_program(skill_dir: Path, tmp_path: Path) -> None:
    with_files(skill_dir)
    path = show(tmp_path, "--model={model}", more='model = "m1"')

    main(["run", str(skill_dir), "--agent", "command", "--agent-config", str(path), "--model", "m2", *NARROW])

    report = written()
    assert answer_of(report, "p1")["notes"] == {"notes/todo.txt": "for p1"}
    assert answer_of(report, "n1")["notes"] == {"notes/todo.txt": "for n1"}
    assert answer_of(report, "p1")["argv"][:2] == ["--model=m2", "--"]
    assert report["agent"]["model"] == "m2"
    assert report["agent"]["settings"]["listing"] == "not checked"


def test_the_report_says_how_to_measure_again(skill_dir: Path, tmp_path: Path) -> None:
    path = show(tmp_path, "{model}", more='model = "m1"')

    main(["run", str(skill_dir), "--agent", "command", "--agent-config", str(path), "--timeout-s", "7.5", *NARROW])

    (page,) = Path("reports").glob("*.md")
    text = page.read_text("utf-8")
    assert f"--agent command --agent-config {path} --timeout-s 7.5 --model m1 " in text
    assert "model `m1`" in text


def test_a_model_that_nobody_named_is_not_said_to_be_none(skill_dir: Path, tmp_path: Path) -> None:
    main(["run", str(skill_dir), "--agent", "command", "--agent-config", str(show(tmp_path)), *NARROW])

    (page,) = Path("reports").glob("*.md")
    assert "model not recorded" in page.read_text("utf-8")


def test_neighbours_are_installed_beside_the_skill(skill_dir: Path, tmp_path: Path) -> None:
    sibling = tmp_path / "skills" / "map-maker"
    sibling.mkdir(parents=True)
    (sibling / "SKILL.md").write_text("---\nname: map-maker\ndescription: Draws maps.\n---\n\n# Maps\n", "utf-8")
    path = config(tmp_path)

    main([
        *("run", str(skill_dir), "--agent", "command", "--agent-config", str(path)),
        *("--neighbours", str(tmp_path / "skills"), *NARROW),
    ])  # fmt: skip

    (neighbour,) = written()["agent"]["settings"]["neighbours"]
    assert neighbour.startswith("map-maker@")


def test_the_embedded_agent_says_that_it_does_not_look_at_files(skill_dir: Path) -> None:
    with_files(skill_dir)

    main(["run", str(skill_dir), "--yes", "--quiet"])

    assert {"code": "files_not_looked_at", "values": {"cases": 12}} in written()["notes"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--agent", "command"], "say it with --agent-config FILE.toml"),
        (["--agent", "command", "--agent-config", "none.toml"], "none.toml: cannot be read"),
        (
            ["--agent", "command", "--recordings", "x"],
            "--recordings is for --agent replay; the agent chosen is 'command'",
        ),
        (["--agent-config", "x.toml"], "--agent-config is for --agent command; the agent chosen is 'embedded'"),
        (["--model", "m"], "--model is for --agent command"),
        (["--timeout-s", "5"], "--timeout-s is for --agent command"),
        (["--timeout-s", "0"], "--timeout-s: 0.0 is no time above 0"),
        (["--timeout-s", "nan"], "--timeout-s: nan is no time above 0"),
        (["--timeout-s", "inf"], "--timeout-s: inf is no time above 0"),
    ],
)
def test_an_option_that_has_no_effect_is_refused(
    skill_dir: Path, in_folder: Path, capsys: pytest.CaptureFixture[str], options: list[str], told: str
) -> None:
    assert main(["run", str(skill_dir), "--yes", *options]) == 1

    assert told in capsys.readouterr().err
    assert list(in_folder.iterdir()) == []


def test_recordings_take_no_such_options(
    skill_dir: Path, record: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--agent", "replay", "--recordings", str(record()), "--model", "m", "--timeout-s", "5"]

    assert main(["run", str(skill_dir), "--yes", *options]) == 1

    told = capsys.readouterr().err
    assert "--model is for --agent command or claude-code or messages; the agent chosen is 'replay'" in told
    assert "--timeout-s is for --agent command" in told


def test_the_configuration_is_never_written_over(skill_dir: Path, tmp_path: Path) -> None:
    path = show(tmp_path)
    before = path.read_bytes()

    assert main([
        *("run", str(skill_dir), "--agent", "command", "--agent-config", str(path)), *("--json", str(path), *NARROW)
    ]) == 1  # fmt: skip
    assert path.read_bytes() == before


def test_a_regrade_fails_an_edited_skill_again(skill_dir: Path, tmp_path: Path) -> None:
    words = ("--agent", "command", "--agent-config", str(config(tmp_path, "edit")), "--yes", "--quiet")
    assert (
        main(["run", str(skill_dir), *words, "--case", "[pn][123]", "--concurrency", "2", "--draft", "--runs", "1"])
        == 2
    )
    (run_dir,) = Path(".skill-evaluator/runs").iterdir()

    main(["regrade", str(run_dir), "--yes", "--output-dir", "again"])

    assert written("again")["violations"] == written()["violations"] == ["SKILL.md"]


def test_doctor_names_the_agent(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0

    assert "agent command" in capsys.readouterr().out


def test_a_ceiling_on_costs_is_refused_where_nothing_tells_them(
    skill_dir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = str(show(tmp_path))

    assert main(["run", str(skill_dir), "--agent", "command", "--agent-config", config, "--max-cost-usd", "1"]) == 1
    assert "agent command does not report what a call costs" in capsys.readouterr().err
