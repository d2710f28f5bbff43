"""The command `plugin-eval` as a user meets it; the program that it starts is scripted."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from skill_evaluator.cli import main
from tests.suite_files import FIRES, GRADER, MANIFEST, QUIET, SKILL, Files, lay_out
from tests.unit.claude_setup import SCRIPTED

WELL: Files = {
    ".claude-plugin/plugin.json": MANIFEST,
    "skills/tide-table/SKILL.md": SKILL,
    "evals/high-water/prompt.md": "well",
    "evals/high-water/graders/answer.md": GRADER.replace("high", "High"),
    "evals/high-water/graders/fired.md": FIRES,
}
ONE_RUN = ("--trust-plugin", "--runs", "1")


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder: a plugin with one case, which the scripted program answers well."""
    plugin = lay_out(tmp_path / "harbour", WELL)
    monkeypatch.chdir(plugin)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("ANTHROPIC_API_KEY", "dummy")
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    program = tmp_path / "claude"
    version = '[ "$1" = --version ] && exec echo "2.1.332 (Claude Code)"'
    program.write_text(f'#!/bin/sh\n{version}\nexec "{sys.executable}" "{SCRIPTED}" "$@"\n', "utf-8")
    program.chmod(0o755)
    return plugin


UNSCORED = (
    "Whether a skill fires does not count in the score here, as no run without the plugin can pass that: "
    "`arm: both` in the grader or --ablation none lets it count."
)


def run(*words: str) -> int:
    return main(["plugin-eval", ".", "--program", str(Path.cwd().parent / "claude"), *ONE_RUN, *words])


def results(plugin: Path) -> list[str]:
    return sorted(path.name for path in plugin.glob("evals/results/*/*"))


def test_progress_goes_to_stderr_and_the_table_to_stdout(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 0
    said = capsys.readouterr()
    table = re.sub(r" · [0-9]+ s · ", " · N s · ", re.sub(r"\$0\.00[0-9]*", "$0.00", said.out))
    table = re.sub(r" +\n", "\n", table)
    assert table.splitlines() == [
        "",
        "claude-code 2.1.332 · model claude-opus-5-5",
        "CASE        WITH  WITHOUT  DELTA  RUNS COST    NOTES",
        "high-water  1.00  1.00     0.00   2    $0.00",
        "",
        "1 case · mean delta 0.00 · N s · $0.00 (list price)",
        (
            "Triggers, each case by most of its runs, a tie against the skill: "
            "recall 1/1 (95% CI 0.21 to 1.00); no case where it should not"
        ),
        UNSCORED,
        "",
        "PASS: 1 of 1 case reached the threshold of 1.00.",
    ]
    lines = said.err.splitlines()
    assert lines[0] == f"Plugin under test: harbour 0.1.0 in {plugin}"
    assert "Ablation: 2 arms × 1 case (2 runs)" in lines
    assert any(line.startswith("  high-water run 1/1 [with]: score 1.00  $0.00") for line in lines)
    assert any(line.startswith("    ✓ answer (weight 1): ") for line in lines)
    assert any(line.startswith("    ✓ fired (not scored, with-only): ") for line in lines)
    assert "✓ high-water  with 1.00  without 1.00  delta 0.00  (2 runs)  $0.00" in [
        re.sub(r"(\$0\.00)[0-9]*$", r"\1", line) for line in lines
    ]
    (folder,) = (plugin / "evals" / "results").iterdir()
    assert lines[-1] == f"Report: {folder / 'report.html'}"
    assert re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}-[0-9]{2}-[0-9]{2}-[0-9]{3}Z", folder.name)
    assert {"aggregate-result.json", "report.html"} <= set(results(plugin))


def test_one_arm_has_score_and_pass_rate(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay_out(plugin, {"evals/high-water/graders/answer.md": "---\ntype: regex\nweight: 3\n---\nlow water\n"})
    assert run("--ablation", "none") == 1
    said = capsys.readouterr()
    assert "CASE        SCORE PASS% RUNS COST    NOTES" in said.out
    assert re.search(r"^high-water  0\.25  0%    1    \$0\.00\d* +answer: \S", said.out, re.MULTILINE)
    (folder,) = (plugin / "evals" / "results").iterdir()
    assert f"Traces: {folder / 'traces'} (--keep-temp keeps the workspaces too)" in said.err.splitlines()
    assert re.search(r"^  high-water run 1/1: score 0\.25  \$0\.00\d*$", said.err, re.MULTILINE)
    assert re.search(r"^✗ high-water  score 0\.25  \(1 run\)  \$0\.00\d*$", said.err, re.MULTILINE)
    assert run("--ablation", "none", "--threshold", "0.25") == 0


def test_json_alone_prints_the_result_and_is_quiet(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--ablation", "none", "--json") == 0
    said = capsys.readouterr()
    written = next(plugin.glob("evals/results/*/aggregate-result.json"))
    assert said.out == written.read_text("utf-8")
    assert json.loads(said.out)["aggregates"]["casesPassed"] == 1
    assert [line.partition(":")[0] for line in said.err.splitlines()] == ["Plan", "Report"]


def test_json_with_a_file_writes_it_there(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--ablation", "none", "--json", "new/answer.json") == 0
    assert capsys.readouterr().out == "Wrote new/answer.json\n"
    assert json.loads((plugin / "new" / "answer.json").read_text("utf-8"))["schemaVersion"] == 1


def test_json_that_cannot_be_written_gives_1_once_all_was_run(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay_out(plugin, {"blocked": "a file"})
    assert run("--ablation", "none", "--json", "blocked/answer.json") == 1
    assert "blocked" in capsys.readouterr().err
    assert "aggregate-result.json" in results(plugin)


def test_output_dir_and_report_say_where_results_go(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--ablation", "none", "--output-dir", "out", "--report", "pages/suite.html") == 0
    assert results(plugin) == []
    assert (plugin / "out" / "aggregate-result.json").is_file()
    assert not (plugin / "out" / "report.html").exists()
    assert (plugin / "pages" / "suite.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    assert f"Report: {plugin / 'pages' / 'suite.html'}" in capsys.readouterr().err


def test_a_folder_of_results_that_cannot_be_written_stops_it_before_money_is_spent(
    plugin: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay_out(plugin, {"blocked": "a file"})
    assert run("--output-dir", "blocked/out") == 1
    said = capsys.readouterr()
    assert "FAIL blocked/out: the result cannot be written there" in said.err
    assert "score" not in said.err


def test_with_json_it_goes_on_though_results_cannot_be_written(
    plugin: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay_out(plugin, {"blocked": "a file"})
    run("--ablation", "none", "--output-dir", "blocked/out", "--json")
    said = capsys.readouterr()
    assert "WARN blocked/out" in said.err
    assert json.loads(said.out)["aggregates"]["casesPassed"] == 1


def test_a_report_that_cannot_be_written_stops_nothing(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--ablation", "none", "--report", "evals") == 0
    assert "WARN evals: the report cannot be written there" in capsys.readouterr().err
    assert "report.html" in results(plugin)


def test_refused_cases_are_named_with_their_files_and_the_others_run(
    plugin: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad: Files = {"evals/a/prompt.md": "---\nodd: 1\n---\nHi\n", "evals/b/case.yaml": "name: b\n"}
    lay_out(plugin, bad)
    assert run("--ablation", "none", "--case", "high*") == 1
    said = capsys.readouterr()
    refused = [line for line in said.err.splitlines() if line.startswith("✗")]
    assert refused[0].startswith(f"✗ {plugin}/evals/a: ")
    assert "'odd'" in refused[0]
    assert len(refused) == 1
    assert "high-water  1.00" in said.out
    assert "1 case did not load" in said.out
    assert run("--ablation", "none") == 1
    refused = [line for line in capsys.readouterr().err.splitlines() if line.startswith("✗")]
    assert refused[1].startswith(f"✗ {plugin}/evals/b/case.yaml: ")


def test_a_skill_that_never_fires_is_said(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay_out(
        plugin, {"evals/high-water/graders/fired.md": FIRES.replace("tide-table", "other"), "evals/q/prompt.md": "q"}
    )
    lay_out(plugin, {"evals/q/prompt.md": "well", "evals/q/graders/quiet.md": QUIET})
    run("--ablation", "none")
    out = capsys.readouterr().out
    assert "recall 0/1 (95% CI 0.00 to 0.79); false triggers 1/1 (95% CI 0.21 to 1.00)" in out
    assert "The skill never fired" in out


def test_a_skill_that_strict_readers_drop_is_said_before_money_is_spent(
    plugin: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay_out(plugin, {"skills/odd/SKILL.md": "---\nname: odd\ndescription: Tides: and ebbs\n---\nx\n"})
    assert run("--ablation", "none") == 0
    lines = capsys.readouterr().err.splitlines()
    (at,) = [place for place, line in enumerate(lines) if line.startswith(f"WARN {plugin}/skills/odd/SKILL.md")]
    assert "strict readers drop the whole skill" in lines[at]
    assert lines[at + 1] == "Mend this before money is spent on it: skill-evaluator validate ."
    assert at < next(place for place, line in enumerate(lines) if line.startswith("Plan: "))


def test_a_plugin_without_a_suite_is_told_how_to_begin_one(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(plugin / "evals")
    assert run() == 1
    assert "skill-evaluator plugin-eval init" in capsys.readouterr().err


def test_without_the_program_all_ways_on_are_named(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (plugin.parent / "claude").unlink()
    assert run() == 1
    said = capsys.readouterr().err
    assert "--program PATH" in said
    assert "--agent messages --model NAME" in said


def test_what_names_and_answers_hold_stays_on_one_line(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "a\\n✗ forged\\e[2J\\u202E"
    lay_out(plugin, {"evals/high-water/case.yaml": f'schema_version: "1.1"\nname: "{name}"\n'})
    run("--ablation", "none", "--verbose")
    said = capsys.readouterr()
    assert "\x1b" not in said.out + said.err
    assert "\u202e" not in said.out + said.err
    assert not [line for line in (said.out + said.err).splitlines() if line.startswith("✗ forged")]
    assert "a ✗ forged\\x1b[2J\\u202e" in said.out


def test_verbose_tells_more_of_each_run(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--ablation", "none", "--verbose", "--keep-temp") == 0
    said = capsys.readouterr().err
    assert re.search(r"^    [0-9]+ turns?, [0-9.]+ s; trace: /", said, re.MULTILINE)
    (kept,) = re.findall(r"^  high-water run 1/1: kept (/.*)$", said, re.MULTILINE)
    assert Path(kept).is_dir()
    assert plugin.is_dir()


def test_a_bad_eval_directory_of_the_manifest_is_warned_about_and_evals_is_used(
    plugin: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = {**json.loads(MANIFEST), "experimental": {"evals": "../elsewhere"}}
    lay_out(plugin, {".claude-plugin/plugin.json": json.dumps(manifest)})
    assert run("--ablation", "none") == 0
    assert re.search(r"^WARN .*'experimental\.evals'.*'evals' is used", capsys.readouterr().err, re.MULTILINE)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["./nowhere"], "✗ {plugin}/nowhere: "),
        (["no-such@market"], "✗ {plugin}/no-such@market: "),
        ([".", "--case", "zz"], "FAIL evals: no case is left"),
        ([".", "--tag", "zz"], "FAIL evals: no case is left"),
        ([".", "--eval-dir", "qa"], "FAIL .: holds no folder 'qa'"),
        ([".", "--eval-dir", "../x"], "FAIL: --eval-dir"),
    ],
)
def test_where_there_is_nothing_to_run_it_says_why(
    plugin: Path, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["plugin-eval", *words, *ONE_RUN]) == 1
    assert said.format(plugin=plugin) in capsys.readouterr().err


def test_a_name_that_nothing_has_lists_what_is_installed(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plugin-eval", "quay", *ONE_RUN]) == 1
    assert "no plugin is installed" in capsys.readouterr().err
    records = {"plugins": {"dock@port": [{"installPath": "/a"}]}}
    lay_out(plugin.parent, {".claude/plugins/installed_plugins.json": json.dumps(records)})
    assert main(["plugin-eval", "quay", *ONE_RUN]) == 1
    assert "installed plugins: dock@port" in capsys.readouterr().err


def test_a_named_plugin_asks_no_trust_and_leaves_results_in_the_working_folder(
    plugin: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = {"plugins": {"harbour@port": [{"installPath": str(plugin)}]}}
    lay_out(plugin.parent, {".claude/plugins/installed_plugins.json": json.dumps(records), "work/": ""})
    program = str(plugin.parent / "claude")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(plugin.parent / "work")
        status = main(["plugin-eval", "harbour", "--program", program, "--runs", "1", "--ablation", "none"])
    assert status == 0
    assert "(installed as harbour@port)" in capsys.readouterr().err
    assert results(plugin) == []
    assert len(list((plugin.parent / "work" / "evals" / "results").iterdir())) == 1


def test_without_the_program_one_line_says_how_to_get_it(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plugin-eval", ".", "--program", "nowhere/claude", *ONE_RUN]) == 1
    said = capsys.readouterr().err
    assert "nowhere/claude" in said
    assert "score" not in said
    assert results(plugin) == []


NO_CASE = {
    "filtered out": (("--case", "zzz"), {}),
    "refused": ((), {"evals/high-water/prompt.md": "---\nruns: x\n---\nwell"}),
    "no suite": (("--eval-dir", "nowhere"), {}),
    "no second arm": (("--ablation", "with-without"), {".claude-plugin/plugin.json": None}),
}


@pytest.mark.parametrize(("words", "files"), NO_CASE.values(), ids=NO_CASE)
def test_json_without_a_case_to_run_is_an_answer_without_cases(
    plugin: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], files: Files
) -> None:
    """Recorded: status 1, a document without cases, and no folder of results."""
    for name, content in files.items():
        (plugin / name).unlink()
        lay_out(plugin, {name: content} if content is not None else {})
    assert run("--json", *words) == 1
    document = json.loads(capsys.readouterr().out)

    assert (document["cases"], document["partial"], document["suite"]["plugins"]) == ([], False, [])
    assert document["aggregates"] == {"casesTotal": 0, "casesPassed": 0, "overallScore": 0, "overallPassRate": 0}
    assert results(plugin) == []


def test_json_without_a_case_goes_to_its_file(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--json", "answer.json", "--case", "zzz") == 1
    said = capsys.readouterr()
    assert said.out == "Wrote answer.json\n"
    assert "Report:" not in said.err
    assert json.loads((plugin / "answer.json").read_text("utf-8"))["cases"] == []


def test_without_json_only_refused_cases_have_a_table(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--case", "zzz") == 1
    assert capsys.readouterr().out == ""
    lay_out(plugin, {"evals/high-water/prompt.md": "---\nruns: x\n---\nwell"})
    assert run() == 1
    assert "1 case did not load; why stands above." in capsys.readouterr().out
    assert results(plugin) == []


def test_evals_that_lead_out_of_the_plugin_are_told_of(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (plugin / "evals").rename(plugin.parent / "elsewhere")
    (plugin / "evals").symlink_to(plugin.parent / "elsewhere")
    assert run() == 1
    line, *_ = capsys.readouterr().err.splitlines()
    assert "evals" in line
    assert "leads out of the plugin" in line


def test_a_working_folder_that_is_gone_is_named_as_such(
    plugin: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert main(["plugin-eval", "."]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("FAIL .: the working folder cannot be found")
    monkeypatch.chdir(plugin)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a full device is there on Linux alone")
@pytest.mark.parametrize("json", [(), ("--json",)])
def test_a_full_standard_output_is_said_and_the_report_named(plugin: Path, json: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "skill_evaluator", "plugin-eval", ".", "--program", str(plugin.parent / "claude")]
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [*command, *ONE_RUN, *json], stdout=full, stderr=subprocess.PIPE, text=True, check=False, cwd=plugin
        )
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert "FAIL standard output cannot be written: No space left on device" in lines
    assert lines[-1].startswith("Report: ")


def test_a_stale_report_is_not_named(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (plugin / "out" / "report.html").mkdir(parents=True)
    assert run("--output-dir", "out") == 0
    assert "Report:" not in capsys.readouterr().err


def _hostile(plugin: Path, kind: str) -> None:
    out, precious = plugin / "out", plugin.parent / "precious"
    precious.mkdir()
    (precious / "file").write_text("precious")
    (out / "traces").mkdir(parents=True)
    match kind:
        case "result":
            (out / "aggregate-result.json").symlink_to(precious / "file")
        case "trace":
            (out / "traces" / "high-water-with-1.jsonl").symlink_to(precious / "file")
        case "pipe":
            os.mkfifo(out / "traces" / "high-water-with-1.jsonl")
        case "recordings":
            (out / "mock-recordings").symlink_to(precious)
        case _:
            (out / "traces").rmdir()
            out.rmdir()
            out.symlink_to(precious)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
@pytest.mark.parametrize("kind", ["result", "trace", "pipe", "recordings", "folder"])
@pytest.mark.parametrize("json", [(), ("--json",)])
def test_nothing_is_run_where_results_would_go_through_links(
    plugin: Path, capsys: pytest.CaptureFixture[str], kind: str, json: tuple[str, ...]
) -> None:
    _hostile(plugin, kind)
    assert run("--output-dir", "out", *json) == 1
    said = capsys.readouterr()
    assert "remove it, or name another folder with --output-dir" in said.err
    assert "score" not in said.err
    assert sorted(one.name for one in (plugin.parent / "precious").iterdir()) == ["file"]
    assert (plugin.parent / "precious" / "file").read_text() == "precious"


@pytest.mark.parametrize("option", ["--report", "--json"])
def test_no_single_file_is_written_through_a_link_of_the_plugin(
    plugin: Path, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    (plugin / "given.json").symlink_to(plugin.parent / "made.json")
    assert run(option, "given.json") == 1
    assert "given.json is a link" in capsys.readouterr().err
    assert not (plugin.parent / "made.json").exists()


def test_results_that_lead_out_of_the_plugin_are_refused(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (plugin.parent / "elsewhere").mkdir()
    (plugin / "evals" / "results").symlink_to(plugin.parent / "elsewhere")
    assert run() == 1
    assert "results is a link" in capsys.readouterr().err
    assert list((plugin.parent / "elsewhere").iterdir()) == []
