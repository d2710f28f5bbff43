"""A folder of translation cases as the test set of `run`: its verdicts, what is refused, and the report made again."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from skill_evaluator.cli import main
from skill_evaluator.journal import read_journal
from tests.unit.translation_setup import SKILL, Answers, case_row, cases_at, lines, recordings_at

Report = Mapping[str, Any]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*options: str, answers: Answers | None = None, fires: bool = True, testset: str = "ui") -> int:
    """Type the command, with recorded answers."""
    recorded = recordings_at(Path("recorded.jsonl"), answers, fires=fires)
    words = ["run", SKILL, "--testset", testset, "--agent", "replay", "--recordings", str(recorded), "--yes", "--quiet"]
    return main([*words, "--json", "report.json", *options])


def report() -> dict[str, Any]:
    """What the last run wrote."""
    found: dict[str, Any] = json.loads(Path("report.json").read_text("utf-8"))
    return found


def checks(of: Report, case_id: str) -> list[list[tuple[str, bool | None, str]]]:
    """Each run's graders of a case: name, whether it passed, code."""
    (case,) = [case for case in of["cases"] if case["id"] == case_id]
    return [
        [(one["grader"], one["outcome"]["passed"], one["outcome"]["code"]) for one in run_["verdicts"]]
        for run_ in case["runs"]
    ]


@pytest.mark.usefixtures("translator", "cases")
@pytest.mark.parametrize(
    ("answers", "verdict", "status"),
    [
        ({}, "PASS", 0),
        ({"greet": ["Willkommen!", "Willkommen, %s!", "Willkommen, %s!"]}, "UNSTABLE", 1),
        ({"greet": ["Willkommen!", "Willkommen!", "Willkommen, %s!"]}, "FAIL", 1),
        ({"greet": "Willkommen!"}, "FAIL", 1),
        ({"greet": [None, None, "Willkommen, %s!"]}, "INVALID", 2),
    ],
    ids=["all right", "a dissenting run", "most runs drop it", "all runs drop it", "errors"],
)
def test_the_verdict_follows_from_the_hard_assertions(answers: Answers, verdict: str, status: int) -> None:
    assert run(answers=answers) == status
    assert report()["verdict"] == verdict


@pytest.mark.usefixtures("translator", "cases")
def test_a_dropped_placeholder_is_named_with_its_code() -> None:
    run(answers={"greet": "Willkommen!"})

    assert checks(report(), "ui.greet")[0] == [("required_tokens", False, "token_missing"), ("max_chars", True, "ok")]
    assert checks(report(), "ui.quit")[0] == [("max_chars", True, "ok")]


@pytest.mark.usefixtures("translator", "cases")
@pytest.mark.parametrize("fires", [True, False])
def test_a_translation_is_looked_at_whether_the_skill_fired_or_not(*, fires: bool) -> None:
    assert run(fires=fires) == 0
    assert {case["triggered_runs"] for case in report()["cases"]} == {3 if fires else 0}


@pytest.mark.usefixtures("translator")
def test_report_severity_is_shown_and_decides_nothing(tmp_path: Path) -> None:
    keeps = {"name": "required_tokens", "severity": "report"}
    hard = {"name": "max_chars", "severity": "hard", "params": {"limit": 40}}
    cases_at(tmp_path / "ui", [case_row("greet", assertions=[keeps, hard]), case_row("coins"), case_row("quit")])

    assert run(answers={"greet": "Willkommen!"}) == 0
    assert checks(report(), "ui.greet")[0] == [("required_tokens", False, "token_missing"), ("max_chars", True, "ok")]


@pytest.mark.usefixtures("translator", "cases")
def test_every_translation_has_to_be_right_unless_the_threshold_says_less() -> None:
    assert run(answers={"greet": "Willkommen!"}) == 1
    assert report()["config"]["pass_threshold"] == 1.0
    assert run("--pass-threshold", "0.6", answers={"greet": "Willkommen!"}) == 0
    assert report()["verdict"] == "PASS"


def test_the_usual_threshold_of_triggers_stays(skill_dir: Path) -> None:
    main(["run", str(skill_dir), "--yes", "--quiet", "--json", "report.json"])

    assert report()["config"]["pass_threshold"] == 0.85


@pytest.mark.usefixtures("translator", "cases")
def test_white_space_around_an_answer_is_no_part_of_the_translation(tmp_path: Path) -> None:
    short = {"name": "max_chars", "severity": "hard", "params": {"limit": 7}}
    cases_at(tmp_path / "short", [case_row("quit", assertions=[short])])

    assert run(answers={"quit": "\nBeenden \n"}, testset="short") == 0


@pytest.mark.usefixtures("translator", "cases")
def test_no_floor_of_cases_holds_and_some_may_be_chosen() -> None:
    assert run("--case", "ui.q*") == 0
    assert report()["verdict"] == "PASS"
    assert run("--tag", "greet") == 0
    assert [case["id"] for case in report()["cases"]] == ["ui.greet"]


@pytest.mark.usefixtures("translator", "cases")
def test_one_file_of_cases_is_taken_too() -> None:
    assert run(testset="ui/cases/dev/ui.jsonl") == 0


def made_again(*options: str) -> Report:
    assert main(["regrade", "report.json", "--yes", "--json", "again.json", *options]) in {0, 1, 2}
    again: Report = json.loads(Path("again.json").read_text("utf-8"))
    return again


@pytest.mark.usefixtures("translator", "cases")
@pytest.mark.parametrize("answers", [{}, {"greet": "Willkommen!"}, {"greet": [None, "Willkommen, %s!", "Hallo"]}])
def test_the_report_made_again_is_the_same_though_the_cases_are_gone(answers: Answers) -> None:
    run(answers=answers)
    first = report()
    Path("ui/cases/dev/ui.jsonl").unlink()
    again = made_again()

    assert {**again, "volatile": 0} == {**first, "volatile": 0}


@pytest.mark.usefixtures("translator", "cases")
def test_saved_runs_are_graded_by_changed_cases() -> None:
    assert run(answers={"greet": "Willkommen!"}) == 1
    loose = case_row("greet", assertions=[{"name": "max_chars", "severity": "hard", "params": {"limit": 40}}])
    Path("ui/cases/dev/ui.jsonl").write_text(lines([loose, case_row("coins"), case_row("quit")]), "utf-8")
    again = made_again("--testset", "ui")

    assert again["verdict"] == "PASS"
    assert [note["code"] for note in again["notes"]][-1] == "regraded"


@pytest.mark.usefixtures("translator", "cases")
def test_runs_of_another_source_answer_no_question_of_the_changed_cases() -> None:
    run()
    other = case_row("greet", source="Goodbye, %s!")
    Path("ui/cases/dev/ui.jsonl").write_text(lines([other, case_row("coins"), case_row("quit")]), "utf-8")
    again = made_again("--testset", "ui")

    assert again["verdict"] == "INVALID"
    assert {"code": "no_saved_runs", "values": {"cases": ["ui.greet"]}} in again["notes"]


@pytest.mark.usefixtures("translator", "cases")
def test_the_kept_copy_is_whole_and_can_be_named_itself() -> None:
    run()
    (folder,) = Path(".skill-evaluator/runs").iterdir()
    kept = (folder / "testset.json").read_bytes()
    journal = read_journal(folder)

    assert journal.header.testset_file_sha256 == hashlib.sha256(kept).hexdigest()
    assert [case["line"] for case in json.loads(kept)["cases"]] == [1, 2, 3]
    assert run(testset=str(folder / "testset.json")) == 0


LOCKED = "so that no prompt is ever made of its cases"


@pytest.mark.usefixtures("translator", "cases")
@pytest.mark.parametrize(
    ("options", "told"),
    [
        (
            ["--testset", "ui/cases/locked/secret.jsonl"],
            f"FAIL ui/cases/locked/secret.jsonl:1: lies in locked/, {LOCKED}",
        ),
        (["--testset", "ui/cases/locked"], f"FAIL ui/cases/locked: lies in locked/, {LOCKED}"),
        (["--testset", "ui/cases"], "FAIL ui/cases: is a part of a folder of cases; name the folder itself: ui\n"),
        (
            ["--testset", "ui/cases/dev"],
            "FAIL ui/cases/dev: is a part of a folder of cases; name the folder itself: ui\n",
        ),
        (["--testset", "ui/cases/dev/none.jsonl"], "FAIL ui/cases/dev/none.jsonl: there is no such file"),
        (
            ["--case", "secret.quit"],
            "FAIL: --case: no case of ui has an id like 'secret.quit'; the file in locked/ is not",
        ),
        (["--case", "ui.*", "--case", "ui.grete"], "FAIL: --case: no case of ui has an id like 'ui.grete'; "),
        (["--tag", "none"], "FAIL: narrowing: no case is left by --tag and --case"),
        (["--judge-model", "some"], "FAIL: --judge-model: translation cases have no rubric"),
        (["--advise-model", "some"], "FAIL: --advise-model: advice is drawn from tuning cases"),
        (["--pass-threshold", "1.5"], "FAIL: --pass-threshold: 1.5 is outside 0..1"),
    ],
)
def test_what_cannot_be_run_is_refused(options: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*options) == 1
    said = capsys.readouterr().err
    assert told in said
    assert [line for line in said.splitlines() if line.startswith("FAIL")] == [
        line for line in said.splitlines() if line.startswith(told.rstrip())
    ]
    assert not Path(".skill-evaluator").exists()


@pytest.mark.usefixtures("translator", "cases")
@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--agent", "embedded"], "FAIL: --agent: agent embedded writes no translations"),
        ([], "FAIL: --agent: agent embedded, the default where no key is set, writes no translations"),
    ],
)
def test_an_agent_that_writes_nothing_is_refused(
    options: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", SKILL, "--testset", "ui", "--quiet", *options]) == 1
    said = capsys.readouterr().err
    assert told in said
    assert "name one that does: messages, claude-code, command, replay" in said


@pytest.mark.usefixtures("translator")
def test_cases_of_which_nothing_decides_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    soft = [{"name": "max_chars", "severity": "report", "params": {"limit": 40}}]
    cases_at(tmp_path / "ui", [case_row(name, assertions=soft) for name in ("greet", "coins", "quit")])

    assert run() == 1
    assert 'FAIL ui: no case that is asked has an assertion of severity "hard"' in capsys.readouterr().err


@pytest.mark.usefixtures("translator")
def test_cases_that_decide_nothing_among_others_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    soft = [{"name": "max_chars", "severity": "report", "params": {"limit": 40}}]
    cases_at(tmp_path / "ui", [case_row("greet"), case_row("coins"), case_row("quit", assertions=soft)])

    assert run() == 0
    said = capsys.readouterr().err
    assert "WARN ui: 1 case has no assertion of severity \"hard\", so nothing of them counts: 'ui.quit'" in said
    assert "WARN ui: 1 file of locked cases was not opened" in said
    assert {warning["code"] for warning in report()["warnings"]} == {"case-decides-nothing", "locked-not-opened"}


@pytest.mark.usefixtures("translator")
def test_every_fault_of_the_cases_is_told_before_anything_is_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases_at(tmp_path / "ui", [case_row("greet", target_locale="zh_CN"), case_row("coins", assertions=[])])

    assert run() == 1
    said = capsys.readouterr().err
    assert "FAIL ui/cases/dev/ui.jsonl:1: " in said
    assert "FAIL ui/cases/dev/ui.jsonl:2: " in said
    assert not Path(".skill-evaluator").exists()


def test_cases_among_the_files_of_the_skill_are_refused(
    translator: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An agent gets these files, so it could read the locked cases too."""
    cases_at(translator / "references")
    program = tmp_path / "agent.toml"
    program.write_text('argv = ["true"]\nstdin = "prompt"\nformat = "text"\n[read]\nskill_pattern = "(?P<skill>x)"\n')
    words = ["--agent", "command", "--agent-config", str(program), "--quiet", "--yes"]

    assert main(["run", SKILL, "--testset", f"{SKILL}/references", *words]) == 1
    assert "is one of the skill's own files" in capsys.readouterr().err


def test_the_suite_of_another_format_may_have_a_case_named_cases(
    skill_dir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "evals" / "cases"
    folder.mkdir(parents=True)
    (folder / "prompt.md").write_text("make a level", "utf-8")

    main(["run", str(skill_dir), "--testset", "evals", "--yes", "--quiet"])
    assert "FAIL evals/cases/prompt.md: the case does not load" in capsys.readouterr().err
