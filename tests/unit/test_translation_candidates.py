"""Translations that an agent makes of cases: written whole, never over anything, continued after a stop or a kill."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from skill_evaluator.cli import main
from tests.unit.translation_setup import (
    GOOD,
    SKILL,
    SOURCES,
    Answers,
    case_row,
    cases_at,
    config_at,
    recordings_at,
)

HERE = str(Path(__file__).parents[2])
OUT = Path("made.out")
MAKE = ("translation", "candidates", SKILL, "ui", "-o", str(OUT))


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def replayed(answers: Answers | None = None) -> list[str]:
    """Options of recorded answers, one a case."""
    recorded = recordings_at(Path("recorded.jsonl"), answers, runs=1)
    return ["--agent", "replay", "--recordings", str(recorded), "--quiet"]


def asked(**answers: list[str]) -> list[str]:
    """Options of the program that translates."""
    return ["--agent", "command", "--agent-config", str(config_at(Path.cwd(), answers)), "--quiet"]


def made() -> list[dict[str, Any]]:
    """What was written."""
    return [json.loads(line) for line in OUT.read_text("utf-8").splitlines()]


@pytest.mark.usefixtures("translator", "cases")
def test_each_case_is_translated_once_in_the_order_of_the_cases(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*MAKE, *asked()]) == 0
    assert made() == [
        {"case_id": f"ui.{name}", "text": text, "raw_response": f"{text}\n"} for name, text in GOOD.items()
    ]
    assert capsys.readouterr().err.splitlines()[-1] == "wrote made.out: 3 of 3 cases have a candidate"


@pytest.mark.usefixtures("translator", "cases")
def test_the_plan_says_what_it_costs_and_nothing_of_triggers(capsys: pytest.CaptureFixture[str]) -> None:
    main([*MAKE, *asked()[:-1]])
    said = capsys.readouterr().err

    assert "3 cases x 1 run = 3 calls of agent command" in said
    assert "3/3 runs: 3 answered" in said
    assert "trigger" not in said


@pytest.mark.usefixtures("translator", "cases")
def test_a_failed_case_has_no_candidate_and_is_told_with_its_reason(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*MAKE, *replayed({"coins": None})]) == 2
    said = capsys.readouterr().err

    assert [row["case_id"] for row in made()] == ["ui.greet", "ui.quit"]
    assert "no translation of 'ui.coins': api: the server is gone" in said
    assert "wrote made.out: 2 of 3 cases have a candidate" in said


@pytest.mark.usefixtures("translator", "cases")
def test_nothing_is_written_where_nothing_was_made(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*MAKE, *replayed(dict.fromkeys(SOURCES))]) == 2
    assert not OUT.exists()
    assert "0 of 3 cases have a candidate, so made.out was not written" in capsys.readouterr().err


@pytest.mark.usefixtures("translator", "cases")
def test_an_answer_of_nothing_is_a_candidate_that_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*MAKE, *replayed({"greet": ""})]) == 0
    assert made()[0]["text"] == ""
    assert main(["translation", "check", "ui/cases/dev/ui.jsonl", str(OUT)]) == 1
    assert "token_missing" in capsys.readouterr().out


@pytest.mark.usefixtures("translator", "cases")
def test_a_file_that_is_there_is_never_written_over(capsys: pytest.CaptureFixture[str]) -> None:
    OUT.write_text("mine\n", "utf-8")

    for options in ([], ["--resume"]):
        assert main([*MAKE, *replayed(), *options]) == 1
        assert "FAIL: -o: 'made.out' exists already and is never written over" in capsys.readouterr().err
        assert OUT.read_text("utf-8") == "mine\n"
    assert not Path(".skill-evaluator").exists()


@pytest.mark.usefixtures("translator", "cases")
def test_resume_replaces_what_the_same_run_wrote_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*MAKE, *replayed({"coins": None})]) == 2
    assert main([*MAKE, *replayed()]) == 1
    assert "or go on with the run that wrote it by --resume" in capsys.readouterr().err
    assert main([*MAKE, *replayed(), "--resume"]) == 0
    assert [row["case_id"] for row in made()] == ["ui.greet", "ui.coins", "ui.quit"]
    assert main([*MAKE, *replayed(), "--resume"]) == 0

    OUT.write_text(OUT.read_text("utf-8").replace("Beenden", "Verlassen"), "utf-8")
    assert main([*MAKE, *replayed(), "--resume"]) == 1
    assert "Verlassen" in OUT.read_text("utf-8")


@pytest.mark.usefixtures("translator", "cases")
def test_a_file_that_is_there_is_told_with_all_other_faults(capsys: pytest.CaptureFixture[str]) -> None:
    OUT.write_text("mine\n", "utf-8")

    assert main([*MAKE, "--agent", "replay", "--recordings", "absent.jsonl"]) == 1
    told = capsys.readouterr().err
    assert "absent.jsonl" in told
    assert "FAIL: -o: 'made.out' exists already and is never written over" in told


@pytest.mark.usefixtures("translator", "cases")
@pytest.mark.parametrize(
    ("out", "told"),
    [
        (f"{SKILL}/made.out", "belongs to the skill under test, which is never written to"),
        ("recorded.jsonl/made.out", "is no folder that can be written"),
        ("ui", "exists already and is never written over"),
    ],
)
def test_a_place_that_cannot_be_written_is_refused_first(
    out: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["translation", "candidates", SKILL, "ui", "-o", out, *replayed()]) == 1
    assert told in capsys.readouterr().err
    assert not Path(".skill-evaluator").exists()


@pytest.mark.usefixtures("cases")
def test_only_translation_cases_can_be_translated(skill_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    testset = str(skill_dir / "testset.json")

    assert main(["translation", "candidates", str(skill_dir), testset, "-o", "c", "--agent", "embedded"]) == 1
    assert f"FAIL {testset}: is no folder of translation cases" in capsys.readouterr().err


@pytest.mark.usefixtures("translator", "cases")
def test_an_agent_that_writes_nothing_makes_no_candidates(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*MAKE, "--agent", "embedded"]) == 1
    assert "agent embedded writes no translations" in capsys.readouterr().err


@pytest.mark.usefixtures("translator")
def test_cases_without_hard_assertions_can_be_translated_too(tmp_path: Path) -> None:
    soft = [{"name": "max_chars", "severity": "report", "params": {"limit": 40}}]
    cases_at(tmp_path / "ui", [case_row("quit", assertions=soft)])

    assert main([*MAKE, *replayed()]) == 0


@pytest.mark.usefixtures("translator", "cases")
def test_some_cases_may_be_chosen() -> None:
    assert main([*MAKE, *replayed(), "--tag", "quit", "--case", "ui.*"]) == 0
    assert [row["case_id"] for row in made()] == ["ui.quit"]


def started(options: list[str]) -> "subprocess.Popen[str]":
    """Start the command in a process of its own, with a program that takes a second over each translation."""
    config = Path("translating.toml")
    config.write_text(config.read_text("utf-8").replace('"well"', '"slow"'), "utf-8")
    return subprocess.Popen(
        [sys.executable, "-m", "skill_evaluator", *MAKE, *options, "--concurrency", "1"],
        env={**os.environ, "PYTHONPATH": HERE},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def first_kept() -> Path:
    """Wait until one translation is kept, and give the run folder."""
    for _ in range(600):
        for journal in Path(".skill-evaluator/runs").glob("*/journal.jsonl"):
            if journal.read_bytes().count(b"\n"):
                return journal.parent
        time.sleep(0.05)
    raise AssertionError("nothing was kept")


@pytest.mark.usefixtures("translator", "cases")
@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -signal.SIGKILL)]
)
def test_what_had_finished_is_kept_and_not_asked_again(number: signal.Signals, status: int) -> None:
    options = asked()
    process = started(options)
    folder = first_kept()
    process.send_signal(number)
    _, said = process.communicate()
    kept = [json.loads(line)["run"]["case_id"] for line in (folder / "journal.jsonl").read_text("utf-8").splitlines()]

    assert process.returncode == status, said
    assert 0 < len(kept) < 3
    if number == signal.SIGKILL:
        assert not OUT.exists()
    else:
        assert {row["case_id"] for row in made()} == set(kept)
        assert "what had finished is kept in" in said
        assert said.count("it was not asked any more") == 3 - len(kept)
    assert main([*MAKE, *options, "--concurrency", "1", "--resume"]) == 0
    assert [row["text"] for row in made()] == list(GOOD.values())
    for case_id in kept:
        source = SOURCES[case_id.removeprefix("ui.")]
        assert Path(f"asked-{source.encode().hex()}").stat().st_size == 1


EVERYTHING: Mapping[str, list[dict[str, object]]] = {
    "greet": [
        {"name": "placeholder_integrity", "severity": "hard", "params": {"syntax": "printf"}},
        {"name": "required_tokens", "severity": "report"},
        {"name": "max_chars", "severity": "hard", "params": {"limit": 12}},
        {"name": "max_chars", "severity": "report", "params": {"limit": 100}},
    ],
    "coins": [
        {"name": "placeholder_integrity", "severity": "hard", "params": {"syntax": "python"}},
        {
            "name": "forbidden_renderings",
            "severity": "hard",
            "params": {"renderings": ["Taler", {"pattern": "(?i)geld"}]},
        },
    ],
    "quit": [
        {"name": "protocol_complete", "severity": "hard", "params": {"expected_items": 2, "terminator": "END"}},
        {"name": "protocol_complete", "severity": "report", "params": {"expected_items": 1, "format": "lines"}},
    ],
}


@pytest.mark.usefixtures("translator")
@pytest.mark.parametrize(
    "answers",
    [
        {},
        {"greet": "Willkommen!", "coins": "Du hast {count} Taler und Geld.", "quit": "1. Beenden\n2. Ende\nEND\n"},
        {"greet": "  %d %s %s", "coins": "", "quit": "EN"},
        {"greet": "Willkommen, %s!\r\n", "coins": "\u202e{count\u2069", "quit": '["a", "b"]\nEND\n\n'},
    ],
)
def test_check_says_of_candidates_what_the_report_says_of_the_same_runs(
    answers: Answers, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both look at the same answers: the candidates are made of the runs that are kept, and nothing is asked again."""
    cases_at(tmp_path / "ui", [case_row(name, assertions=kept) for name, kept in EVERYTHING.items()])
    agent = replayed(answers)
    main(["run", SKILL, "--testset", "ui", *agent, "--draft", "--runs", "1", "--yes", "--json", "report.json"])
    assert main([*MAKE, *agent, "--resume"]) == 0
    capsys.readouterr()
    main(["translation", "check", "ui/cases/dev/ui.jsonl", str(OUT), "--json"])
    checked = json.loads(capsys.readouterr().out)

    report = json.loads(Path("report.json").read_text("utf-8"))
    reported = [
        {
            "case_id": case["id"],
            "assertion": one["grader"].removesuffix(" 2"),
            "severity": one["severity"],
            **one["outcome"],
        }
        for case in report["cases"]
        for one in case["runs"][0]["verdicts"]
    ]
    fields = ("case_id", "assertion", "passed", "severity", "code", "message", "evidence")
    assert [{key: one[key] for key in fields} for one in reported] == checked
    assert len(checked) == sum(map(len, EVERYTHING.values()))
