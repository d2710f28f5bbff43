"""An evals.json becomes a test set, alone or joined with a trigger set; nothing of it is lost in silence."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from skill_evaluator.cli import main
from skill_evaluator.formats.testset import read_testset

Row = Mapping[str, Any]
TRIGGERS = [{"query": f"request {n}", "should_trigger": n % 2 == 0} for n in range(12)]


def imported(folder: Path, *files: Path | str, options: Sequence[str] = ()) -> list[Row]:
    output = folder / "out.json"
    assert main(["import", *map(str, files), "-o", str(output), *options]) == 0
    rows: list[Row] = json.loads(output.read_text("utf-8"))
    assert read_testset(output, enforce_floors=False).suite is not None
    return rows


def evals(folder: Path, content: object, name: str = "evals.json") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), "utf-8")
    return path


# What each real file holds, by where its evals stand and which keys expect something.
CORPUS = {
    "Newsleopard+nlm-open-skills": (None, "expectations", "llm", 7, 44, 31),
    "Zakk-LLM+Chinese-skill": ("evals", "expectations", "llm", 8, 24, 12),
    "allsmog+shinsa-plugin": ("cases", "required_artifacts", "file_exists", 7, 47, 6),
}


@pytest.mark.parametrize("name", CORPUS)
def test_real_evals_come_out_as_they_went_in(
    name: str, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    above, key, kind, count, expectations, prompts = CORPUS[name]
    source = corpus / "evalsjson" / name / "evals.json"
    raw = json.loads(source.read_text("utf-8"))
    items = raw if above is None else raw[above]
    assert (len(items), sum(len(item[key]) for item in items)) == (count, expectations)

    triggers = corpus / "triggersets" / name / "trigger.json"
    rows = imported(tmp_path, triggers, source)
    said = capsys.readouterr().err

    graded = [row for row in rows if row.get("graders")]
    assert len(rows) == prompts + count
    assert [row["input"] for row in graded] == [item["prompt"] for item in items]
    assert {row["type"] for row in graded} == {"should_trigger"}
    assert [len(row["graders"]) for row in graded] == [len(item[key]) for item in items]
    for row, item in zip(graded, items, strict=True):
        for grader, expected in zip(row["graders"], item[key], strict=True):
            assert grader["type"] == kind
            if kind == "llm":
                assert grader["criteria"].endswith(f"\n{expected}")
    used = {"id", "prompt", key, "kind", "expected_output"}
    for left, times in Counter(other for item in items for other in item if other not in used).items():
        assert f'"{left}" of {times} evals is not carried over' in said
    outputs = sum("expected_output" in item for item in items)
    assert (f'"expected_output" of {outputs} evals is not carried over' in said) == bool(outputs)
    assert not isinstance(raw, dict) or all(
        f'"{left}"' in said for left in raw if left not in {"evals", "cases", "skill_name"}
    )


@pytest.mark.parametrize("name", CORPUS)
def test_real_evals_stand_alone_too(
    name: str, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    count = CORPUS[name][3]
    rows = imported(tmp_path, corpus / "evalsjson" / name / "evals.json")

    assert len(rows) == count
    assert len({row["id"] for row in rows}) == count
    splits = Counter(row["split"] for row in rows)
    assert abs(splits["acceptance"] - splits["tuning"]) <= 1
    assert f"{count} cases of 10, 0 should_not_trigger of 3" in capsys.readouterr().err


def test_expectations_may_be_texts_and_objects(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = [
        {
            "prompt": "a",
            "assertions": [
                "It is short.",
                {"name": "has-title", "description": "It has a title.", "type": "llm"},
                {"text": "It is short."},
            ],
        },
        {"prompt": "b", "expected_output": "A list of two."},
        {"prompt": "c", "expectations": [], "expected_output": "A poem."},
        {"prompt": "d"},
    ]
    rows = imported(tmp_path, evals(tmp_path, content))

    assert [(one["name"], one["criteria"].split("\n")[1]) for one in rows[0]["graders"]] == [
        ("It is short.", "It is short."),
        ("has-title", "It has a title."),
        ("It is short. (2)", "It is short."),
    ]
    assert [len(row.get("graders", [])) for row in rows] == [3, 1, 1, 0]
    assert rows[1]["graders"][0]["criteria"].endswith("\nA list of two.")
    said = capsys.readouterr().err
    assert "4 evals with 3 assertions, 2 expected outputs" in said
    assert '"type" of 1 expectation is not carried over' in said


def test_the_same_request_becomes_one_case(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = {
        "skill_name": "x",
        "evals": [
            {"id": "e1", "prompt": "Request  4", "expectations": ["One."]},
            {"id": "e2", "prompt": "another", "expectations": ["Two."]},
            {"id": "e3", "prompt": "another", "expectations": ["Two.", "Three."]},
        ],
    }
    rows = imported(tmp_path, evals(tmp_path, TRIGGERS, "triggers.json"), evals(tmp_path, content))

    by_input = {row["input"]: row for row in rows}
    assert len(rows) == 13
    assert [one["name"] for one in by_input["request 4"]["graders"]] == ["One."]
    assert by_input["request 4"]["id"] == "e1"
    assert [one["name"] for one in by_input["another"]["graders"]] == ["Two.", "Two. (2)", "Three."]
    assert "2 evals asked what an earlier prompt asks" in capsys.readouterr().err


def test_a_request_that_should_not_trigger_expects_no_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = [{"prompt": "request 1", "expectations": ["One."]}]
    files = evals(tmp_path, TRIGGERS, "triggers.json"), evals(tmp_path, content)

    assert main(["import", *map(str, files), "-o", str(tmp_path / "out.json")]) == 1
    assert "should not fire for 'request 1'" in capsys.readouterr().err
    assert not (tmp_path / "out.json").exists()


def test_files_are_read_from_beside_the_evals_and_nowhere_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "skill" / "evals"
    names = ["notes.txt", "evals/notes.txt", "gone.txt", "../../secret", "/etc/hostname", "link.txt", "picture.png"]
    path = evals(folder, [{"prompt": "a", "expectations": ["x"], "files": [*names, {"path": "b.txt", "content": "B"}]}])
    (folder / "notes.txt").write_text("buy milk", "utf-8")
    (folder / "picture.png").write_bytes(b"\x89PNG\xff\0")
    (tmp_path / "secret").write_text("secret", "utf-8")
    (folder / "link.txt").symlink_to(tmp_path / "secret")
    (row,) = imported(tmp_path, path)

    assert row["files"] == {"notes.txt": "buy milk", "evals/notes.txt": "buy milk", "b.txt": "B"}
    said = capsys.readouterr().err
    assert "5 files not carried over" in said
    assert all(name in said for name in ("gone.txt", "../../secret", "/etc/hostname", "link.txt", "picture.png"))
    assert "secret\n" not in json.dumps(row)


def test_other_files_make_it_another_case(tmp_path: Path) -> None:
    content = [
        {"prompt": "a", "expectations": ["x"], "files": [{"path": "f", "content": text}]} for text in ("one", "two")
    ]

    assert [row["files"] for row in imported(tmp_path, evals(tmp_path, content))] == [{"f": "one"}, {"f": "two"}]


def test_all_faults_are_told_with_their_places(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = [
        {"expectations": ["x"]},
        {"prompt": "a", "expectations": [7, {"type": "x"}]},
        3,
        {"prompt": "b", "assertions": 1},
    ]
    assert main(["import", str(evals(tmp_path, content)), "-o", str(tmp_path / "out.json")]) == 1

    lines = [line for line in capsys.readouterr().err.splitlines() if "FAIL" in line]
    assert len(lines) == 5
    assert 'item 1 of "expectations" is 7 (a number)' in lines[1]


def test_a_second_trigger_set_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = evals(tmp_path, TRIGGERS, "one.json"), evals(tmp_path, TRIGGERS, "two.json")

    assert main(["import", *map(str, files), "-o", str(tmp_path / "out.json")]) == 1
    assert "a second trigger set" in capsys.readouterr().err


def test_evals_of_one_of_several_skills(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    routing = evals(tmp_path, [{"query": f"q{n}", "expect": "a" if n % 2 else "b"} for n in range(6)], "routing.json")
    other = evals(tmp_path, [{"prompt": "e", "expectations": ["x"]}])

    assert main(["import", str(routing), str(other), "-o", str(tmp_path / "sets")]) == 1
    assert "choose one with --skill" in capsys.readouterr().err
    rows = imported(tmp_path, routing, other, options=["--skill", "a"])
    assert [row["input"] for row in rows if row.get("graders")] == ["e"]


def test_evals_of_the_same_words_and_files_keep_all_their_graders(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("x", "utf-8")
    (tmp_path / "y.txt").write_text("y", "utf-8")
    content = [
        {"prompt": "draw", "expectations": ["A."]},
        {"prompt": "draw", "files": ["x.txt"], "expectations": ["B."]},
        {"prompt": "draw", "files": ["y.txt"], "expectations": ["C."]},
        {"prompt": "draw", "files": ["y.txt"], "expectations": ["D."]},
        {"prompt": "draw", "expectations": ["E."]},
    ]
    rows = imported(tmp_path, evals(tmp_path, content))

    assert [([*row.get("files", {})], [one["name"] for one in row["graders"]]) for row in rows] == [
        ([], ["A.", "E."]),
        (["x.txt"], ["B."]),
        (["y.txt"], ["C.", "D."]),
    ]


def test_artifacts_are_written_as_new_files_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = ["./o.txt", "out/", "a/./b.md", "/mnt/x.md", "../up.md"]
    (row,) = imported(tmp_path, evals(tmp_path, [{"prompt": "draw", "required_artifacts": paths}]))

    assert [one["path"] for one in row["graders"]] == ["o.txt", "out/**", "a/b.md"]
    assert "2 artifacts left out, leading out of the workspace: /mnt/x.md, ../up.md" in capsys.readouterr().err


def test_files_that_some_systems_take_for_one_are_not_both_laid_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [{"path": "a.txt", "content": "1"}, {"path": "A.TXT", "content": "2"}]
    (row,) = imported(tmp_path, evals(tmp_path, [{"prompt": "draw", "files": files, "expectations": ["A."]}]))

    assert row["files"] == {"a.txt": "1"}
    assert "1 file not carried over, not there to be read as text: A.TXT" in capsys.readouterr().err
