"""`translation check`: pairs, verdicts and exit statuses."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import skill_evaluator.results
from skill_evaluator.api.translation.check import check_translations
from skill_evaluator.api.translation.counts import AssertionCounts, CheckSummary, summarise
from skill_evaluator.cli import main
from skill_evaluator.errors import InputError
from skill_evaluator.model import Finding, Severity
from skill_evaluator.results.assertion_rows import FIELDS
from tests.unit.translation_files import SHORT, TOKENS, candidate_row, case_row, write_cases, write_rows

SCHEMA = json.loads(Path(skill_evaluator.results.__file__).with_name("assertion-result.schema.json").read_text("utf-8"))
SOFT = {**TOKENS, "severity": "report"}
LONG = "Gardez bien %s"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_cases(tmp_path, [case_row("a.001"), case_row("a.002")], [case_row("b.001", source="Hold %s")])


def candidates(folder: Path, **texts: str) -> Path:
    rows = [candidate_row(case_id.replace("_", "."), text) for case_id, text in texts.items()]
    return write_rows(folder / "candidates.jsonl", rows)


def test_passes_where_each_case_has_a_candidate_that_keeps_all(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = candidates(folder, b_001="%s", a_002="%s", a_001="%s")

    assert main(["translation", "check", str(folder), str(file)]) == 0

    out, err = capsys.readouterr()
    assert out.splitlines() == [
        "3 pairs checked, 6 assertions",
        "  hard: 3 passed, 0 failed, 0 undecided",
        "    required_tokens: 3 passed, 0 failed, 0 undecided",
        "  report: 3 passed, 0 failed, 0 undecided",
        "    max_chars: 3 passed, 0 failed, 0 undecided",
        "PASS: 3 hard assertions passed, none failed",
    ]
    assert not err


def test_names_what_failed_and_fails_for_hard_assertions(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = candidates(folder, a_001="%s", a_002="Gardez", b_001=LONG)

    assert main(["translation", "check", str(folder), str(file)]) == 1

    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("FAIL a.002 required_tokens token_missing: ")
    assert '"expected": 1' in lines[0]
    assert lines[1].startswith("NOTE b.001 max_chars too_long: ")
    assert lines[-1] == "FAIL: 1 hard assertion failed"


def test_what_only_reports_never_fails(folder: Path) -> None:
    assert main(["translation", "check", str(folder), str(candidates(folder, a_001=LONG, a_002=LONG, b_001=LONG))]) == 0


def test_a_case_without_candidate_and_a_candidate_without_case_are_told_and_fail(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = candidates(folder, a_001="%s", b_001="%s", c_001="%s")

    assert main(["translation", "check", str(folder), str(file)]) == 1

    lines = capsys.readouterr().out.splitlines()
    assert "cases/dev/texts.jsonl:2: " in lines[0]
    assert "a.002" in lines[0]
    assert "candidates.jsonl:3: " in lines[1]
    assert "c.001" in lines[1]
    assert lines[2] == "2 pairs checked, 4 assertions"
    assert lines[-1] == "FAIL: 1 case without candidate; 1 candidate without case"


def test_json_is_one_object_an_assertion_with_seven_fields_in_order_of_the_cases(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = candidates(folder, b_001="%s", a_002="x", a_001="%s")

    assert main(["translation", "check", str(folder), str(file), "--json"]) == 1

    out, err = capsys.readouterr()
    rows = json.loads(out)
    assert [(row["case_id"], row["assertion"], row["passed"]) for row in rows] == [
        ("a.001", "required_tokens", True),
        ("a.001", "max_chars", True),
        ("a.002", "required_tokens", False),
        ("a.002", "max_chars", True),
        ("b.001", "required_tokens", True),
        ("b.001", "max_chars", True),
    ]
    assert all(list(row) == list(FIELDS) for row in rows)
    for row in rows:
        Draft202012Validator(SCHEMA).validate(row)
    assert err.splitlines()[-1] == "FAIL: 1 hard assertion failed"


def test_json_in_the_log_of_a_step_holds_no_command(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    write_cases(folder, [case_row("a.001", assertions=[TOKENS], required_tokens=["##[error]x"])], [])
    file = candidates(folder, a_001="none")

    main(["translation", "check", str(folder), str(file), "--json"])

    out = capsys.readouterr().out
    assert "##[error]x" in json.dumps(json.loads(out))
    assert "##[" not in out


def test_json_of_no_pair_is_an_empty_array(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["translation", "check", str(folder), str(candidates(folder)), "--json"]) == 1

    out, err = capsys.readouterr()
    assert json.loads(out) == []
    assert err.count("has no candidate") == 3
    assert "nothing was checked" in err.splitlines()[-1]


def test_without_a_hard_assertion_nothing_looks_like_a_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_cases(tmp_path, [case_row("a.001", assertions=[SOFT, SHORT])])

    assert main(["translation", "check", str(folder), str(candidates(folder, a_001="x"))]) == 0

    out = capsys.readouterr().out
    assert "PASS" not in out
    assert "no hard assertion in any case" in out.splitlines()[-1]


def test_faults_of_both_inputs_are_told_at_once_and_nothing_else(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_rows(folder / "cases" / "dev" / "more.jsonl", [case_row("A"), {**case_row("a.009"), "sauce": 1}])
    file = write_rows(folder / "candidates.jsonl", [{"case_id": "a.001"}, {"case_id": "a.002", "text": 1}])

    assert main(["translation", "check", str(folder), str(file), "--json"]) == 1

    out, err = capsys.readouterr()
    assert out == ""
    assert [line.split(": ")[0].rpartition("/")[2] for line in err.splitlines()] == [
        "more.jsonl:1",
        "more.jsonl:2",
        "candidates.jsonl:1",
        "candidates.jsonl:2",
    ]


@pytest.mark.parametrize(
    "arguments", [["nowhere", "nowhere.jsonl"], ["{}", "nowhere.jsonl"], ["{}", "-"], ["{}", "{}"]]
)
def test_what_cannot_be_read_is_told(folder: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["translation", "check", *(one.format(folder) for one in arguments)]) == 1

    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("FAIL ")


def test_standard_input_is_refused_with_the_reason(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["translation", "check", str(folder), "-"]) == 1

    assert "save it to a file" in capsys.readouterr().err


def test_an_id_that_meant_something_else_before_is_a_fault(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    earlier = write_cases(folder / "earlier", [case_row("a.001", source="Something else %s")])
    file = candidates(folder, a_001="%s", a_002="%s", b_001="%s")

    assert main(["translation", "check", str(folder), str(file), "--since", str(earlier)]) == 1

    assert "a.001" in capsys.readouterr().err


def test_hostile_texts_steer_no_terminal_and_break_no_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "\x1b[2J\x9b1A\u202e\0 " + "x" * 100_000
    file = candidates(folder, a_001=text, a_002=text, b_001=text)

    assert main(["translation", "check", str(folder), str(file)]) == 1
    shown = capsys.readouterr().out
    assert all(char.isprintable() or char == "\n" for char in shown)
    assert max(map(len, shown.splitlines())) < 2_000

    assert main(["translation", "check", str(folder), str(file), "--json"]) == 1
    shown = capsys.readouterr().out
    assert all(char.isprintable() or char == "\n" for char in shown)
    assert len(json.loads(shown)) == 6


def test_the_library_gives_pairs_and_what_has_no_counterpart(folder: Path) -> None:
    checked = check_translations(folder, candidates(folder, a_001="%s", c_001="%s", a_002="x"))

    items = list(checked)

    assert [item.code if isinstance(item, Finding) else [one.code for one in item] for item in items] == [
        ["ok", "ok"],
        ["token_missing", "ok"],
        "no-candidate",
        "no-case",
    ]
    assert summarise(checked) == CheckSummary(
        pairs=2,
        without_candidate=1,
        without_case=1,
        assertions={
            ("max_chars", Severity.REPORT): AssertionCounts(passed=2),
            ("required_tokens", Severity.HARD): AssertionCounts(passed=1, failed=1),
        },
    )


def test_only_the_cases_of_a_single_file_are_checked_where_one_is_named(folder: Path) -> None:
    checked = check_translations(folder / "cases" / "dev" / "texts.jsonl", candidates(folder, a_001="%s", a_002="%s"))

    assert summarise(checked).is_right


def test_locked_cases_can_be_left_out_as_no_candidates_are_made_of_them(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["translation", "check", str(folder), str(candidates(folder, a_001="%s", a_002="%s"))]

    assert main(arguments) == 1
    assert "--without-locked" in capsys.readouterr().out
    assert main([*arguments, "--without-locked"]) == 0

    out, err = capsys.readouterr()
    assert out.splitlines()[0] == "2 pairs checked, 4 assertions"
    assert err == "1 file of locked cases left out\n"


@pytest.mark.parametrize("which", ["cases", "candidates"])
def test_a_file_that_changes_under_the_check_ends_it(folder: Path, which: str) -> None:
    file = candidates(folder, a_001="%s", a_002="%s", b_001="%s")
    checked = check_translations(folder, file)
    locked = folder / "cases" / "locked" / "held-back.jsonl"
    if which == "cases":
        write_rows(locked, [case_row("b.001", source="Another %s")])
    else:
        file.write_text(file.read_text("utf-8").replace("%s", "%d"), "utf-8")

    with pytest.raises(InputError, match="was changed while it was read"):
        list(checked)


COMMAND = (sys.executable, "-m", "skill_evaluator", "translation", "check")


def many(folder: Path, count: int) -> list[str]:
    write_cases(folder, (case_row(f"a.{number:06}") for number in range(count)))
    file = write_rows(folder / "candidates.jsonl", (candidate_row(f"a.{number:06}", "x") for number in range(count)))
    return [*COMMAND, str(folder), str(file)]


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_reader_that_leaves_early_ends_the_command_without_a_traceback(tmp_path: Path, options: list[str]) -> None:
    command = subprocess.Popen([*many(tmp_path, 1_500), *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert command.stdout is not None
    command.stdout.read(10)
    command.stdout.close()
    assert command.stderr is not None
    told = command.stderr.read().decode()
    command.stderr.close()

    assert command.wait() == 1
    assert "Traceback" not in told
    assert "Exception ignored" not in told


def test_ctrl_c_ends_the_command_with_130_and_leaves_whole_json(tmp_path: Path) -> None:
    arguments = [*many(tmp_path, 1_500), "--json"]
    command = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
    assert command.stdout is not None
    first = command.stdout.read(20)
    with contextlib.suppress(ProcessLookupError):
        os.kill(command.pid, signal.SIGINT)
    rest, told = command.communicate()

    assert command.returncode == 130
    assert b"Traceback" not in told
    assert 0 < len(json.loads(first + rest)) < 3_000


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_json_keeps_its_values_whatever_the_encoding_of_the_stream(tmp_path: Path, encoding: str) -> None:
    folder = write_cases(tmp_path, [case_row("a.001", required_tokens=["🎉 – 画"])])
    file = candidates(folder, a_001="x")

    command = [*COMMAND, str(folder), str(file), "--json"]
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run(command, capture_output=True, check=False, env=environment)

    assert json.loads(done.stdout.decode(encoding))[0]["evidence"]["tokens"][0] == {
        "token": "🎉 – 画",
        "expected": 1,
        "actual": 0,
    }
