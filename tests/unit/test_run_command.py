"""`run`, end to end: the real program on real files."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from skill_evaluator.api.evaluate import run_prepared
from skill_evaluator.api.preflight import prepare
from skill_evaluator.api.request import Request
from skill_evaluator.cli import main
from skill_evaluator.errors import UnmeasuredError
from skill_evaluator.model import Run
from tests.unit.report_files import written

VOLATILE = ("volatile", "timestamp")


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder, as a user would."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return work


def steady(report: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in report.items() if key not in VOLATILE}


def replay(skill: Path, recordings: Path, *options: str) -> int:
    return main(["run", str(skill), "--agent", "replay", "--recordings", str(recordings), "--yes", *options])


def test_a_perfect_skill_passes(
    skill_dir: Path, record: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert replay(skill_dir, record()) == 0

    report = written()
    assert report["verdict"] == "PASS"
    assert report["metrics"]["f1"] == report["metrics"]["precision"] == report["metrics"]["recall"] == 1.0
    assert report["metrics"]["false_trigger_rate"] == 0.0
    out = capsys.readouterr().out
    assert out.rstrip().endswith("<promise>DONE</promise>")


def test_counts_are_those_worked_out_by_hand(skill_dir: Path, record: Callable[..., Path]) -> None:
    """Acceptance: p1 missed, n3 fired falsely: TP 2, FN 1, FP 1, TN 2; tuning: p0 missed by 2 runs to 1."""
    quiet: dict[str, object] = {"skills_invoked": []}
    fired: dict[str, object] = {"skills_invoked": ["level-maker"]}
    answers = {"p1": quiet, "n3": fired, "p0": [quiet, fired, quiet]}

    assert replay(skill_dir, record(answers)) == 1

    report = written()
    assert report["verdict"] == "FAIL"
    acceptance, tuning = report["splits"]["acceptance"], report["splits"]["tuning"]
    assert acceptance["confusion"] == {
        "true_positives": 2,
        "false_negatives": 1,
        "false_positives": 1,
        "true_negatives": 2,
        "unmeasured": 0,
    }
    assert report["metrics"]["precision"] == pytest.approx(2 / 3)
    assert report["metrics"]["recall"] == pytest.approx(2 / 3)
    assert report["metrics"]["f1"] == pytest.approx(4 / 6)
    assert report["metrics"]["false_trigger_rate"] == pytest.approx(1 / 3)
    assert tuning["confusion"]["true_positives"] == 2
    assert tuning["run_metrics"]["recall"]["numerator"] == 7
    assert [(case["id"], case["sort"]) for case in report["failed_cases"]] == [
        ("p1", "missed"),
        ("n3", "false_trigger"),
        ("p0", "missed"),
    ]


def test_errors_are_no_misses(skill_dir: Path, record: Callable[..., Path], capsys: pytest.CaptureFixture[str]) -> None:
    """Every call fails: half the cases would look right to a careless counter; here nothing was measured."""
    broken = {"error": {"kind": "auth", "message": "key refused"}}

    assert replay(skill_dir, record({f"{kind}{number}": broken for kind in "pn" for number in range(6)})) == 2

    report = written()
    assert report["verdict"] == "INVALID"
    assert set(report["metrics"].values()) == {None}
    assert report["splits"]["acceptance"]["confusion"]["unmeasured"] == 6
    out = capsys.readouterr().out
    assert "0.00" not in out
    assert out.count("key refused") == 1


def test_answers_that_do_not_say_what_fired_measure_nothing(skill_dir: Path, record: Callable[..., Path]) -> None:
    only_text = {"text": "some answer"}

    assert replay(skill_dir, record({f"{kind}{number}": only_text for kind in "pn" for number in range(6)})) == 2
    assert written()["verdict"] == "INVALID"


def test_the_number_of_workers_and_a_second_run_change_nothing(skill_dir: Path) -> None:
    reports: list[dict[str, Any]] = []
    for concurrency in ("1", "8", "8"):
        arguments = ["run", str(skill_dir), "--agent", "embedded", "--yes", "--quiet", "--output-dir"]
        assert main([*arguments, f"out{len(reports)}", "--concurrency", concurrency]) == 0
        (path,) = Path(f"out{len(reports)}").glob("*.json")
        reports.append(steady(json.loads(path.read_text("utf-8"))))

    assert reports[0] == reports[1] == reports[2]
    assert reports[0]["verdict"] == "ESTIMATE"


def test_neighbours_are_read_and_named_in_the_report(skill_dir: Path, tmp_path: Path) -> None:
    sibling = tmp_path / "asset-checker"
    sibling.mkdir()
    text = "---\nname: asset-checker\ndescription: Checks texture files for size and power of two.\n---\n"
    (sibling / "SKILL.md").write_text(text, "utf-8")

    assert main(["run", str(skill_dir), "--neighbours", str(tmp_path), "--yes"]) == 0

    (neighbour,) = written()["agent"]["settings"]["neighbours"]
    assert neighbour.startswith("asset-checker@")


def test_regrading_gives_the_same_report(skill_dir: Path, record: Callable[..., Path]) -> None:
    replay(skill_dir, record({"p1": {"skills_invoked": []}}))
    first = written()

    assert main(["regrade", first["volatile"]["run_dir"], "--yes", "--output-dir", "again"]) == 1
    (again,) = Path("again").glob("*.json")
    assert steady(json.loads(again.read_text("utf-8"))) == steady(first)

    (report,) = Path("reports").glob("*.json")
    assert main(["regrade", str(report), "--pass-threshold", "0.5", "--json"]) == 0


def test_regrading_with_another_test_set_says_so_and_names_questions_without_runs(
    skill_dir: Path, record: Callable[..., Path]
) -> None:
    replay(skill_dir, record())
    rows = json.loads((skill_dir / "testset.json").read_text("utf-8"))
    rows[0]["input"] = "a question that was never asked"
    rows[1]["id"] = "renamed"
    rows[1]["expected_output_contains"] = ["level_id"]
    Path("other.json").write_text(json.dumps(rows), "utf-8")

    assert main(["regrade", written()["volatile"]["run_dir"], "--testset", "other.json", "--yes"]) == 2

    (_, path) = sorted(Path("reports").glob("*.json"), key=lambda path: path.stat().st_mtime)
    report = json.loads(path.read_text("utf-8"))
    notes = {note["code"]: note["values"] for note in report["notes"]}
    assert notes["regraded"] == {"testset": "other.json", "pass_threshold": None}
    assert notes["no_saved_runs"] == {"cases": ["p0"]}
    assert {case["id"]: case["valid_runs"] for case in report["cases"]}["renamed"] == 3


def test_cases_with_the_same_question_keep_their_own_runs(skill_dir: Path, record: Callable[..., Path]) -> None:
    rows = json.loads((skill_dir / "testset.json").read_text("utf-8"))
    rows[1]["input"] = rows[0]["input"]
    (skill_dir / "testset.json").write_text(json.dumps(rows), "utf-8")
    quiet: dict[str, object] = {"skills_invoked": []}
    replay(skill_dir, record({"p1": quiet}))
    first = written()

    assert main(["regrade", first["volatile"]["run_dir"], "--yes", "--output-dir", "again"]) == 1
    (again,) = Path("again").glob("*.json")
    assert steady(json.loads(again.read_text("utf-8"))) == steady(first)


def test_recordings_that_do_not_cover_all_repetitions_are_refused(
    skill_dir: Path, record: Callable[..., Path], in_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A repetition that was never recorded is no answer, and an agent that was never there did not crash."""
    assert replay(skill_dir, record(runs=1)) == 1

    err = capsys.readouterr().err
    assert "3 repetitions of each case are needed, but of 12 of 12 cases fewer are recorded" in err
    assert "'p0' 1" in err
    assert not (in_folder / "reports").exists()


def test_a_slip_in_a_recorded_case_or_skill_name_is_pointed_out(
    skill_dir: Path, record: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    misspelt: dict[str, object] = {"skills_invoked": ["Level_Maker"]}
    path = record({"p1": misspelt})
    lines = path.read_text("utf-8").splitlines()
    path.write_text("\n".join([*lines, json.dumps({"case_id": "P-0", "skills_invoked": []})]), "utf-8")

    replay(skill_dir, path)

    err = capsys.readouterr().err
    assert "did you mean 'p0'?" in err
    assert "skills fired as 'Level_Maker', but the skill is called 'level-maker'" in err


def test_a_test_set_beside_a_broken_skill_is_checked_all_the_same(
    skill_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (skill_dir / "SKILL.md").write_text("---\nname: a\ndescription: Use it: now\n---\n", "utf-8")
    rows = json.loads((skill_dir / "testset.json").read_text("utf-8"))
    rows[0]["expectd"] = 1
    (skill_dir / "testset.json").write_text(json.dumps(rows), "utf-8")

    for arguments in (["run", str(skill_dir)], ["validate", str(skill_dir)]):
        assert main(arguments) == 1
        said = capsys.readouterr()
        assert "expectd" in said.out + said.err
        assert "SKILL.md:3" in said.out + said.err
        assert "no test set" not in said.err


def test_a_test_set_without_tuning_cases_is_scored(skill_dir: Path, record: Callable[..., Path]) -> None:
    rows = json.loads((skill_dir / "testset.json").read_text("utf-8"))
    (skill_dir / "testset.json").write_text(json.dumps([{**row, "split": "acceptance"} for row in rows]), "utf-8")

    assert replay(skill_dir, record()) == 0
    report = written()
    assert report["splits"]["acceptance"]["confusion"]["true_positives"] == 6
    assert report["splits"]["tuning"]["metrics"]["f1"]["value"] is None


def test_regrading_a_report_whose_runs_are_gone_is_refused(
    skill_dir: Path, record: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    replay(skill_dir, record())
    (report,) = Path("reports").glob("*.json")
    folder = Path(written()["volatile"]["run_dir"])
    journal = folder / "journal.jsonl"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[1:]))
    assert main(["regrade", str(report)]) == 1
    assert "hash differs" in capsys.readouterr().err

    folder.rename("elsewhere")
    assert main(["regrade", str(report)]) == 1
    assert "are gone" in capsys.readouterr().err


def test_a_journal_can_be_replayed_and_stays_an_estimate(skill_dir: Path) -> None:
    assert main(["run", str(skill_dir), "--agent", "embedded", "--yes", "--runs", "4"]) == 0
    first = written()
    assert replay(skill_dir, Path(first["volatile"]["run_dir"]), "--output-dir", "again") == 0

    (path,) = Path("again").glob("*.json")
    second = json.loads(path.read_text("utf-8"))
    assert second["verdict"] == "ESTIMATE"
    assert second["agent"] == first["agent"]
    assert second["config"]["runs"] == 4
    assert second["splits"] == first["splits"]


def test_recordings_of_another_version_of_the_skill_are_refused(
    skill_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["run", str(skill_dir), "--agent", "embedded", "--yes"])
    folder = Path(written()["volatile"]["run_dir"])
    skill = skill_dir / "SKILL.md"
    skill.write_text(skill.read_text("utf-8") + "\nOne more line.\n", "utf-8")

    assert replay(skill_dir, folder) == 1
    assert "another version of the skill" in capsys.readouterr().err


def test_a_draft_allows_one_run_and_is_never_a_pass(skill_dir: Path, record: Callable[..., Path]) -> None:
    assert replay(skill_dir, record(runs=1), "--draft", "--runs", "1") == 2
    assert written()["verdict"] == "DRAFT"


def test_narrowing_below_the_floors_is_a_draft(skill_dir: Path, record: Callable[..., Path]) -> None:
    assert replay(skill_dir, record(), "--case", "p*") == 2
    report = written()
    assert report["verdict"] in {"DRAFT", "INVALID"}
    assert {"code": "narrowed", "values": {"cases": 6, "of": 12}} in report["notes"]


def test_a_baseline_is_compared_and_the_mark_alone_never_fails(skill_dir: Path, record: Callable[..., Path]) -> None:
    replay(skill_dir, record(), "--output-dir", "old")
    (old,) = Path("old").glob("*.json")

    status = replay(
        skill_dir, record({"p1": {"skills_invoked": []}}), "--baseline", str(old), "--pass-threshold", "0.5"
    )

    report = written()
    assert report["comparison"]["mark"] == "regressed"
    (f1,) = [change for change in report["comparison"]["changes"]["acceptance"] if change["name"] == "f1"]
    assert f1["difference"] == pytest.approx(4 / 5 - 1)
    assert (report["verdict"], status) == ("PASS", 0)


def test_a_baseline_of_another_test_set_is_marked_not_comparable(skill_dir: Path, record: Callable[..., Path]) -> None:
    replay(skill_dir, record(), "--output-dir", "old")
    (old,) = Path("old").glob("*.json")
    rows = json.loads((skill_dir / "testset.json").read_text("utf-8"))
    rows[1]["input"] = "quite another question about a level"
    (skill_dir / "testset.json").write_text(json.dumps(rows), "utf-8")

    replay(skill_dir, record(), "--baseline", str(old))

    comparison = written()["comparison"]
    acceptance = {change["name"]: change for change in comparison["changes"]["acceptance"]}
    tuning = {change["name"]: change for change in comparison["changes"]["tuning"]}
    assert acceptance["f1"]["mark"] == "not_comparable"
    assert acceptance["f1"]["why"] == ["split_hash"]
    assert tuning["f1"]["mark"] == "unchanged"


@pytest.mark.parametrize(
    ("option", "told"),
    [
        (["--runs", "2"], "--runs: 2"),
        (["--runs", "0"], "--runs: 0"),
        (["--pass-threshold", "85"], "outside 0..1"),
        (["--concurrency", "0"], "--concurrency: 0"),
        (["--baseline", "missing.json"], "missing.json"),
        (["--agent", "psychic"], "'psychic' is not known"),
        (["--agent", "replay"], "--recordings"),
        (["--recordings", "x.jsonl"], "--recordings is for --agent replay"),
        (["--tag", "no-such-tag"], "no case is left"),
        (["--neighbours", "nowhere"], "--neighbours: 'nowhere'"),
        (["--testset", "missing-testset.json"], "missing-testset.json"),
    ],
)
def test_an_option_that_cannot_work_is_refused_and_nothing_is_written(
    skill_dir: Path, in_folder: Path, capsys: pytest.CaptureFixture[str], option: list[str], told: str
) -> None:
    assert main(["run", str(skill_dir), "--yes", *option]) == 1

    assert told in capsys.readouterr().err
    assert list(in_folder.iterdir()) == []


def test_all_faults_of_all_inputs_are_told_at_once(
    skill_dir: Path, in_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (in_folder / "old.json").write_text("not JSON", "utf-8")
    rows = json.loads((skill_dir / "testset.json").read_text("utf-8"))
    rows[0]["expected_trigger"] = "false"
    rows[1]["expectd_output_contains"] = []
    (skill_dir / "testset.json").write_text(json.dumps(rows), "utf-8")

    assert main(["run", str(skill_dir), "--yes", "--runs", "2", "--baseline", "old.json"]) == 1

    err = capsys.readouterr().err
    for told in ("--runs: 2", "old.json", "expected_trigger", "expectd_output_contains"):
        assert told in err
    assert not (in_folder / "reports").exists()
    assert not (in_folder / ".skill-evaluator").exists()


@pytest.mark.parametrize("folder", ["scripts", "references/deep", "."])
def test_an_output_folder_of_the_skill_is_refused(
    skill_dir: Path, capsys: pytest.CaptureFixture[str], folder: str
) -> None:
    (skill_dir / "scripts").mkdir()
    (skill_dir / "scripts" / "a.py").write_text("print()", "utf-8")
    before = sorted(skill_dir.rglob("*"))

    assert main(["run", str(skill_dir), "--yes", "--output-dir", str(skill_dir / folder)]) == 1

    assert "belongs to the skill under test" in capsys.readouterr().err
    assert sorted(skill_dir.rglob("*")) == before


def test_a_missing_test_set_is_refused(skill_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (skill_dir / "testset.json").unlink()

    assert main(["run", str(skill_dir), "--yes"]) == 1
    assert "no test set" in capsys.readouterr().err


def test_without_a_terminal_and_without_yes_nothing_is_written(
    skill_dir: Path, record: Callable[..., Path], in_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["run", str(skill_dir), "--agent", "replay", "--recordings", str(record()), "--json"]
    assert main(arguments) == 0

    captured = capsys.readouterr()
    assert json.loads(captured.out)["verdict"] == "PASS"
    assert "not written, since there is no terminal to ask at: reports" in captured.err
    assert not (in_folder / "reports").exists()


def test_a_skill_file_that_changes_during_the_run_fails_it(
    skill_dir: Path, record: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(skill_dir)
    prepared = prepare(Request(skill=skill_dir, agent="replay", recordings=record(), output_dir=Path("reports")))

    def meddle(_run: Run) -> None:
        (skill_dir / "SKILL.md").write_text("changed", "utf-8")

    report = run_prepared(prepared, progress=meddle)

    assert report.violations == ("SKILL.md",)
    assert report.verdict == "FAIL"


def test_a_run_whose_end_cannot_be_written_down_says_so(
    skill_dir: Path, record: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(skill_dir)
    prepared = prepare(Request(skill=skill_dir, agent="replay", recordings=record(), output_dir=Path("reports")))

    def obstruct(_run: Run) -> None:
        for folder in (prepared.request.state_dir / "runs").iterdir():
            (folder / "end.json.tmp").mkdir(exist_ok=True)

    with pytest.raises(UnmeasuredError, match="cannot be kept"):
        run_prepared(prepared, progress=obstruct)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_a_poor_console_changes_nothing_but_glyphs(skill_dir: Path, in_folder: Path, encoding: str) -> None:
    def run(folder: str, **environment: str) -> dict[str, Any]:
        program = [sys.executable, "-m", "skill_evaluator", "run", str(skill_dir), "--yes", "--lang", "zh"]
        finished = subprocess.run(
            [*program, "--output-dir", folder],
            env={**os.environ, **environment},
            capture_output=True,
            check=False,
            cwd=in_folder,
        )
        assert finished.returncode == 0, finished.stderr
        (markdown,) = (in_folder / folder).glob("*.md")
        (document,) = (in_folder / folder).glob("*.json")
        assert "打分报告" in markdown.read_text("utf-8")
        return steady(json.loads(document.read_text("utf-8")))

    plain = run("poor", LC_ALL="C", PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert plain == run("rich", PYTHONIOENCODING="utf-8")


def test_a_reader_that_leaves_early_causes_no_traceback(skill_dir: Path, in_folder: Path) -> None:
    command = f"{sys.executable} -m skill_evaluator run {skill_dir} --quiet --json | head -c 10"
    finished = subprocess.run(["bash", "-c", command], capture_output=True, check=False, cwd=in_folder)

    assert b"Traceback" not in finished.stderr
    assert b"Exception" not in finished.stderr


def test_renamed_cases_with_the_same_question_each_keep_runs_of_their_own(
    skill_dir: Path, record: Callable[..., Path]
) -> None:
    """Recall is 5 of 6 tuning and acceptance positives whatever the ids; nobody's runs count twice."""
    rows = json.loads((skill_dir / "testset.json").read_text("utf-8"))
    rows[2]["input"] = rows[0]["input"]
    (skill_dir / "testset.json").write_text(json.dumps(rows), "utf-8")
    quiet: dict[str, object] = {"skills_invoked": []}
    replay(skill_dir, record({"p2": quiet}))
    folder = written()["volatile"]["run_dir"]
    for number, renamed in enumerate([{"p0": "zz"}, {"p2": "aa"}, {"p0": "zz", "p2": "aa"}]):
        others = [{**row, "id": renamed.get(row["id"], row["id"])} for row in rows]
        Path("other.json").write_text(json.dumps(others), "utf-8")
        main(["regrade", folder, "--testset", "other.json", "--yes", "--output-dir", f"out{number}"])
        (path,) = Path(f"out{number}").glob("*.json")
        report = json.loads(path.read_text("utf-8"))
        assert report["splits"]["tuning"]["confusion"]["true_positives"] == 2
        assert report["splits"]["tuning"]["confusion"]["false_negatives"] == 1


@pytest.mark.parametrize("victim", ["testset.json", "SKILL.md", "scripts/new.json"])
def test_the_extra_json_file_never_destroys_anything(
    skill_dir: Path, record: Callable[..., Path], capsys: pytest.CaptureFixture[str], victim: str
) -> None:
    (skill_dir / "scripts").mkdir()
    target = skill_dir / victim
    before = target.read_bytes() if target.exists() else None

    assert replay(skill_dir, record(), "--json", str(target)) == 1

    assert "--json: " in capsys.readouterr().err
    assert (target.read_bytes() if target.exists() else None) == before


def test_the_extra_json_file_may_be_an_earlier_one_but_not_the_baseline_or_a_recording(
    skill_dir: Path, record: Callable[..., Path]
) -> None:
    recordings = record()
    before = recordings.read_bytes()
    assert replay(skill_dir, recordings, "--json", "out.json") == 0
    assert replay(skill_dir, recordings, "--json", "out.json") == 0

    assert replay(skill_dir, recordings, "--json", "out.json", "--baseline", "out.json") == 1
    assert replay(skill_dir, recordings, "--json", str(recordings)) == 1
    assert recordings.read_bytes() == before


def test_the_extra_json_file_spares_what_only_looks_like_a_report_and_what_was_kept(
    skill_dir: Path, record: Callable[..., Path]
) -> None:
    Path("other.json").write_text('{\n  "schema_version": 1,\n  "mine": "precious"\n}\n', "utf-8")
    assert replay(skill_dir, record(), "--output-dir", "old") == 0
    (kept,) = Path("old").glob("*.json")
    before = kept.read_bytes()

    assert replay(skill_dir, record(), "--json", "other.json") == 1
    assert replay(skill_dir, record(), "--json", str(kept)) == 1
    assert "precious" in Path("other.json").read_text("utf-8")
    assert kept.read_bytes() == before


def test_a_narrowed_regrade_gives_free_runs_to_the_case_that_is_asked(
    skill_dir: Path, record: Callable[..., Path]
) -> None:
    rows = json.loads((skill_dir / "testset.json").read_text("utf-8"))
    rows[4]["input"] = rows[0]["input"]
    (skill_dir / "testset.json").write_text(json.dumps(rows), "utf-8")
    replay(skill_dir, record(), "--case", "p4*", "--case", "n*")
    others = [{**row, "id": "p4-renamed"} if row["id"] == "p4" else row for row in rows]
    Path("other.json").write_text(json.dumps(others), "utf-8")

    main(["regrade", written()["volatile"]["run_dir"], "--testset", "other.json", "--yes", "--output-dir", "again"])

    (again,) = Path("again").glob("*.json")
    cases = {case["id"]: case["valid_runs"] for case in json.loads(again.read_text("utf-8"))["cases"]}
    assert cases["p4-renamed"] == 3


def test_regrade_writes_neither_into_the_skill_nor_over_the_runs(
    skill_dir: Path, record: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    replay(skill_dir, record())
    folder = written()["volatile"]["run_dir"]
    journal = Path(folder) / "journal.jsonl"
    before = journal.read_bytes()

    assert main(["regrade", folder, "--yes", "--json", str(journal)]) == 1
    assert main(["regrade", folder, "--yes", "--output-dir", str(skill_dir / "scripts")]) == 1
    assert main(["regrade", folder, "--yes", "--pass-threshold", "nan"]) == 1
    assert capsys.readouterr().err.count("FAIL") == 3
    assert journal.read_bytes() == before


def test_a_test_set_edited_in_the_run_folder_is_not_taken_for_the_one_that_was_asked(
    skill_dir: Path, record: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    replay(skill_dir, record())
    folder = Path(written()["volatile"]["run_dir"])
    kept = folder / "testset.json"
    kept.write_text(kept.read_text("utf-8").replace("should_not_trigger", "should_trigger", 1), "utf-8")

    assert main(["regrade", str(folder)]) == 1
    assert "was changed after the run" in capsys.readouterr().err


def test_regrading_with_another_test_set_takes_over_its_warnings_and_notes(
    skill_dir: Path, record: Callable[..., Path]
) -> None:
    rows = json.loads((skill_dir / "testset.json").read_text("utf-8"))
    with_rubric = [{**row, "rubric": {"clarity": 4}} if row["id"] == "p0" else row for row in rows]
    (skill_dir / "testset.json").write_text(json.dumps(with_rubric), "utf-8")
    replay(skill_dir, record())
    first = written()
    assert {"code": "rubric_not_scored", "values": {"cases": 1}} in first["notes"]
    Path("other.json").write_text(json.dumps(rows), "utf-8")

    main(["regrade", first["volatile"]["run_dir"], "--testset", "other.json", "--yes", "--output-dir", "again"])

    (again,) = Path("again").glob("*.json")
    report = json.loads(again.read_text("utf-8"))
    assert "rubric_not_scored" not in {note["code"] for note in report["notes"]}
    assert {warning["file"] for warning in report["warnings"]} == {"other.json"}


def test_what_looks_like_a_key_is_masked_and_the_report_says_so(
    skill_dir: Path, record: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_SERVICE_TOKEN", "triggered-by-secret")
    answer: dict[str, object] = {"skills_invoked": ["level-maker"], "text": "it was triggered-by-secret"}
    assert replay(skill_dir, record({"p1": answer})) == 0

    report = written()
    assert "triggered-by-secret" not in json.dumps(report)
    assert {"code": "redacted", "values": {"runs": 3}} in report["notes"]
    assert report["metrics"]["recall"] == 1.0


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">/dev/full", "2>/dev/full", "< /dev/null >&- 2>&-"])
def test_a_stream_that_is_closed_or_full_causes_no_traceback(skill_dir: Path, in_folder: Path, closed: str) -> None:
    command = f"{sys.executable} -m skill_evaluator validate {skill_dir} {closed}"
    finished = subprocess.run(["bash", "-c", command], capture_output=True, check=False, cwd=in_folder)

    assert b"Traceback" not in finished.stderr + finished.stdout
    assert finished.returncode == (1 if closed == ">/dev/full" else 0)


def test_two_runs_in_the_same_second_keep_both_reports(
    skill_dir: Path, record: Callable[..., Path], in_folder: Path
) -> None:
    arguments = ["run", str(skill_dir), "--agent", "replay", "--recordings", str(record()), "--yes", "--quiet"]
    program = [sys.executable, "-m", "skill_evaluator", *arguments]
    started = [subprocess.Popen(program, cwd=in_folder, stdout=subprocess.DEVNULL) for _ in range(3)]

    assert [process.wait(timeout=60) for process in started] == [0, 0, 0]
    assert len(list(Path("reports").glob("*.json"))) == 3
    assert len(list(Path(".skill-evaluator/runs").iterdir())) == 3


def test_a_disk_that_is_full_in_the_middle_leaves_a_readable_journal(
    skill_dir: Path, record: Callable[..., Path], in_folder: Path
) -> None:
    command = (
        f"ulimit -f 8; {sys.executable} -m skill_evaluator run {skill_dir} --agent replay --recordings {record()} --yes"
    )
    finished = subprocess.run(["bash", "-c", command], capture_output=True, check=False, cwd=in_folder)

    assert (finished.returncode, b"Traceback" in finished.stderr) == (2, False), finished.stderr
    assert b"runs cannot be kept" in finished.stderr
    (folder,) = Path(".skill-evaluator/runs").iterdir()
    assert main(["regrade", str(folder), "--json"]) == 2


@pytest.mark.parametrize("threshold", ["nan", "inf", "-inf", "1.01"])
def test_a_threshold_that_is_no_share_is_one_clear_fault(
    skill_dir: Path, capsys: pytest.CaptureFixture[str], threshold: str
) -> None:
    assert main(["run", str(skill_dir), f"--pass-threshold={threshold}"]) == 1

    err = capsys.readouterr().err
    assert err.count("FAIL") == 1
    assert "outside 0..1" in err


def test_warnings_speak_of_the_cases_that_are_asked(skill_dir: Path, record: Callable[..., Path]) -> None:
    replay(skill_dir, record(), "--case", "p1", "--case", "n*")

    (positives,) = [
        warning
        for warning in written()["warnings"]
        if warning["code"] == "class-too-small" and warning["values"]["class"] == "positive"
    ]
    assert positives["values"]["cases"] == 1


def test_regrading_for_another_threshold_warns_for_that_threshold(skill_dir: Path, record: Callable[..., Path]) -> None:
    """A perfect result shows 0.5 with 4 cases and 0.85 with 22: n / (n + 3.84) from 3.84 on, and from 21.8 on."""
    replay(skill_dir, record())
    first = written()
    main(["regrade", first["volatile"]["run_dir"], "--pass-threshold", "0.5", "--yes", "--output-dir", "again"])

    (again,) = Path("again").glob("*.json")
    smallest = [
        {w["values"]["class"]: w["values"]["smallest"] for w in report["warnings"] if w["code"] == "class-too-small"}
        for report in (first, json.loads(again.read_text("utf-8")))
    ]
    assert smallest == [{"positive": 22, "negative": 35}, {"positive": 4, "negative": 35}]


def test_regrade_tells_all_faults_at_once(
    skill_dir: Path, record: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    replay(skill_dir, record())
    capsys.readouterr()

    arguments = ["--pass-threshold", "7", "--baseline", "nope.json", "--testset", "gone.json"]
    assert main(["regrade", written()["volatile"]["run_dir"], *arguments]) == 1
    assert capsys.readouterr().err.count("FAIL") == 3


def test_a_reader_that_leaves_early_changes_neither_the_status_nor_the_files(
    skill_dir: Path, record: Callable[..., Path], in_folder: Path
) -> None:
    program = f"{sys.executable} -m skill_evaluator run {skill_dir} --agent replay --quiet --yes"
    command = f"{program} --recordings {record(runs=1)} --draft --runs 1 | true; exit ${{PIPESTATUS[0]}}"
    finished = subprocess.run(["bash", "-c", command], capture_output=True, check=False, cwd=in_folder)

    assert finished.returncode == 2, finished.stderr
    assert len(list(Path("reports").iterdir())) == 3


@pytest.mark.parametrize("place", ["evals", "evals/i18n"])
def test_translation_cases_beside_a_skill_without_test_set_are_named(
    skill_dir: Path, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (skill_dir / "testset.json").unlink()
    cases = skill_dir / place / "cases" / "dev"
    cases.mkdir(parents=True)
    (cases / "a.jsonl").write_text("{}\n", "utf-8")

    assert main(["run", str(skill_dir)]) == 1
    told = " ".join(capsys.readouterr().err.split())
    assert f"there are translation cases, so say --testset {skill_dir / place} (a score" in told
