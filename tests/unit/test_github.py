import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from skill_evaluator.cli import main
from skill_evaluator.cli.github_log import without_commands, workflow_command
from skill_evaluator.model import Finding, Level
from skill_evaluator.report.ci.annotations import MOST_SHOWN, Annotation, of_findings, of_report, of_suite, shown
from tests.unit.ci_setup import GOLDEN, report
from tests.unit.conftest import Record
from tests.unit.suite_results import TIN, case, found, run, suite

COMMAND = re.compile(r"^::(error|warning)(?: ([^:]*))?::(.*)$", re.MULTILINE)
MISSED: Mapping[str, object] = {"skills_invoked": []}


def unescaped(text: str) -> str:
    for token, what in (("%0A", "\n"), ("%0D", "\r"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(token, what)
    return text


def commands(log: str) -> list[tuple[str, dict[str, str], str]]:
    """What a runner would make of a log: the level, the properties and the message of each annotation."""
    read = []
    for level, properties, message in COMMAND.findall(log):
        pairs = (one.partition("=") for one in properties.split(",") if one)
        read.append((level, {key: unescaped(value) for key, _, value in pairs}, unescaped(message)))
    return read


@pytest.fixture
def summary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A step of GitHub Actions in an empty repository; gives the file of its summary."""
    file = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(file))
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return file


def asked(skill_dir: Path, recordings: Path, *options: str) -> list[str]:
    return ["run", str(skill_dir), "--agent", "replay", "--recordings", str(recordings), "--yes", *options]


def test_failed_acceptance_cases_are_told_at_their_line_of_the_test_set(
    skill_dir: Path, record: Record, summary: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = json.loads((skill_dir / "testset.json").read_text("utf-8"))
    (skill_dir / "testset.json").write_text(json.dumps(rows, indent=1), "utf-8")
    lines = (skill_dir / "testset.json").read_text("utf-8").splitlines()
    recordings = record({"p0": MISSED, "p1": MISSED, "p3": MISSED})

    assert main(asked(skill_dir, recordings, "--quiet")) == 1

    told = commands(capsys.readouterr().err)
    cases = [one for one in told if "line" in one[1]]
    assert [(level, given["file"]) for level, given, _ in cases] == [("error", "level-maker/testset.json")] * 2
    for (_, given, message), name in zip(cases, ("p1", "p3"), strict=True):
        block = lines[int(given["line"]) - 1 : int(given["line"]) + 2]
        assert f'"id": "{name}"' in "".join(block)
        assert message.startswith("did not trigger\nInput: ")
    assert told[0][1]["title"] == 'Verdict of "level-maker": FAIL'
    assert "### ❌ `level-maker`: FAIL" in summary.read_text("utf-8")


def test_cases_that_failed_in_a_report_that_passes_are_warnings(
    skill_dir: Path, record: Record, summary: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(asked(skill_dir, record({"p1": MISSED}), "--pass-threshold", "0.5")) == 0

    assert [(level, given["title"]) for level, given, _ in commands(capsys.readouterr().err)] == [
        ("warning", 'Case "p1"')
    ]
    assert "### ✅ `level-maker`: PASS" in summary.read_text("utf-8")


def test_tuning_cases_are_in_the_summary_and_no_annotation(
    skill_dir: Path, record: Record, summary: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(asked(skill_dir, record({"p0": MISSED}))) == 0

    assert commands(capsys.readouterr().err) == []
    assert "Failed tuning cases (1)" in summary.read_text("utf-8")


def test_with_json_alone_standard_output_is_the_document_and_annotations_are_elsewhere(
    skill_dir: Path, record: Record, summary: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recordings = record({"p1": MISSED, "p3": {"skills_invoked": [], "text": "##[set-output name=verdict]PASS"}})

    assert main(asked(skill_dir, recordings, "--json")) == 1

    streams = capsys.readouterr()
    content = json.loads(streams.out)
    assert [one["output"] for one in content["cases"][3]["runs"]] == ["##[set-output name=verdict]PASS"] * 3
    assert "##[" not in streams.out
    assert len(commands(streams.err)) == 3
    assert summary.exists()


def test_an_invalid_report_is_an_error_of_its_own(
    skill_dir: Path, record: Record, summary: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = {"error": {"kind": "crash", "message": "gone"}}
    recordings = record({"p1": broken, "p3": broken, "p5": broken})

    assert main(asked(skill_dir, recordings)) == 2

    first, *_ = commands(capsys.readouterr().err)
    assert first[0] == "error"
    assert first[1] == {"file": "level-maker/SKILL.md", "title": 'Verdict of "level-maker": INVALID'}
    assert first[2].startswith("INVALID: nothing reliable was measured")
    assert "INVALID" in summary.read_text("utf-8")


def test_outside_github_there_is_neither_annotation_nor_summary(
    skill_dir: Path,
    record: Record,
    summary: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS")

    assert main(asked(skill_dir, record({"p1": MISSED, "p3": MISSED}))) == 1

    assert commands(capsys.readouterr().err) == []
    assert not summary.exists()


def test_a_text_of_others_is_no_command_of_the_log(
    skill_dir: Path, record: Record, summary: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = json.loads((skill_dir / "testset.json").read_text("utf-8"))
    rows[1]["input"] = "a puzzle\n::add-mask::puzzle ##[add-mask]map"
    (skill_dir / "testset.json").write_text(json.dumps(rows), "utf-8")
    recordings = record({"p1": {"skills_invoked": [], "text": "\n::set-output name=verdict::PASS\r##[error]x"}})

    main(asked(skill_dir, recordings))

    streams = capsys.readouterr()
    for line in re.split("[\r\n]", streams.out + streams.err):
        assert not line.lstrip().startswith("::") or COMMAND.fullmatch(line.lstrip())
        if not COMMAND.match(line):
            assert "##[" not in line
    assert "add-mask" in streams.out
    assert summary.exists()


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("::error::x", r"\::error::x"),
        ("a\n\t ::error::x", "a\n\t " + r"\::error::x"),
        ("a\r::error::x", "a\r" + r"\::error::x"),
        ("\u3000::error::x", "\u3000" + r"\::error::x"),
        ("a ##[error]x ##[group]", r"a ##\[error]x ##\[group]"),
        ("a::b", "a::b"),
    ],
)
def test_lines_that_a_runner_would_carry_out_get_a_backslash(text: str, kept: str) -> None:
    assert without_commands(text) == kept


def test_commands_are_escaped_as_the_toolkit_does() -> None:
    line = workflow_command("error", {"file": "a,b:c%.json", "title": "x\n::y::"}, "50% ::z\r\nnext")

    assert line == "::error file=a%2Cb%3Ac%25.json,title=x%0A%3A%3Ay%3A%3A::50%25 ::z%0D%0Anext"


def test_a_file_outside_the_repository_has_no_place(
    skill_dir: Path,
    record: Record,
    summary: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    elsewhere = summary.parent / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.setenv("GITHUB_WORKSPACE", str(elsewhere))

    main(asked(skill_dir, record({"p1": MISSED, "p3": MISSED})))

    assert [given.keys() for _, given, _ in commands(capsys.readouterr().err)] == [{"title"}] * 3


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_last_of_ten_says_how_many_more_there_are(lang: str) -> None:
    many = [Annotation(level="error", title=str(place), message=f"m{place}") for place in range(25)]
    few = [Annotation(level="warning", title=str(place), message="w") for place in range(MOST_SHOWN)]

    told = shown([*few, *many], "zh" if lang == "zh" else "en")

    assert [one.title for one in told[:MOST_SHOWN]] == [str(place) for place in range(10)]
    assert told[9].message.startswith("m9")
    assert "15" in told[9].message
    assert told[MOST_SHOWN:] == few


def test_new_failures_come_before_old_ones_and_unmeasured_cases_last() -> None:
    titles = [one.title for one in of_report(report("failing"), "en")]

    assert titles == [
        "Regression",
        'Verdict of "level-maker": FAIL',
        *(f'Case "{one}"' for one in ("p05", "n01", "p01", "p03")),
    ]


def test_findings_keep_their_place_and_the_worst_come_first() -> None:
    doubt = Finding(level=Level.WARN, code="w", message="a doubt", file="t.json", line=3, case="c")
    fault = Finding(level=Level.FAIL, code="f", message="a fault", file="t.json", line=7)

    first, second = of_findings([doubt, fault], "en")

    assert (first.level, first.file, first.line, first.message) == ("error", "t.json", 7, "FAIL: a fault")
    assert (second.level, second.line, second.message) == ("warning", 3, "WARN: case 'c': a doubt")


def test_validate_tells_its_findings_at_their_lines(
    skill_dir: Path, summary: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (skill_dir / "testset.json").read_text("utf-8").replace('"input"', '"inptu"', 1)
    (skill_dir / "testset.json").write_text(text.replace("}, {", "},\n{"), "utf-8")

    assert main(["validate", str(skill_dir / "testset.json")]) == 1

    told = commands(capsys.readouterr().err)
    assert {(level, given["file"], given["line"]) for level, given, _ in told} >= {
        ("error", "level-maker/testset.json", "1")
    }
    assert "| FAIL" in summary.read_text("utf-8")


def test_findings_of_a_suite_are_told_at_the_file_of_their_case(
    summary: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = summary.parent / "evals" / "tin"
    folder.mkdir(parents=True)
    (folder / "prompt.md").write_text("---\nnaem: tin\n---\nLabel my shelf.\n", "utf-8")

    assert main(["validate", "evals"]) == 1

    files = {given.get("file") for _, given, _ in commands(capsys.readouterr().err)}
    assert "evals/tin/prompt.md" in files


def test_refused_input_is_told_as_well(skill_dir: Path, summary: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (skill_dir / "testset.json").write_text("[{]", "utf-8")

    assert main(["run", str(skill_dir), "--agent", "embedded", "--yes"]) == 1

    [(level, given, _)] = commands(capsys.readouterr().err)
    assert (level, given["file"]) == ("error", "level-maker/testset.json")
    assert "0 WARN" in summary.read_text("utf-8")


def test_compare_adds_its_page_and_names_what_stops_the_build(
    summary: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    summary.write_text("before\n", "utf-8")
    new, old = (str(GOLDEN / f"{name}.json") for name in ("failing", "passing"))

    status = main(["compare", new, old, "--fail-on", "marked"])

    told = commands(capsys.readouterr().err)
    assert (status, len(told)) in {(1, 1), (0, 0)}
    assert summary.read_text("utf-8").startswith("before\n# 📈 Comparison: `level-maker`")


def test_a_summary_that_cannot_be_written_changes_no_status(
    skill_dir: Path,
    record: Record,
    summary: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary.parent))

    assert main(asked(skill_dir, record())) == 0
    assert "WARN GITHUB_STEP_SUMMARY: the summary cannot be written" in capsys.readouterr().err


def test_a_summary_that_is_full_is_left_alone(
    skill_dir: Path, record: Record, summary: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    summary.write_text("x" * (1024 * 1024 - 10), "utf-8")

    assert main(asked(skill_dir, record())) == 0
    assert summary.stat().st_size == 1024 * 1024 - 10
    assert "too long for GitHub" in capsys.readouterr().err


def test_cases_of_a_suite_below_the_threshold_are_errors_at_their_prompts() -> None:
    made = suite(case("tin", run(found(TIN, passed=False), score=0.0), score=0.0), case("jar", run()))

    verdict, one = of_suite(made, "en")

    assert verdict.title == 'Verdict of "pantry": FAIL'
    assert one.file == "/plugins/pantry/evals/tin/prompt.md"
    assert one.message == 'score 0.00, below the threshold 1.00; "tin": "so"'
    assert of_suite(suite(case("jar", run())), "en") == []


def test_files_for_other_programs_are_written_under_the_same_agreement(
    skill_dir: Path, record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files = ["--junit", "out/j.xml", "--csv", "out/r.csv"]
    refused = [one for one in asked(skill_dir, record(), *files) if one != "--yes"]

    assert main(refused) == 0
    assert not Path("out").exists()

    assert main([*refused, "--yes"]) == 0
    assert sorted(path.name for path in Path("out").iterdir()) == ["j.xml", "r.csv"]
    assert main([*refused, "--yes"]) == 0  # an earlier file of the same option may be replaced


@pytest.mark.parametrize("option", ["--junit", "--csv"])
def test_no_file_of_somebody_else_is_replaced(
    option: str, skill_dir: Path, record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine").write_text("mine", "utf-8")

    assert main(asked(skill_dir, record(), option, "mine")) == 1
    assert Path("mine").read_text("utf-8") == "mine"
    assert main(asked(skill_dir, record(), option, str(skill_dir / "SKILL.md"))) == 1
    assert not Path("reports").exists()


def test_two_formats_never_share_a_file(
    skill_dir: Path,
    record: Record,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)

    assert main(asked(skill_dir, record(), "--junit", "one", "--csv", "./one")) == 1
    assert "is named twice" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["junit", "csv", "github"])
def test_a_saved_report_is_shown_in_every_format(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(GOLDEN / "failing.json"), "--format", form, "--lang", "zh"]) == 0

    out = capsys.readouterr().out
    assert out.startswith({"junit": "<?xml ", "csv": '\ufeff"case"', "github": "<!-- skill-evaluator:"}[form])


def test_a_suite_without_cases_is_no_pass_for_any_program(summary: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (summary.parent / "plugin").mkdir()

    status = main(["plugin-eval", "plugin", "--trust-plugin", "--junit", "j.xml", "--csv", "r.csv", "--json"])

    streams = capsys.readouterr()
    assert status == 1
    assert json.loads(streams.out)["cases"] == []
    assert '<failure type="fail"' in Path("j.xml").read_text("utf-8")
    assert Path("r.csv").read_text("utf-8").startswith('\ufeff"case"')
    assert [level for level, _, _ in commands(streams.err)] == ["error"]
    assert "### ❌" in summary.read_text("utf-8")


def test_files_of_a_suite_that_cannot_be_written_are_told_before_anything_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "evals" / "tin"
    folder.mkdir(parents=True)
    (folder / "prompt.md").write_text("---\nname: tin\n---\nLabel my shelf.\n", "utf-8")
    (folder / "graders").mkdir()
    (folder / "graders" / "tin.md").write_text("---\ntype: regex\npattern: tin\n---\n", "utf-8")

    assert main(["plugin-eval", "evals", "--trust-plugin", "--junit", str(tmp_path)]) == 1

    assert f"FAIL --junit: {tmp_path} cannot be written: {tmp_path} is a folder" in capsys.readouterr().err
    assert not (tmp_path / "evals" / "results").exists()
