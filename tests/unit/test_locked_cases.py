"""Locked cases never become prompts: a program that watches every file that is opened sees none of theirs."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.unit.translation_setup import SKILL, cases_at, config_at, recordings_at

HERE = str(Path(__file__).parents[2])
# Calls the command line several times in one process, and writes down what each call opened and how it ended.
WATCHED = """
import json, os, sys

opened = []

def note(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, bytes)):
        opened.append(os.path.realpath(os.fsdecode(arguments[0])))

sys.addaudithook(note)
from skill_evaluator.cli import main

calls = []
for words in json.loads(sys.argv[1]):
    opened.clear()
    calls.append([main(words), sorted({one for one in opened if one.endswith(".jsonl")})])
print(json.dumps(calls), file=open("calls.json", "w"))
"""
LOCKED = "secret.jsonl"


def watch(folder: Path, *commands: Sequence[str]) -> list[tuple[int, list[str]]]:
    """Call the program and give the exit status of each command, and the names of the files of cases that it opened."""
    subprocess.run(
        [sys.executable, "-c", WATCHED, json.dumps(commands)],
        cwd=folder, env={**os.environ, "PYTHONPATH": HERE}, stdin=subprocess.DEVNULL, capture_output=True, check=True,
    )  # fmt: skip
    calls = json.loads((folder / "calls.json").read_text("utf-8"))
    return [(status, [Path(path).name for path in paths if "/cases/" in path]) for status, paths in calls]


def commands(testset: str, *options: str) -> tuple[list[str], list[str]]:
    """Both commands that make prompts."""
    return (
        ["run", SKILL, "--testset", testset, "--yes", *options],
        ["translation", "candidates", SKILL, testset, "-o", f"{len(testset)}.out", *options],
    )


@pytest.fixture
def recorded(tmp_path: Path) -> list[str]:
    """Options of an agent that answers from recordings."""
    return ["--agent", "replay", "--recordings", str(recordings_at(tmp_path / "recorded.jsonl"))]


@pytest.mark.usefixtures("translator", "cases")
def test_a_run_and_the_making_of_candidates_open_no_locked_file(tmp_path: Path, recorded: list[str]) -> None:
    asked = ["--agent", "command", "--agent-config", str(config_at(tmp_path)), "--concurrency", "1"]
    calls = watch(
        tmp_path, *commands("ui", *recorded), *commands("ui/cases/dev/ui.jsonl", *recorded), *commands("./ui", *asked)
    )

    assert calls == [(0, ["ui.jsonl"])] * 6


@pytest.mark.usefixtures("translator", "cases")
def test_the_watcher_would_see_it(tmp_path: Path) -> None:
    """`translation check` makes no prompt, so it reads locked cases."""
    (tmp_path / "c.out").write_text('{"case_id": "ui.greet", "text": "Willkommen, %s!"}\n', "utf-8")

    assert watch(tmp_path, ["translation", "check", "ui", "c.out"]) == [(1, ["ui.jsonl", LOCKED])]


@pytest.mark.usefixtures("translator", "cases")
def test_asking_for_a_locked_case_is_refused_without_a_look_at_it(tmp_path: Path, recorded: list[str]) -> None:
    (tmp_path / "linked.jsonl").symlink_to(tmp_path / "ui" / "cases" / "locked" / LOCKED)
    (tmp_path / "linked").symlink_to(tmp_path / "ui" / "cases" / "locked")
    asked = [
        commands(f"ui/cases/locked/{LOCKED}", *recorded),
        commands("ui/cases/locked", *recorded),
        commands("linked.jsonl", *recorded),
        commands("linked", *recorded),
        commands(f"ui/cases/dev/../locked/{LOCKED}", *recorded),
        commands("ui", "--case", "secret.quit", *recorded),
    ]
    calls = watch(tmp_path, *(words for both in asked for words in both))

    assert [status for status, _ in calls] == [1] * 12
    assert {name for _, names in calls for name in names} <= {"ui.jsonl"}


@pytest.mark.usefixtures("translator")
def test_a_locked_file_under_another_name_is_not_opened(tmp_path: Path, recorded: list[str]) -> None:
    for name in ("link", "hard", "foreign"):
        cases_at(tmp_path / name)
    secret = tmp_path / "link" / "cases" / "locked" / LOCKED
    (tmp_path / "link" / "cases" / "dev" / "other.jsonl").symlink_to(secret)
    (tmp_path / "foreign" / "cases" / "dev" / "other.jsonl").symlink_to(secret)
    (tmp_path / "hard" / "cases" / "dev" / "other.jsonl").hardlink_to(tmp_path / "hard" / "cases" / "locked" / LOCKED)

    calls = watch(tmp_path, *(words for name in ("link", "hard", "foreign") for words in commands(name, *recorded)))
    assert calls == [(1, [])] * 6


@pytest.mark.usefixtures("translator", "cases")
def test_nothing_of_a_locked_case_is_kept_or_sent(tmp_path: Path) -> None:
    asked = ["--agent", "command", "--agent-config", str(config_at(tmp_path)), "--json", "report.json"]

    assert watch(tmp_path, commands("ui", *asked)[0])[0][0] == 0
    places = [tmp_path / ".skill-evaluator", tmp_path / "reports", tmp_path / "report.json"]
    files = [file for place in places for file in ([place] if place.is_file() else place.rglob("*")) if file.is_file()]
    assert len(files) > 4
    assert not [file for file in files if b"Secret words" in file.read_bytes() or b"secret.quit" in file.read_bytes()]
    assert json.loads((tmp_path / "report.json").read_text("utf-8"))["warnings"][0]["code"] == "locked-not-opened"
