import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from skill_evaluator.formats.loader import FORMATS, check_path, check_paths
from skill_evaluator.formats.skill_creator import import_triggers
from skill_evaluator.formats.testset import find_testset
from skill_evaluator.model import Finding, Level

SKILL = "---\nname: map-maker\ndescription: Draws maps.\n---\nAsk “draw me the old harbour at night”.\n"
ROWS = [
    {
        "id": f"c{number}",
        "type": "should_not_trigger" if number % 2 else "should_trigger",
        "split": "acceptance" if number % 4 < 2 else "tuning",
        "input": words,
    }
    for number, words in enumerate(
        (
            *("draw me the old harbour at night", "who won the final", "plan a round trip", "cook rice without a lid"),
            *("mark each well", "explain the offside rule", "contour lines up north", "mend my bicycle"),
            *("add a legend in French", "choose a birthday present", "print it on A3", "a limerick about rain"),
        )
    )
]
TESTSET = json.dumps(ROWS)


def make(folder: Path, files: Mapping[str, str]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, "utf-8")
    return folder


def codes(findings: tuple[Finding, ...], level: Level) -> list[str]:
    return [finding.code for finding in findings if finding.level is level]


@pytest.mark.parametrize("name", ["SKILL.md", "skill.md", "draft.md", "notes.txt"])
def test_a_skill_is_known_by_its_content(tmp_path: Path, name: str) -> None:
    make(tmp_path, {name: SKILL.replace("name:", "nam:")})

    assert codes(check_path(tmp_path / name), Level.FAIL) == ["skill-name"]


@pytest.mark.parametrize("name", ["testset.json", "cases.txt", "cases"])
def test_a_test_set_is_known_by_its_content(tmp_path: Path, name: str) -> None:
    make(tmp_path, {name: json.dumps(ROWS[:9])})

    assert codes(check_path(tmp_path / name), Level.FAIL) == ["too-few-cases"]


@pytest.mark.parametrize(
    ("files", "named", "code", "words"),
    [
        ({}, "gone.md", "not-found", "there is no such file; check the path"),
        ({"SKILL.md": SKILL}, "SKIL.md", "not-found", "did you mean"),
        ({"a.toml": "[table]\nx = 1\n"}, "a.toml", "unknown-kind", "neither a skill nor a test set"),
        ({"a.txt": "hello"}, "a.txt", "unknown-kind", "opens with a line of `---`"),
        ({"a.json": "hello"}, "a.json", "not-json", "'hello' is no JSON value"),
        ({"a.json": '[{"query": "x", "should_trigger": true}]'}, "a.json", "not-a-testset", "skill-evaluator import"),
        ({"README.md": "# Hi"}, "README.md", "skill-frontmatter-missing", "does not open with"),
        ({"a/x": ""}, "a", "not-found", "no plugin, eval suite or case either; name a skill's folder"),
        ({"a/skill.md": SKILL}, "a", "not-found", "rename skill.md to SKILL.md"),
        ({"a/b/c/SKILL.md": SKILL}, "a", "not-found", "no plugin, eval suite or case either; name a skill's folder"),
    ],
)
def test_anything_else_is_one_clear_finding(
    tmp_path: Path, files: Mapping[str, str], named: str, code: str, words: str
) -> None:
    (finding,) = check_path(make(tmp_path, files) / named)

    assert (finding.level, finding.code) == (Level.FAIL, code)
    assert words in finding.message
    assert finding.file == str(tmp_path / named)


def test_a_sound_folder_has_its_test_set_checked_too(tmp_path: Path) -> None:
    make(tmp_path, {"SKILL.md": SKILL, "evals/testset.json": TESTSET})

    assert codes(check_path(tmp_path), Level.WARN) == [
        *("class-too-small", "class-too-small", "acceptance-input-in-skill"),
    ]
    assert not codes(check_path(tmp_path / "SKILL.md"), Level.WARN)


def test_a_broken_skill_does_not_hide_the_faults_of_its_test_set(tmp_path: Path) -> None:
    make(tmp_path, {"SKILL.md": "# no block\n", "testset.json": "oops"})

    assert codes(check_path(tmp_path), Level.FAIL) == ["skill-frontmatter-missing", "not-json"]


@pytest.mark.parametrize("place", ["testset.json", "evals/testset.json", "testsets/map-maker.json"])
def test_a_test_set_is_compared_with_the_skill_it_lies_beside(
    tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, {"SKILL.md": SKILL, place: TESTSET})
    monkeypatch.chdir((tmp_path / place).parent)

    assert "acceptance-input-in-skill" in codes(check_path(Path(Path(place).name)), Level.WARN)


def test_a_test_set_far_from_any_skill_stands_alone(tmp_path: Path) -> None:
    make(tmp_path, {"a/SKILL.md": SKILL, "b/testset.json": TESTSET})

    assert "acceptance-input-in-skill" not in codes(check_path(tmp_path / "b/testset.json"), Level.WARN)


def test_a_test_set_named_with_one_skill_is_compared_with_it(tmp_path: Path) -> None:
    make(tmp_path, {"a/SKILL.md": SKILL, "b/testset.json": TESTSET, "c/SKILL.md": SKILL})
    paths = [tmp_path / "b/testset.json", tmp_path / "a"]

    assert "acceptance-input-in-skill" in codes(check_paths(paths), Level.WARN)
    assert "acceptance-input-in-skill" not in codes(check_paths([*paths, tmp_path / "c"]), Level.WARN)


def test_findings_of_several_paths_stand_once(tmp_path: Path) -> None:
    make(tmp_path, {"SKILL.md": SKILL, "testset.json": TESTSET})
    paths = [tmp_path, tmp_path / "testset.json", tmp_path]

    assert check_paths(paths) == check_path(tmp_path)
    assert not check_paths([])


def test_formats_are_read_only() -> None:
    assert list(FORMATS) == ["skill", "testset"]
    with pytest.raises(TypeError):
        FORMATS["other"] = check_path  # type: ignore[index]


@pytest.mark.parametrize("named", ["", "SKILL.md"])
@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("folder", "is a folder, not a file"),
        ("loop", "is a symbolic link that leads to itself"),
        ("dangling", "is a symbolic link to a file that does not exist"),
        ("pipe", "is no regular file; save it to a file first"),
    ],
)
def test_a_skill_md_that_is_no_file_is_said_to_be_what_it_is(tmp_path: Path, kind: str, words: str, named: str) -> None:
    path = tmp_path / "SKILL.md"
    match kind:
        case "folder":
            path.mkdir()
        case "loop":
            path.symlink_to(path)
        case "dangling":
            path.symlink_to(tmp_path / "gone.md")
        case _:
            os.mkfifo(path)
    (finding,) = check_path(tmp_path / named)

    assert finding.message.startswith(words)
    assert finding.file == str(path)


def test_impossible_paths_are_one_finding_each(tmp_path: Path) -> None:
    for path in (tmp_path / ("x" * 5000), tmp_path / ("y/" * 5000), tmp_path / "a\0b", Path("/dev/null")):
        (finding,) = check_path(path)
        assert finding.level is Level.FAIL
        assert check_paths([path, path]) == (finding,)
        assert import_triggers(path).findings


def test_a_working_folder_that_is_gone_is_one_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, {"testset.json": TESTSET})
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()

    assert codes(check_path(Path("x.json")), Level.FAIL) == ["not-found"]
    assert not codes(check_path(tmp_path / "testset.json"), Level.FAIL)
    assert find_testset(Path()) is None


def test_findings_carry_no_raw_control_characters(tmp_path: Path) -> None:
    """Whatever the keys, values and names of the file hold."""
    bad = "a\x1b[31m\u202eb\nc\u200b"
    row = {**ROWS[0], bad: 1, "id": bad, "split": bad, "rubric": {bad: bad}, "expected_params": {bad: 1}, "type": bad}
    trigger = [{"query": "x", "should_trigger": bad}, {bad: 1}, {"query": "y", "should_trigger": True, bad: 1}]
    folder = tmp_path / f"{bad}\udcff"
    text = f'---\nname: "{bad}"\ndescription: Any request.\n"{bad}": 1\ntagz: <\nversion: [1]\n---\n'
    make(folder, {
        "a.json": json.dumps([row, row, {**ROWS[1], "tag": [bad]}]),
        "b.json": json.dumps([{**case, "tag": bad, "type": "should_trigger"} for case in ROWS]),
        "c.json": f'[{{"{bad[-1]}\\u202e": 1, "{bad[-1]}\\u202e": 2}}]',
        "SKILL.md": text.replace("\x1b", "\\e").replace("\nc", "\\nc"),
        "t.json": json.dumps(trigger),
        "u.json": json.dumps({bad: 1, "queries": trigger[2:], "skill_name": bad}),
    })  # fmt: skip
    findings = [*check_paths(sorted(folder.iterdir())), *import_triggers(folder / "t.json").findings]

    assert len(findings) > 20
    for finding in findings:
        shown = [finding.message, finding.file or "", finding.case or "", finding.pointer or ""]
        assert all(part.isprintable() for part in shown), shown
        assert str(finding.values).isprintable()
    notes = import_triggers(folder / "u.json").notes
    assert notes
    assert all(note.isprintable() for note in notes)
