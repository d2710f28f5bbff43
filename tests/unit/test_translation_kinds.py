"""Translation cases and cases about triggers have no question in common, so neither is held against the other."""

import json
from pathlib import Path

import pytest

from skill_evaluator.cli import main
from tests.unit.translation_setup import SKILL, recordings_at

TRIGGERS = "triggers.json"
TRIGGER_REPORT, TRANSLATION_REPORT = "of-triggers.json", "of-translations.json"
OUT = ("--output-dir", "again")


@pytest.fixture(autouse=True)
def _reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, translator: Path, cases: Path) -> None:
    """A full report of each kind, both of the same skill and by recorded answers."""
    del translator, cases
    monkeypatch.chdir(tmp_path)
    rows, recorded = [], []
    for kind in ("should_trigger", "should_not_trigger"):
        for number in range(20):
            case_id = f"{kind}-{number}"
            row = {"id": case_id, "type": kind, "input": f"{kind} {number}", "split": "acceptance"}
            rows.append(row if number < 12 else {**row, "split": "tuning"})
            fired = [SKILL] if kind == "should_trigger" else []
            recorded += [
                {"case_id": case_id, "index": index, "text": "x", "skills_invoked": fired} for index in (0, 1, 2)
            ]
    Path(TRIGGERS).write_text(json.dumps(rows), "utf-8")
    Path("triggers.jsonl").write_text("".join(json.dumps(one) + "\n" for one in recorded), "utf-8")
    recordings_at(Path("translations.jsonl"))
    run(TRIGGERS, "triggers.jsonl", "--json", TRIGGER_REPORT)
    run("ui", "translations.jsonl", "--json", TRANSLATION_REPORT)


def run(testset: str, recordings: str, *options: str) -> int:
    words = ["--agent", "replay", "--recordings", recordings, "--yes", "--quiet"]
    return main(["run", SKILL, "--testset", testset, *words, *options])


@pytest.mark.parametrize(("new", "old"), [(TRANSLATION_REPORT, TRIGGER_REPORT), (TRIGGER_REPORT, TRANSLATION_REPORT)])
@pytest.mark.parametrize("options", [[], ["--on-shared-cases"], ["--fail-on", "marked"], ["--json"]])
def test_reports_of_two_kinds_are_not_compared(
    new: str, old: str, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", new, old, *options]) == 1
    said = capsys.readouterr()
    assert (
        f"{new} and {old} cannot be compared: one is about translations, the other about when a skill fires" in said.err
    )


def test_reports_of_one_kind_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", TRANSLATION_REPORT, TRANSLATION_REPORT]) == 0
    assert main(["compare", TRIGGER_REPORT, TRIGGER_REPORT]) == 0
    assert "cannot be compared" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("testset", "recordings", "baseline", "words"),
    [
        ("ui", "translations.jsonl", TRIGGER_REPORT, "when a skill fires, and the cases about translations"),
        (TRIGGERS, "triggers.jsonl", TRANSLATION_REPORT, "translations, and the cases about when a skill fires"),
    ],
)
def test_a_baseline_of_the_other_kind_is_refused_before_anything_is_asked(
    testset: str, recordings: str, baseline: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    made = len(list(Path(".skill-evaluator/runs").iterdir()))
    assert run(testset, recordings, "--baseline", baseline) == 1
    assert f"FAIL {baseline}: cannot be a baseline: it is about {words}" in capsys.readouterr().err
    assert len(list(Path(".skill-evaluator/runs").iterdir())) == made


@pytest.mark.parametrize(
    ("report", "testset", "words"),
    [
        (TRANSLATION_REPORT, TRIGGERS, "holds cases about when a skill fires, and the runs are about translations"),
        (TRIGGER_REPORT, "ui", "holds cases about translations, and the runs are about when a skill fires"),
    ],
)
def test_runs_are_not_graded_by_cases_of_the_other_kind(
    report: str, testset: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["regrade", report, "--testset", testset, "--yes", *OUT]) == 1
    assert f"FAIL: --testset: {testset!r} {words}" in capsys.readouterr().err
    assert not Path("again").exists()


def test_a_report_made_again_is_not_held_against_the_other_kind(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["regrade", TRIGGER_REPORT, "--baseline", TRANSLATION_REPORT, "--yes", *OUT]) == 1
    assert f"FAIL {TRANSLATION_REPORT}: cannot be a baseline" in capsys.readouterr().err
    assert not Path("again").exists()
