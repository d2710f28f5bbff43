"""Which files make up a skill; what git ignores is asked of the real git."""

import hashlib
import itertools
import os
import shutil
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from skill_evaluator.formats.skill_files import lies_in_skill, list_skill_files
from skill_evaluator.formats.skill_md import hash_skill_files, read_skill, skill_file_hashes
from skill_evaluator.model import Skill

HEAD = "---\nname: a-skill\ndescription: Does things.\n---\n"


def make(root: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def listed(root: Path) -> list[str]:
    return list(list_skill_files(root / "SKILL.md", (root / "SKILL.md").read_text(encoding="utf-8")))


def test_parts_and_linked_files_belong(tmp_path: Path) -> None:
    body = (
        "See [forms](docs/forms.md#top), [spaced](<my notes.md>), ![logo](assets/logo.svg), [enc](d%C3%A9j%C3%A0.md)\n"
        "[site](https://example.org/x.md) [up](../other.md) [abs](/etc/passwd) [mail](mailto:a@b.c) [gone](gone.md)\n"
        "[top](#top) [folder](docs) [ref]\n\n[ref]: ref.md 'Title'\n"
        "```\n[example](example.md)\n```\n"
    )
    files = ("docs/forms.md", "docs/other.md", "my notes.md", "déjà.md", "ref.md", "example.md", "README.md", "LICENSE")
    parts = ("scripts/run.py", "scripts/lib/deep.py", "references/a.md", "assets/logo.svg")
    make(tmp_path, {"SKILL.md": HEAD + body, **dict.fromkeys((*files, *parts), "x")})

    assert listed(tmp_path) == sorted(
        ["SKILL.md", "docs/forms.md", "my notes.md", "déjà.md", "ref.md", *parts],
    )


def test_what_an_agent_must_not_see_never_belongs(tmp_path: Path) -> None:
    """Test sets, reports, hidden files and caches, even if SKILL.md links to them."""
    apart = (
        "testset.json", "evals/testset.json", "tests/t.json", "testsets/s.json", "reports/r.json", ".env",
        "scripts/.secret", "references/.git/config", "scripts/__pycache__/run.pyc",
    )  # fmt: skip
    links = " ".join(f"[x]({name})" for name in apart)
    make(tmp_path, {"SKILL.md": HEAD + links, "scripts/tests/fixture.md": "x", **dict.fromkeys(apart, "x")})

    assert listed(tmp_path) == ["SKILL.md", "scripts/tests/fixture.md"]


def test_links_that_lead_out_or_to_what_is_apart_are_not_followed(tmp_path: Path) -> None:
    root = make(tmp_path / "skill", {"SKILL.md": HEAD, "references/a.md": "x", "tests/answers.json": "x", ".env": "x"})
    make(tmp_path / "outside", {"secret.md": "x", "more/b.md": "x"})
    scripts = root / "scripts"
    scripts.mkdir()
    for name, target in {
        "out.md": tmp_path / "outside" / "secret.md",
        "folder": tmp_path / "outside" / "more",
        "answers.json": root / "tests" / "answers.json",
        "env": root / ".env",
        "inside.md": root / "references" / "a.md",
        "inside": root / "references",
        "loop": root / "scripts",
        "self": root / "scripts" / "self",
        "gone": root / "gone",
    }.items():
        (scripts / name).symlink_to(target)
    os.mkfifo(scripts / "pipe")

    assert listed(root) == ["SKILL.md", "references/a.md", "scripts/inside.md", "scripts/inside/a.md"]
    assert read_skill(root).skill


GITIGNORES = {
    ".gitignore": "*.log\n!keep.log\n/skills/demo/scripts/build/\nsecret*\n# note\n\\#odd\n!\n[z-a]\n",
    "skills/.gitignore": "tmp-*\n!tmp-kept.md\n",
    "skills/demo/.gitignore": "scripts/*.tmp\nreferences/**/draft.md\n!secret-kept.md\n",
    "skills/demo/references/.gitignore": "*.bak\n",
}
CANDIDATES = (
    "scripts/a.py", "scripts/a.log", "scripts/keep.log", "scripts/build/x.py", "scripts/build/keep.log",
    "scripts/secret.md", "scripts/secret-kept.md", "scripts/tmp-a.md", "scripts/tmp-kept.md", "scripts/x.tmp",
    "scripts/deep/x.tmp", "references/draft.md", "references/a/b/draft.md", "references/a.bak", "assets/a.bak",
    "assets/#odd", "assets/tmp-dir/inner.md",
)  # fmt: skip


@pytest.mark.skipif(not shutil.which("git"), reason="git itself says what it ignores")
def test_git_ignored_files_are_those_git_ignores(tmp_path: Path) -> None:
    make(tmp_path, {**GITIGNORES, "skills/demo/SKILL.md": HEAD})
    root = make(tmp_path / "skills" / "demo", dict.fromkeys(CANDIDATES, "x"))
    quiet = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    subprocess.run(["git", "init", "-q", tmp_path], check=True, env=quiet)
    asked = subprocess.run(
        ["git", "check-ignore", *CANDIDATES], cwd=root, env=quiet, capture_output=True, text=True, check=False
    )
    ignored = set(asked.stdout.replace('"', "").split())

    assert {"scripts/a.log", "scripts/build/keep.log", "assets/tmp-dir/inner.md"} <= ignored
    assert listed(root) == sorted({"SKILL.md", *CANDIDATES} - ignored)


def test_rules_above_count_only_inside_a_repository(tmp_path: Path) -> None:
    make(tmp_path, {".gitignore": "*.log\n"})
    root = make(tmp_path / "demo", {"SKILL.md": HEAD, "scripts/a.log": "x"})

    assert listed(root) == ["SKILL.md", "scripts/a.log"]
    (tmp_path / ".git").mkdir()
    assert listed(root) == ["SKILL.md"]


def test_rules_of_the_skill_itself_count_without_a_repository(tmp_path: Path) -> None:
    make(tmp_path, {"SKILL.md": HEAD, ".gitignore": "*.log\n", "scripts/a.log": "x", "scripts/a.py": "x"})

    assert listed(tmp_path) == ["SKILL.md", "scripts/a.py"]


def test_an_ignored_skill_keeps_its_files(tmp_path: Path) -> None:
    """A repository that ignores the whole folder says nothing about which of its files matter."""
    make(tmp_path, {".gitignore": "private/\n"})
    (tmp_path / ".git").mkdir()
    root = make(tmp_path / "private" / "demo", {"SKILL.md": HEAD, "scripts/a.py": "x", ".gitignore": "*.log\n"})
    make(root, {"scripts/a.log": "x"})

    assert listed(root) == ["SKILL.md", "scripts/a.py"]


def test_hash_is_over_names_and_bytes(tmp_path: Path) -> None:
    make(tmp_path, {"a": b"one\r\n", "b": b"two"})
    digest = {name: hashlib.sha256(content).hexdigest() for name, content in (("a", b"one\r\n"), ("b", b"two"))}
    expected = hashlib.sha256(f"1:a:{digest['a']}\n1:b:{digest['b']}\n".encode()).hexdigest()

    assert hash_skill_files(tmp_path, ["b", "a"]) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": "x", "b": "y"}, {"a": "y", "b": "x"}),
        ({"a": "x"}, {"b": "x"}),
        ({"a": "x\n"}, {"a": "x\r\n"}),
        ({"a": "x\n1:b:y"}, {"a": "x", "b": "y"}),
        ({"a\n1:b": "x"}, {"a": "x", "b": "x"}),
    ],
)
def test_different_files_have_different_hashes(
    tmp_path: Path, one: Mapping[str, str], other: Mapping[str, str]
) -> None:
    left, right = make(tmp_path / "1", one), make(tmp_path / "2", other)

    assert hash_skill_files(left, list(one)) != hash_skill_files(right, list(other))


def test_hash_of_a_skill_ignores_what_is_no_part(tmp_path: Path) -> None:
    make(tmp_path, {"SKILL.md": HEAD, "scripts/a.py": "x"})
    before = read_skill(tmp_path).skill
    make(tmp_path, {"reports/r.md": "x", "testset.json": "[]", "README.md": "x", "scripts/.cache": "x"})
    same = read_skill(tmp_path).skill
    make(tmp_path, {"scripts/b.py": "x"})
    changed = read_skill(tmp_path).skill

    assert before
    assert same
    assert changed
    assert before.sha256 == same.sha256 != changed.sha256


def test_changes_show_file_by_file(tmp_path: Path) -> None:
    make(tmp_path, {"SKILL.md": HEAD, "scripts/a.py": "x", "scripts/b.py": "x"})
    before = skill_file_hashes(tmp_path)
    make(tmp_path, {"scripts/a.py": "y", "scripts/new.py": "x", "notes.md": "x"})
    (tmp_path / "scripts/b.py").unlink()
    after = skill_file_hashes(tmp_path / "SKILL.md")

    assert before["SKILL.md"] == after["SKILL.md"] == hashlib.sha256(HEAD.encode()).hexdigest()
    assert {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)} == {
        "scripts/a.py",
        "scripts/b.py",
        "scripts/new.py",
    }
    (tmp_path / "SKILL.md").unlink()
    assert "SKILL.md" not in skill_file_hashes(tmp_path)


@pytest.fixture
def skill(tmp_path: Path) -> Skill:
    make(tmp_path / "s", {"SKILL.md": HEAD + "[x](docs/x.md)", "docs/x.md": "x", "scripts/lib/a.py": "x"})
    loaded = read_skill(tmp_path / "s").skill
    assert loaded
    return loaded


@pytest.mark.parametrize(
    ("place", "inside"),
    [
        (".", True),
        ("SKILL.md", True),
        ("docs", True),
        ("docs/x.md", True),
        ("docs/../docs", True),
        ("scripts", True),
        ("scripts/lib", True),
        ("scripts/new/out", True),
        ("references", True),
        ("assets/out", True),
        ("reports", False),
        ("docs/out", False),
        ("out", False),
        ("..", False),
        ("../other", False),
    ],
)
def test_where_nothing_may_be_written(skill: Skill, place: str, inside: bool) -> None:
    assert lies_in_skill(skill, skill.path.parent / place) is inside


def test_a_link_into_the_skill_is_inside(skill: Skill, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(skill.path.parent / "scripts")

    assert lies_in_skill(skill, tmp_path / "link" / "out")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_unreadable_part_is_one_finding(tmp_path: Path) -> None:
    make(tmp_path, {"SKILL.md": HEAD, "scripts/a.py": "x"})
    (tmp_path / "scripts/a.py").chmod(0)

    (finding,) = [finding for finding in read_skill(tmp_path).findings if finding.level == "FAIL"]
    assert finding.code == "unreadable"
    assert "a.py" in finding.message


def test_changes_show_in_a_skill_of_another_name(tmp_path: Path) -> None:
    """A SKILL.md beside it has no say."""
    make(tmp_path, {"my-skill.md": HEAD + "[more](other.md)", "other.md": "x", "SKILL.md": HEAD + "[no](no.md)"})
    make(tmp_path, {"no.md": "x"})
    before = skill_file_hashes(tmp_path / "my-skill.md")
    make(tmp_path, {"other.md": "y"})
    after = skill_file_hashes(tmp_path / "my-skill.md")

    assert list(before) == ["my-skill.md", "other.md"]
    assert before["my-skill.md"] == after["my-skill.md"]
    assert before["other.md"] != after["other.md"]
    (tmp_path / "my-skill.md").unlink()
    assert "my-skill.md" not in skill_file_hashes(tmp_path / "my-skill.md")


def test_folders_that_all_link_to_each_other_are_walked_quickly(tmp_path: Path) -> None:
    folders = [tmp_path / "scripts" / f"f{number:02}" for number in range(22)]
    make(tmp_path, {"SKILL.md": HEAD, **{f"scripts/{folder.name}/a.py": "x" for folder in folders}})
    for folder, other in itertools.permutations(folders, 2):
        (folder / other.name).symlink_to(other)
    started = time.process_time()
    files = listed(tmp_path)

    assert time.process_time() - started < 5
    assert {f"scripts/{folder.name}/a.py" for folder in folders} <= set(files)
    assert len(files) <= 1 + 2 * len(folders)


def test_a_pipe_among_the_files_never_blocks(tmp_path: Path) -> None:
    make(tmp_path, {"SKILL.md": HEAD, "scripts/a.py": "x"})
    os.mkfifo(tmp_path / ".gitignore")
    os.mkfifo(tmp_path / "scripts" / "pipe")
    before = skill_file_hashes(tmp_path)
    (tmp_path / "SKILL.md").unlink()
    os.mkfifo(tmp_path / "SKILL.md")

    assert list(before) == ["SKILL.md", "scripts/a.py"]
    assert list(skill_file_hashes(tmp_path)) == ["scripts/a.py"]
    with pytest.raises(OSError, match="no regular file"):
        hash_skill_files(tmp_path, ["SKILL.md"])


def test_a_name_that_is_no_utf8_counts_and_can_be_written(tmp_path: Path) -> None:
    make(tmp_path, {"SKILL.md": HEAD, "scripts/a.py": "x"})
    plain = read_skill(tmp_path).skill
    odd = Path(os.fsdecode(os.fsencode(tmp_path / "scripts") + b"/b\xff.py"))
    odd.write_text("x")
    one = read_skill(tmp_path).skill
    odd.write_text("y")
    other = read_skill(tmp_path).skill

    assert plain
    assert one
    assert other
    assert len({plain.sha256, one.sha256, other.sha256}) == 3
    assert one.files == ("SKILL.md", "scripts/a.py", "scripts/b\\udcff.py")
    assert tuple(skill_file_hashes(tmp_path)) == one.files


def test_a_skill_of_a_name_that_is_no_utf8(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/s\xff.md"))
    path.write_text(HEAD)
    loaded = read_skill(path)

    assert loaded.skill
    assert loaded.skill.files == ("s\\udcff.md",)
    assert lies_in_skill(loaded.skill, path)
    assert all(f"{finding.file}".encode() for finding in loaded.findings)


def impossible(folder: Path) -> list[Path]:
    loop = folder / "loop"
    if not loop.is_symlink():
        loop.symlink_to(loop)
    return [folder / ("x" * 5000), folder / ("y/" * 5000), folder / "a\0b", loop, loop / "x", Path("/dev/null")]


def test_impossible_paths_are_no_exception(tmp_path: Path, skill: Skill) -> None:
    for path in impossible(tmp_path):
        assert not lies_in_skill(skill, path)
        assert not skill_file_hashes(path)


def test_a_working_folder_that_is_gone_is_no_exception(
    tmp_path: Path, skill: Skill, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()

    assert not lies_in_skill(skill, Path("out"))
    assert not skill_file_hashes(Path("SKILL.md"))
    assert [finding.code for finding in read_skill(Path("SKILL.md")).findings] == ["not-found"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_closed_folder_is_no_exception(tmp_path: Path, skill: Skill) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0)

    assert not lies_in_skill(skill, closed / "x")
    assert not skill_file_hashes(closed / "SKILL.md")
    assert [finding.code for finding in read_skill(closed / "x.md").findings] == ["unreadable"]
