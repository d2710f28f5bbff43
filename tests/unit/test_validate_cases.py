"""`validate` of translation cases: by file, by folder, inside a skill, and since an earlier folder."""

import json
from pathlib import Path

import pytest

from skill_evaluator.cli import main
from skill_evaluator.formats.loader import check_path
from tests.case_rows import case_folder, row, written

SKILL = (
    b"---\nname: ferry-words\ndescription: Translates texts of the ferry app. Use when asked for one.\n---\n\nLook.\n"
)


def test_a_sound_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = case_folder(tmp_path / "f", {"cases/dev/a.jsonl": [row(1), row(2)], "cases/locked/b.jsonl": [row(3)]})

    assert main(["validate", str(folder)]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err == f"0 FAIL, 0 WARN in {folder}; 3 translation cases read\n"


def test_faults_with_file_line_and_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\n" + written(row(1, target_locale="zh_CN")) + b"{\n")

    assert main(["validate", str(path)]) == 1
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        (
            f"FAIL {path}:2: case 'placeholder.printf.001' /target_locale: "
            '"target_locale" is "zh_CN", which has an underscore, where BCP-47 has a hyphen; write "zh-CN"'
        ),
        f"FAIL {path}:3: a case goes over several lines, or stands in a list; write each case as an object on one line",
    ]
    assert err.startswith("2 FAIL, 0 WARN")


def test_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(written(row(1, source="\u202e", tags=["\x1b[2J"])))

    assert main(["validate", "--json", str(path)]) == 1
    (finding,) = json.loads(capsys.readouterr().out)
    assert (finding["code"], finding["line"], finding["pointer"]) == ("bad-tag", 1, "/tags/0")
    assert "\x1b" not in finding["message"]


def test_cases_in_the_evals_of_a_skill(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case_folder(tmp_path, {"SKILL.md": SKILL, "evals/i18n-prompt/cases/dev/a.jsonl": [row(1, id="A")]})

    assert main(["validate", str(tmp_path)]) == 1
    out, err = capsys.readouterr()
    assert out.startswith(f"FAIL {tmp_path}/evals/i18n-prompt/cases/dev/a.jsonl:1: ")
    assert "1 translation case read" in err
    assert [one.code for one in check_path(tmp_path)] == ["bad-id"]


def test_since_an_earlier_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = case_folder(tmp_path / "old", {"cases/dev/a.jsonl": [row(1)]})
    new = case_folder(tmp_path / "new", {"cases/dev/b.jsonl": [row(1, source="other")]})

    assert main(["validate", str(new)]) == 0
    assert main(["validate", str(new), "--since", str(old)]) == 1
    assert f"stood for another case before ({old}/cases/dev/a.jsonl:1)" in capsys.readouterr().out


def test_since_is_for_one_folder_of_cases(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case_folder(tmp_path, {"SKILL.md": SKILL, "a/cases/dev/a.jsonl": [row(1)], "b/cases/dev/a.jsonl": [row(1)]})
    a, b = (str(tmp_path / name) for name in "ab")

    assert main(["validate", str(tmp_path / "SKILL.md"), "--since", a]) == 1
    assert main(["validate", a, b, "--since", a]) == 1
    out = capsys.readouterr().out
    assert "none of the paths holds such" in out
    assert "the paths hold 2 of them" in out


def test_a_folder_inside_names_what_to_check_instead(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = case_folder(tmp_path / "f", {"cases/dev/a.jsonl": [row(1)]})

    for inner in ("cases", "cases/dev"):
        assert main(["validate", str(folder / inner)]) == 1
        assert "or the folder that holds cases/dev/" in capsys.readouterr().out
