"""What a model can read in a run: the files of the case and of the skills, and nothing else whatever it asks for."""

import os
from pathlib import Path

import pytest

from skill_evaluator.agents.messages.searching import glob, grep
from skill_evaluator.agents.messages.tool_result import ToolResult
from skill_evaluator.agents.messages.workspace import MAX_LINE, Workspace, file_faults, read_skills
from skill_evaluator.formats.skill_md import read_skill
from skill_evaluator.model import Skill
from tests.unit.command_setup import case_of

SKILL_FILE = "skills/level-maker/SKILL.md"
OUTSIDE = (
    *(
        "/etc/passwd",
        "../secret.txt",
        "notes/../../secret.txt",
        "C:/Windows/win.ini",
        "C:secret.txt",
        "notes\\todo.txt",
    ),
    *(
        "a\0b",
        "~/secret.txt",
        "//server/share",
        "\\\\server\\share",
        "./../secret.txt",
        "notes//../../secret.txt",
    ),
)


@pytest.fixture
def skill(skill_dir: Path) -> Skill:
    """A skill with a reference, a binary asset, and a link that leads out of its folder."""
    (skill_dir / "references").mkdir()
    (skill_dir / "references" / "rules.md").write_text("first\nsecond rule\nthird\n", "utf-8")
    (skill_dir / "assets").mkdir()
    (skill_dir / "assets" / "logo.png").write_bytes(b"\x89PNG\0\xff")
    secret = skill_dir.parent / "secret.txt"
    secret.write_text("planted secret", "utf-8")
    (skill_dir / "references" / "link.txt").symlink_to(secret)
    loaded = read_skill(skill_dir).skill
    assert loaded is not None
    return loaded


@pytest.fixture
def workspace(skill: Skill) -> Workspace:
    files = {"notes/todo.txt": "buy milk\ncall Ann\n", "long.txt": "x\n" * 5_000, "wide.txt": "y" * 5_000}
    return Workspace(tree=read_skills([skill]), case_files=files)


def read(workspace: Workspace, path: object, **more: object) -> ToolResult:
    return workspace.read({"path": path, **more})


def test_lines_come_with_their_numbers(workspace: Workspace) -> None:
    assert read(workspace, "notes/todo.txt").text == "1\tbuy milk\n2\tcall Ann"
    assert read(workspace, "./notes/todo.txt", offset=2).text == "2\tcall Ann"
    assert read(workspace, "notes/todo.txt", limit=1).text == ("1\tbuy milk\n[lines 1 to 1 of 2; go on with offset 2]")


def test_what_is_too_long_is_cut_and_said(workspace: Workspace) -> None:
    assert read(workspace, "long.txt").text.endswith("2000\tx\n[lines 1 to 2000 of 5000; go on with offset 2001]")
    assert read(workspace, "wide.txt").text == f"1\t{'y' * MAX_LINE} [3000 more characters in this line]"


def test_a_skill_s_files_are_there_and_its_test_set_is_not(workspace: Workspace) -> None:
    assert read(workspace, "skills/level-maker/references/rules.md", offset=2, limit=1).text.startswith(
        "2\tsecond rule"
    )
    assert read(workspace, "skills/level-maker/testset.json").is_error
    found = glob(workspace, {"pattern": "**"}).text
    assert "testset" not in found
    assert "link.txt" not in found


def test_opening_a_skill_file_is_noted_whole_or_in_part(workspace: Workspace) -> None:
    assert read(workspace, SKILL_FILE).opened == "level-maker"
    assert read(workspace, SKILL_FILE, offset=3, limit=1).opened == "level-maker"
    assert read(workspace, SKILL_FILE, offset=300).opened is None
    assert read(workspace, "skills/level-maker/references/rules.md").opened is None


def test_a_binary_file_is_said_to_be_one(workspace: Workspace) -> None:
    result = read(workspace, "skills/level-maker/assets/logo.png")

    assert result.is_error
    assert "is binary" in result.text


@pytest.mark.parametrize("path", OUTSIDE)
def test_nothing_outside_is_reached(workspace: Workspace, path: str) -> None:
    for result in (read(workspace, path), grep(workspace, {"pattern": "planted", "path": path})):
        assert result.is_error
        assert "is outside" in result.text
        assert "planted secret" not in result.text


@pytest.mark.parametrize("pattern", ["/etc/*", "../*", "a/../../*", "C:/*", "~/*", "\\\\server\\*", "a\0*"])
def test_no_pattern_lists_anything_outside(workspace: Workspace, pattern: str) -> None:
    result = glob(workspace, {"pattern": pattern})

    assert result.is_error
    assert "is outside" in result.text


def test_links_lead_nowhere(workspace: Workspace) -> None:
    assert read(workspace, "skills/level-maker/references/link.txt").is_error


@pytest.mark.skipif(os.name == "nt", reason="named pipes")
def test_files_are_read_from_disk_once(workspace: Workspace, skill: Skill) -> None:
    """A skill that is edited meanwhile, or gone, changes nothing for the runs under way."""
    skill.path.unlink()
    os.mkfifo(skill.path)

    assert "Level maker" in read(workspace, SKILL_FILE).text


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("notes/*.txt", ["notes/todo.txt"]),
        ("*.txt", ["long.txt", "wide.txt"]),
        ("**/*.md", ["skills/level-maker/SKILL.md", "skills/level-maker/references/rules.md"]),
        ("**/todo.txt", ["notes/todo.txt"]),
        ("skills/**", [
            "skills/level-maker/SKILL.md",
            "skills/level-maker/assets/logo.png",
            "skills/level-maker/references/rules.md",
        ]),
        ("{long,wide}.t?t", ["long.txt", "wide.txt"]),
        ("[lw]*.txt", ["long.txt", "wide.txt"]),
        ("[!l]*.txt", ["wide.txt"]),
    ],
)  # fmt: skip
def test_patterns_of_paths(workspace: Workspace, pattern: str, found: list[str]) -> None:
    assert glob(workspace, {"pattern": pattern}).text.split("\n") == found


def test_lines_are_found_by_expression(workspace: Workspace) -> None:
    assert grep(workspace, {"pattern": r"^(buy|second)"}).text == (
        "notes/todo.txt:1:buy milk\nskills/level-maker/references/rules.md:2:second rule"
    )
    assert grep(workspace, {"pattern": "a", "path": "notes"}).text == "notes/todo.txt:2:call Ann"
    assert grep(workspace, {"pattern": "zebra"}).text == "no line matches"
    assert grep(workspace, {"pattern": "x", "path": "long.txt"}).text.endswith("[only the first 200 are shown]")


@pytest.mark.parametrize(
    "pattern",
    ["(", "a{9999}{9999}", "a" * 2_000, r"(?P<x>a)(?P<x>b", "*"],
    ids=["open", "bomb", "long", "group", "star"],
)
def test_a_broken_expression_is_an_error_and_no_crash(workspace: Workspace, pattern: str) -> None:
    assert grep(workspace, {"pattern": pattern}).is_error


def test_an_expression_without_end_is_stopped(skill: Skill) -> None:
    workspace = Workspace(tree=read_skills([skill]), case_files={"a.txt": "a" * 40 + "b"})

    result = grep(workspace, {"pattern": "(a|aa)+$", "path": "a.txt"})

    assert result.is_error
    assert "took longer" in result.text


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"path": 3},
        {"path": "long.txt", "offset": 0},
        {"path": "long.txt", "limit": "2"},
        {"path": "notes"},
        {"path": ""},
    ],
)
def test_a_wrong_input_is_an_error(workspace: Workspace, arguments: dict[str, object]) -> None:
    assert workspace.read(arguments).is_error


def test_a_case_cannot_put_a_file_in_the_place_of_the_skill(skill: Skill) -> None:
    cases = [case_of(files={"skills/level-maker/SKILL.md": "other"}), case_of(id="c2", files={"skills/x.txt": "fine"})]

    (fault,) = file_faults(cases, read_skills([skill]))

    assert fault.case == "c1"
    assert "skills/level-maker/SKILL.md" in fault.message
