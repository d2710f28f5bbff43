"""`import`, `validate`, `compare`, `report` and `doctor`, as somebody types them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from skill_evaluator.cli import main

QUERIES = [
    {"query": f"make level number {number}", "should_trigger": True, "reason": "asks for a level"}
    for number in range(6)
] + [{"query": f"what is {number} plus one", "should_trigger": False, "reason": "a sum"} for number in range(6)]
ROUTES = [
    {"prompt": f"{skill} please, variant {number}", "expect": skill}
    for skill in ("level maker", "level-maker", "asset-check")
    for number in range(4)
]


def saved(folder: Path, name: str, content: object) -> str:
    path = folder / name
    path.write_text(json.dumps(content), "utf-8")
    return str(path)


def test_a_trigger_set_becomes_a_test_set_that_validates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "testset.json"

    assert main(["import", saved(tmp_path, "trigger.json", QUERIES), "-o", str(out)]) == 0

    said = capsys.readouterr().err
    assert '"reason" of 12 prompts is not carried over' in said
    assert "12 cases, 6 should trigger and 6 should not, 6 for acceptance and 6 for tuning" in said
    rows = json.loads(out.read_text("utf-8"))
    assert {row["input"]: row["type"] == "should_trigger" for row in rows} == {
        str(query["query"]): query["should_trigger"] for query in QUERIES
    }
    assert main(["validate", str(out)]) == 0


def test_import_never_writes_over_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "testset.json"
    out.write_text("mine", "utf-8")

    assert main(["import", saved(tmp_path, "trigger.json", QUERIES), "-o", str(out)]) == 1
    assert "exists already" in capsys.readouterr().err
    assert out.read_text("utf-8") == "mine"


def test_a_routing_set_needs_a_folder_or_a_choice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    routes = saved(tmp_path, "routes.json", {"cases": ROUTES})

    assert main(["import", routes, "-o", str(tmp_path / "one.json")]) == 1
    assert "3 skills" in capsys.readouterr().err
    assert main(["import", routes, "-o", str(tmp_path / "one.json"), "--skill", "asset-check"]) == 0
    assert main(["import", routes, "-o", str(tmp_path / "all")]) == 0

    # two names that look the same to a file system keep a file each
    assert sorted(path.name for path in (tmp_path / "all").iterdir()) == [
        "asset-check.json",
        "level-maker-2.json",
        "level-maker.json",
    ]


@pytest.mark.parametrize("content", ["not JSON", "[]", '{"a": 1}', '[{"query": "x", "should_trigger": "yes"}]'])
def test_what_is_no_trigger_set_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str) -> None:
    path = tmp_path / "trigger.json"
    path.write_text(content, "utf-8")

    assert main(["import", str(path), "-o", str(tmp_path / "out.json")]) == 1
    assert "FAIL" in capsys.readouterr().err
    assert not (tmp_path / "out.json").exists()


def test_validate_gives_findings_as_json(skill_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads((skill_dir / "testset.json").read_text("utf-8"))
    rows[3]["expect_trigger"] = True
    (skill_dir / "testset.json").write_text(json.dumps(rows, indent=1), "utf-8")

    assert main(["validate", str(skill_dir), "--json"]) == 1

    findings = json.loads(capsys.readouterr().out)
    (fault,) = [finding for finding in findings if finding["level"] == "FAIL"]
    assert (fault["case"], fault["pointer"]) == ("p3", "/3/expect_trigger")
    assert "expected_trigger" in fault["message"]
    line = (skill_dir / "testset.json").read_text("utf-8").splitlines()[fault["line"] - 1]
    assert "expect_trigger" in line


def test_compare_names_both_reports_and_never_changes_the_status(
    skill_dir: Path,
    record: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    versions: dict[str, dict[str, object]] = {"old": {}, "new": {"p1": {"skills_invoked": []}}}
    for name, answers in versions.items():
        recordings = str(record(answers, name=name))
        main(["run", str(skill_dir), "--agent", "replay", "--recordings", recordings, "--yes", "--output-dir", name])
    (new,), (old,) = Path("new").glob("*.json"), Path("old").glob("*.json")
    capsys.readouterr()

    assert main(["compare", str(new), str(old)]) == 0
    page = capsys.readouterr().out
    assert "level-maker" in page
    assert "regressed" in page
    assert main(["compare", str(new), str(old), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["mark"] == "regressed"
    assert main(["compare", str(old), str(new), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["mark"] == "improved"
    assert main(["compare", "missing.json", str(skill_dir / "SKILL.md")]) == 1
    assert capsys.readouterr().err.count("FAIL") == 2


def test_a_saved_report_is_shown_in_either_language_and_as_json(
    skill_dir: Path,
    record: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    main(["run", str(skill_dir), "--agent", "replay", "--recordings", str(record()), "--yes"])
    (report,) = Path("reports").glob("*.json")
    capsys.readouterr()

    assert main(["report", str(report)]) == 0
    assert capsys.readouterr().out == report.with_suffix(".md").read_text("utf-8")
    assert main(["report", str(report), "--lang", "zh"]) == 0
    assert "打分报告" in capsys.readouterr().out
    assert main(["report", str(report), "--format", "json"]) == 0
    assert capsys.readouterr().out == report.read_text("utf-8")


def test_doctor_gives_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == 0
    assert {one["subject"] for one in json.loads(capsys.readouterr().out)} >= {
        "python",
        "agent embedded",
        "agent replay",
    }
