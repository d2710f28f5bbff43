"""The folder of an eval suite in place of a test set: imported, or run as it is, with the ordinary report."""

import json
import shutil
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

    assert main(["import", str(suite), "-o", str(output)]) == 1
    assert "say with --skill NAME which is meant" in capsys.readouterr().err
    assert main(["import", str(suite), "-o", str(output), "--skill", "level-maker"]) == 0
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


STANDUP = (
    "---\nname: standup\ndescription: Says what was done. Use when asked for a standup.\n---\n\nAsk the calendar.\n"
)
MINUTES = "---\nname: minutes\ndescription: Writes minutes. Use when asked for minutes.\n---\n\nWrite.\n"
OF_SKILL = "type: tool_used\ntool: Skill"


@pytest.fixture
def office(tmp_path: Path) -> Path:
    """A plugin with two skills, whose suite speaks of both."""
    plugin = tmp_path / "office"
    for name, text in {"standup": STANDUP, "minutes": MINUTES}.items():
        (plugin / "skills" / name).mkdir(parents=True)
        (plugin / "skills" / name / "SKILL.md").write_text(text, "utf-8")
    (plugin / ".claude-plugin").mkdir()
    (plugin / ".claude-plugin" / "plugin.json").write_text('{"name": "office"}', "utf-8")
    for number in range(4):
        case(plugin, f"m{number}", f"minutes {number}", fired=f"{OF_SKILL}\ninput_match: minutes")
        case(plugin, f"s{number}", f"standup {number}", fired=f"{OF_SKILL}\ninput_match: office:standup")
        case(plugin, f"n{number}", f"song {number}", quiet=f"{OF_SKILL}\nmin: 0\nmax: 0")
    grader(plugin / "evals" / "s0" / "graders" / "other.md", f"{OF_SKILL}\ninput_match: minutes\nmin: 0\nmax: 0")
    case(plugin, "both", "minutes and standup", a=f"{OF_SKILL}\ninput_match: minutes", b=f"{OF_SKILL}\ninput_match: st")
    case(plugin, "quiet-standup", "no standup", quiet=f"{OF_SKILL}\ninput_match: standup\nmin: 0\nmax: 0")
    return plugin


def types_of(path: Path) -> dict[str, tuple[str, str | None]]:
    rows = json.loads(path.read_text("utf-8"))
    return {row["id"]: (row["type"], row.get("expected_skill")) for row in rows}


def expected_of(own: str, other: str) -> dict[str, tuple[str, str | None]]:
    positives = {f"{own[0]}{number}": ("should_trigger", None) for number in range(4)}
    negatives = {f"{other[0]}{number}": ("should_not_trigger", other) for number in range(4)}
    songs = {f"n{number}": ("should_not_trigger", None) for number in range(4)}
    return {**positives, **negatives, **songs, "both": ("should_trigger", None)}


def test_a_suite_is_imported_for_one_skill_at_a_time(
    office: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    minutes, standup = tmp_path / "m.json", tmp_path / "s.json"

    assert main(["import", str(office), "-o", str(minutes), "--skill", "minutes"]) == 0
    assert types_of(minutes) == expected_of("minutes", "standup")
    assert "1 case left out, saying nothing of the skill: quiet-standup" in capsys.readouterr().err
    assert main(["import", str(office / "evals"), "-o", str(standup), "--skill", "standup"]) == 0
    quiet = {"quiet-standup": ("should_not_trigger", None)}
    assert types_of(standup) == {**expected_of("standup", "minutes"), **quiet}


def test_without_a_choice_each_skill_gets_a_set(
    office: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "sets"

    assert main(["import", str(office), "-o", str(tmp_path / "one.json")]) == 1
    assert "choose one with --skill NAME" in capsys.readouterr().err
    assert main(["import", str(office), "-o", str(folder)]) == 0
    assert types_of(folder / "minutes.json") == expected_of("minutes", "standup")
    assert len(types_of(folder / "standup.json")) == 14


def test_a_skill_that_the_plugin_does_not_have_is_no_choice(
    office: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["import", str(office), "-o", str(tmp_path / "a.json"), "--skill", "minuts"]) == 1
    said = capsys.readouterr().err
    assert "has no skill 'minuts'; it has minutes, standup: did you mean 'minutes'?" in said


def test_a_run_counts_a_suite_for_its_skill(
    office: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    out = tmp_path / "report.json"
    cases = expected_of("minutes", "standup")
    lines = [{"case_id": name, "skills_invoked": ["standup"]} for name in cases for _ in range(3)]
    recordings = tmp_path / "all.jsonl"
    recordings.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    options = ["--agent", "replay", "--recordings", str(recordings), "--yes", "--json", str(out)]
    main(["run", str(office / "skills" / "minutes"), "--testset", str(office), *options])
    report: dict[str, Any] = json.loads(out.read_text("utf-8"))

    assert {one["id"]: one["expect_trigger"] for one in report["cases"]} == {
        name: kind == "should_trigger" for name, (kind, _) in expected_of("minutes", "standup").items()
    }
    assert "13 cases of this suite became a test set for the skill 'minutes'" in capsys.readouterr().err


def test_a_suite_is_joined_with_evals_and_a_trigger_set(
    office: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evals, triggers, output = tmp_path / "evals.json", tmp_path / "trig.json", tmp_path / "out.json"
    evals.write_text(
        json.dumps({"skill_name": "standup", "evals": [{"prompt": "minutes 1", "expectations": ["Short."]}]}), "utf-8"
    )
    triggers.write_text(
        json.dumps([{"query": "song 1", "should_trigger": False}, {"query": "new", "should_trigger": True}]), "utf-8"
    )
    files = [str(office), str(evals), str(triggers)]

    assert main(["import", *files, "-o", str(output), "--skill", "minutes"]) == 0
    assert {row["input"]: row for row in json.loads(output.read_text("utf-8"))}["minutes 1"]["graders"]
    assert set(types_of(output).values()) == set(expected_of("minutes", "standup").values())
    assert len(types_of(output)) == 14
    said = capsys.readouterr().err
    assert "the file says that it is about the skill 'standup'; its evals went into the set of 'minutes'" in said
    triggers.write_text(json.dumps([{"query": "song 1", "should_trigger": True}]), "utf-8")
    assert main(["import", *files, "-o", str(tmp_path / "b.json"), "--skill", "minutes"]) == 1
    assert "here the skill should fire for 'song 1', and the suite says the opposite" in capsys.readouterr().err


def test_a_refused_suite_is_told_with_paths_that_can_be_opened(
    office: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = office / "evals" / "m1" / "graders" / "fired.md"
    broken.write_text("---\ntype: nonsense\n---\n", "utf-8")

    for command in (["import", "-o", str(tmp_path / "a.json")], ["run", str(office / "skills" / "minutes")]):
        named = [str(office)] if command[0] == "import" else ["--testset", str(office)]
        assert main([*command, *named]) == 1
        assert f"FAIL {broken}" in capsys.readouterr().err


@pytest.mark.parametrize("file", ["prompt.md", "case.yaml"])
def test_the_file_of_a_case_stands_for_the_case(
    file: str, office: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = office / "evals" / "m1" / file
    if file == "case.yaml":
        path.write_text('schema_version: "1.1"\nname: m1\n', "utf-8")
    assert main(["import", str(path), "-o", str(tmp_path / "a.json"), "--skill", "minutes"]) == 0
    assert types_of(tmp_path / "a.json") == {"m1": ("should_trigger", None)}
    assert main(["run", str(office / "skills" / "minutes"), "--testset", str(path)]) == 1
    assert "at least 10 are needed" in capsys.readouterr().err


def test_faults_of_the_suite_as_a_whole_refuse_it(
    office: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case(office, "/".join(["deep"] * 20), "too deep", fired=OF_SKILL)
    command = ["import", str(office), "-o", str(tmp_path / "a.json"), "--skill", "minutes"]

    assert main(["validate", str(office)]) == 1
    assert "cases in it are not found" in capsys.readouterr().out
    assert main(command) == 1
    assert "cases in it are not found" in capsys.readouterr().err


def test_an_empty_suite_holds_no_case(office: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(office / "evals")
    (office / "evals").mkdir()

    assert main(["import", str(office), "-o", str(tmp_path / "a.json"), "--skill", "minutes"]) == 1
    assert "holds no case" in capsys.readouterr().err


def test_cases_whose_every_run_fails_are_named(
    office: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (office / "evals" / "m1" / "prompt.md").write_text("---\nenv: {MINE: x}\n---\nminutes 1\n", "utf-8")

    assert main(["import", str(office), "-o", str(tmp_path / "a.json"), "--skill", "minutes"]) == 0
    assert "every run of these cases fails in `claude plugin eval`; `validate` says why: m1" in capsys.readouterr().err


def test_max_zero_alone_forbids(office: Path, tmp_path: Path) -> None:
    grader(office / "evals" / "n1" / "graders" / "quiet.md", f"{OF_SKILL}\nmax: 0")

    assert main(["import", str(office), "-o", str(tmp_path / "a.json"), "--skill", "minutes"]) == 0
    assert types_of(tmp_path / "a.json")["n1"] == ("should_not_trigger", None)


def test_a_run_of_a_plugin_names_its_skills(office: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(office)]) == 1
    said = capsys.readouterr().err
    assert f"name it: {office / 'skills' / 'minutes'}, {office / 'skills' / 'standup'}" in said
    assert said.count("FAIL") == 1


def test_a_run_without_a_test_set_names_the_suite(office: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(office / "skills" / "minutes")]) == 1
    assert f"say --testset {office / 'evals'} " in capsys.readouterr().err
    own = office / "skills" / "standup"
    case(own, "a", "do it", fired=OF_SKILL)
    assert main(["run", str(own)]) == 1
    assert f"say --testset {own / 'evals'} " in capsys.readouterr().err


def test_what_stops_a_run_is_told_first(office: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = office / "evals" / "m1"
    assert main(["run", str(office / "skills" / "minutes"), "--testset", str(path)]) == 1
    levels = [line.split()[0] for line in capsys.readouterr().err.splitlines()]
    assert levels == sorted(levels)
    assert {"FAIL", "WARN"} <= set(levels)


def test_failed_graders_are_told_in_a_sentence(
    suite: Path, skill_dir: Path, tmp_path: Path, record: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    grader(suite / "evals" / "p1" / "graders" / "read.md", "type: tool_used\ntool: Read")
    recordings = record({"p1": {"skills_invoked": ["level-maker"], "text": "none", "tool_calls": []}})
    options = ["--agent", "replay", "--recordings", str(recordings), "--yes", "--output-dir", "out"]
    main(["run", str(skill_dir), "--testset", str(suite), *options])
    (page,) = (tmp_path / "out").glob("*.md")
    line, _, *below = [one for one in page.read_text("utf-8").split("- **`p1`**")[1].split("\n") if one]

    assert "`done`: `" in line
    assert line.endswith("and 1 other check failed")
    assert "{" not in line
    assert "`read`: `'Read' was called 0 times; expected at least once.`" in below[0]
    assert '"count": 0' in below[0]


def test_limits_and_counts_of_a_suite_are_named(
    office: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = "---\nruns: 5\nmax_turns: 3\ntimeout_seconds: 60\n---\n"
    (office / "evals" / "m1" / "prompt.md").write_text(f"{head}minutes 1\n", "utf-8")
    grader(office / "evals" / "m2" / "graders" / "fired.md", f"{OF_SKILL}\nmin: 2")

    assert main(["import", str(office), "-o", str(tmp_path / "a.json"), "--skill", "minutes"]) == 0
    said = capsys.readouterr().err
    for key in ('"runs"', '"max_turns"', '"timeout_seconds"', "how often Skill is called (min, max)"):
        assert f"{key} of 1 case" in said


def test_a_baseline_is_left_out_for_what_it_is(
    office: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (office / "evals" / "m1" / "old.jsonl").write_text('{"type": "result"}\n', "utf-8")
    options = "type: baseline\nbaseline_file: old.jsonl\ncriteria: PASS if it is as good."
    grader(office / "evals" / "m1" / "graders" / "base.md", options)

    assert main(["import", str(office), "-o", str(tmp_path / "a.json"), "--skill", "minutes"]) == 0
    assert "(base of m1): a grader of type baseline compares with a recorded session" in capsys.readouterr().err


def test_two_cases_of_one_request_keep_the_graders_of_both(
    office: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    grader(office / "evals" / "m1" / "graders" / "a.md", "type: regex\npattern: x")
    case(office, "again", "minutes 1", fired=f"{OF_SKILL}\ninput_match: minutes", b="type: regex\npattern: y")

    assert main(["import", str(office), "-o", str(tmp_path / "a.json"), "--skill", "minutes"]) == 0
    rows = {row["input"]: row for row in json.loads((tmp_path / "a.json").read_text("utf-8"))}
    assert {one["pattern"] for one in rows["minutes 1"]["graders"]} == {"x", "y"}
    assert "repeat of an earlier one; the graders of 1 of them went to it" in capsys.readouterr().err


def test_saved_runs_are_graded_by_a_suite(
    suite: Path,
    skill_dir: Path,
    tmp_path: Path,
    record: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    recordings = record({"p1": {"skills_invoked": ["level-maker"], "text": "level x"}})
    options = ["--agent", "replay", "--recordings", str(recordings), "--yes"]
    main(["run", str(skill_dir), "--testset", str(suite), *options])
    (folder,) = (tmp_path / ".skill-evaluator" / "runs").iterdir()
    grader(suite / "evals" / "p1" / "graders" / "done.md", "type: regex\npattern: level x")
    again = tmp_path / "again.json"

    assert main(["regrade", str(folder), "--testset", str(suite), "--yes", "--json", str(again)]) == 0
    report = json.loads(again.read_text("utf-8"))
    (asked,) = [one for one in report["cases"] if one["id"] == "p1"]
    assert asked["aspects"] == {"output": True}
    broken = suite / "evals" / "p1" / "graders" / "done.md"
    broken.write_text("---\ntype: nonsense\n---\n", "utf-8")
    assert main(["regrade", str(folder), "--testset", str(suite), "--yes"]) == 1
    assert f"FAIL {broken}" in capsys.readouterr().err


def test_a_run_of_a_suite_is_resumed(
    suite: Path, skill_dir: Path, tmp_path: Path, record: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    whole, out = record(), tmp_path / "report.json"
    options = ["--agent", "replay", "--recordings", str(whole), "--yes", "--json", str(out)]
    command = ["run", str(skill_dir), "--testset", str(suite), *options]
    main([*command, "--max-calls", "10"])
    main([*command, "--resume"])

    assert len(list((tmp_path / ".skill-evaluator" / "runs").iterdir())) == 1
    report = json.loads(out.read_text("utf-8"))
    assert report["stopped_by"] is None
    assert {len(one["runs"]) for one in report["cases"]} == {3}
