"""Siblings and conversations from the test set to the report: what counts, what cannot be shown, and who says so."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from skill_evaluator.api.preflight import prepare
from skill_evaluator.api.request import Request
from skill_evaluator.cli import main
from skill_evaluator.errors import InputError
from skill_evaluator.model import Finding
from skill_evaluator.report.render import render
from skill_evaluator.report.serialize import report_from_json
from skill_evaluator.results import Report
from tests.unit.command_setup import config

TALK = [{"role": "user", "text": "hi"}, {"role": "assistant", "text": "hello"}]
Record = Callable[..., Path]
Rows = Mapping[str, Mapping[str, object]]


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")


def with_keys(skill_dir: Path, changes: Rows) -> None:
    path = skill_dir / "testset.json"
    rows = [{**row, **changes.get(row["id"], {})} for row in json.loads(path.read_text("utf-8"))]
    path.write_text(json.dumps(rows), "utf-8")


def neighbour(folder: Path, name: str) -> Path:
    (folder / name).mkdir(parents=True)
    (folder / name / "SKILL.md").write_text(f"---\nname: {name}\ndescription: Looks after {name}.\n---\n\nx\n", "utf-8")
    return folder


def run(skill_dir: Path, *options: str) -> tuple[str, Report]:
    main(["run", str(skill_dir), "--yes", "--quiet", *options])
    (path,) = Path("reports").glob("*.json")
    text = path.read_text("utf-8")
    return text, report_from_json(text, name=path.name)


def replayed(skill_dir: Path, record: Record, answers: Mapping[str, object]) -> tuple[str, Report]:
    return run(skill_dir, "--agent", "replay", "--recordings", str(record(answers)))


def warned(skill_dir: Path, **options: Any) -> list[Finding]:  # noqa: ANN401 - options of a request
    return [one for one in prepare(Request(skill=skill_dir, **options)).warnings if one.code != "class-too-small"]


def fires(*names: str) -> list[dict[str, object]]:
    return [{"skills_invoked": [name] if name else []} for name in names]


def test_expected_siblings_are_scored_from_the_test_set_to_the_report(skill_dir: Path, record: Record) -> None:
    """Acceptance: n1 is right in 2 of 3 runs, n3 in 1 of 3, n5 expects nothing; p1 loses a run to the sibling."""
    with_keys(skill_dir, {"n1": {"expected_skill": "asset-check"}, "n3": {"expected_skill": "asset-check"}})
    answers = {
        "n1": fires("qa:asset-check", "asset-check", ""),
        "n3": fires("notes", "asset-check", "level-maker"),
        "p1": fires("level-maker", "level-maker", "asset-check"),
    }
    text, report = replayed(skill_dir, record, answers)
    acceptance = report.splits["acceptance"]  # type: ignore[index]
    rate = acceptance.metrics["expected_skill_rate"]

    assert (rate.value, rate.numerator, rate.denominator) == (0.5, 1, 2)
    assert json.loads(text)["metrics"]["expected_skill_rate"] == 0.5
    assert [(row.expected, row.fired, row.runs) for row in acceptance.fired] == [
        ("asset-check", "asset-check", 3),
        ("asset-check", "level-maker", 1),
        ("asset-check", "notes", 1),
        ("asset-check", None, 1),
        ("level-maker", "asset-check", 1),
        ("level-maker", "level-maker", 8),
        (None, None, 3),
    ]
    assert [(failed.id, failed.sort) for failed in report.failed_cases] == [("n3", "wrong_skill")]


@pytest.mark.parametrize(
    ("pointer", "value", "code"),
    [
        ("/cases/7/right_skill", False, "report-changed"),
        ("/cases/7/expected_skill", "level-maker", "report-impossible"),
        ("/cases/0/expected_skill", "asset-check", "report-impossible"),
        ("/splits/acceptance/fired/0/runs", 2, "report-changed"),
        ("/splits/acceptance/metrics/expected_skill_rate/numerator", 0, "report-changed"),
        ("/failed_cases/0/expected/skill", "notes", "report-changed"),
        ("/agent/settings/neighbours", ["notes@0f"], "report-impossible"),
    ],
)
def test_a_report_that_its_own_runs_contradict_is_refused(
    skill_dir: Path, record: Record, pointer: str, value: object, code: str
) -> None:
    with_keys(skill_dir, {"n1": {"expected_skill": "asset-check"}, "n3": {"expected_skill": "asset-check"}})
    text, _ = replayed(skill_dir, record, {"n1": fires(*["asset-check"] * 3)})
    content: Any = json.loads(text)
    place = content
    *steps, last = pointer.split("/")[1:]
    for step in steps:
        place = place[int(step)] if isinstance(place, list) else place[step]
    assert last == "neighbours" or place[last] != value
    place[last] = value

    with pytest.raises(InputError) as caught:
        report_from_json(json.dumps(content), name="r.json")
    assert {finding.code for finding in caught.value.findings} == {code}


def test_the_page_shows_rate_matrix_and_failure(skill_dir: Path, record: Record) -> None:
    with_keys(skill_dir, {"n1": {"expected_skill": "asset-check"}, "n3": {"expected_skill": "asset-check"}})
    _, report = replayed(skill_dir, record, {"n1": fires(*["asset-check"] * 3), "n3": fires(*["notes"] * 3)})
    page = render(report, "md", "en")

    assert "| Expected skill rate" in page
    assert "of 2 that expect another skill, it fired first in 1" in page
    assert "**Expected skill rate**: of the cases" in page
    lines = [" ".join(line.split()) for line in page.splitlines()]
    assert "| Expected | `asset-check` | `level-maker` | `notes` | no skill |" in lines
    assert "| `asset-check` | 3 | 0 | 3 | 0 |" in lines
    assert "| not `level-maker` | 0 | 0 | 0 | 3 |" in lines
    (failed,) = [line for line in lines if "[another skill]" in line]
    assert failed.endswith("→ the expected skill did not fire first")
    assert "- Expected: `asset-check` fires first. Actual: it fired first in 0 of 3 valid runs." in lines


def test_a_page_of_one_skill_alone_has_no_word_of_siblings(skill_dir: Path, record: Record) -> None:
    _, report = replayed(skill_dir, record, {})

    assert "Which skill fired" not in render(report, "md", "en")
    assert "Expected skill rate" not in render(report, "md", "en")


def test_a_sibling_that_is_not_installed_is_told_before_the_run(skill_dir: Path, tmp_path: Path) -> None:
    with_keys(skill_dir, {"n1": {"expected_skill": "asset-check"}, "n2": {"expected_skill": "notes"}})
    options = {"agent": "command", "agent_config": config(tmp_path)}
    beside = (neighbour(tmp_path / "skills", "notes"),)
    (both,) = warned(skill_dir, **options)
    (one,) = warned(skill_dir, **options, neighbours=beside)

    assert (both.code, both.values) == (
        "sibling-not-installed",
        {"cases": ["n1", "n2"], "skills": ["asset-check", "notes"]},
    )
    assert one.values == {"cases": ["n1"], "skills": ["asset-check"]}
    assert "'asset-check'" in one.message
    assert "--neighbours DIR" in one.message


def test_a_sibling_that_was_not_installed_is_in_no_count(skill_dir: Path, tmp_path: Path) -> None:
    with_keys(skill_dir, {"n1": {"expected_skill": "asset-check"}, "n3": {"expected_skill": "notes"}})
    beside = str(neighbour(tmp_path / "skills", "notes"))
    options = ("--agent", "command", "--agent-config", str(config(tmp_path)), "--neighbours", beside)
    _, report = run(skill_dir, *options, "--draft", "--runs", "1", "--no-canary", "--case", "p1", "--case", "n[13]")
    cases = {case.id: case for case in report.cases}

    assert (cases["n1"].expected_skill, cases["n1"].right_skill) == (None, None)
    assert (cases["n3"].expected_skill, cases["n3"].right_skill) == (
        "notes",
        True,
    )  # the scripted agent fires the skill that the request names
    (note,) = [note for note in report.notes if note.code == "siblings_not_installed"]
    assert note.values == {"cases": ["n1"], "skills": ["asset-check"]}
    assert "Which skill fired" in render(report, "md", "en")


def test_an_estimate_says_that_it_is_about_one_skill_and_one_message(skill_dir: Path) -> None:
    with_keys(skill_dir, {"n1": {"expected_skill": "asset-check"}, "p1": {"context": TALK}, "n3": {"context": TALK}})
    (warning,) = warned(skill_dir)
    _, report = run(skill_dir, "--agent", "embedded")

    assert (warning.code, warning.values) == ("context-not-looked-at", {"cases": 2})
    assert [(note.code, note.values) for note in report.notes] == [("siblings_not_estimated", {"cases": 1})]
    assert {case.expected_skill for case in report.cases} == {None}
    assert "Expected skill rate" not in render(report, "md", "en")


def test_a_program_is_not_asked_to_continue_a_conversation(skill_dir: Path, tmp_path: Path) -> None:
    with_keys(skill_dir, {"p1": {"context": TALK}, "n3": {"context": TALK}})
    options = {"skill": skill_dir, "agent": "command", "agent_config": config(tmp_path)}
    with pytest.raises(InputError) as caught:
        prepare(Request(**options))  # type: ignore[arg-type]
    faults = [one for one in caught.value.findings if one.level == "FAIL"]

    assert [(fault.code, fault.values) for fault in faults] == [("context-not-carried", {"cases": ["p1", "n3"]})]
    assert "'p1', 'n3'" in faults[0].message
    assert prepare(Request(**options, case_globs=("p0", "n0"))).cases  # type: ignore[arg-type]


def test_recordings_of_a_question_answer_it_in_no_other_conversation(
    skill_dir: Path, record: Record, capsys: pytest.CaptureFixture[str]
) -> None:
    replayed(skill_dir, record, {})
    (folder,) = Path(".skill-evaluator/runs").iterdir()
    with_keys(skill_dir, {"p1": {"context": TALK}})
    status = main(["run", str(skill_dir), "--agent", "replay", "--recordings", str(folder), "--yes", "--quiet"])

    assert status == 1
    assert "of 1 of 12 cases fewer are recorded (case and count: 'p1' 0)" in capsys.readouterr().err


def test_a_judge_leaves_no_rubric_unscored(skill_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_keys(skill_dir, {"p1": {"rubric": {"clarity": 4}, "human_scores": {"clarity": 3}}})
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")  # nobody is asked
    asked = Request(skill=skill_dir, agent="messages", model="model-1")
    plain, judged = (prepare(replace(asked, judge_model=name)) for name in (None, "judge-1"))

    assert "rubric-not-scored" in {one.code for one in plain.warnings}
    assert [note.code for note in plain.notes] == ["rubric_not_scored"]
    assert "rubric-not-scored" not in {one.code for one in judged.warnings}
    assert not judged.notes


def test_an_estimate_says_that_no_grader_looks_at_anything(skill_dir: Path) -> None:
    graders = [{"type": "file_exists", "path": "*.md"}, {"type": "llm", "criteria": "PASS if it is short."}]
    with_keys(skill_dir, {"p1": {"graders": graders}})
    (warning,) = [one for one in warned(skill_dir) if "grader" in one.code]
    _, report = run(skill_dir, "--agent", "embedded")

    assert (warning.code, warning.values) == ("graders-not-looked-at", {"cases": 1})
    assert [note.code for note in report.notes if "judged" in note.code] == []
