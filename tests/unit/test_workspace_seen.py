"""What is listed and read of a workspace that an agent has filled."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from skill_evaluator.model import Needs, Run, SeenFile, only_needed
from skill_evaluator.sandbox.workspace import created_files, files_in, identity_of, look_at


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("secret", "utf-8")
    return folder


def write(workspace: Path, *paths: str) -> None:
    for path in paths:
        (workspace / path).parent.mkdir(parents=True, exist_ok=True)
        (workspace / path).write_text(path, "utf-8")


def test_new_files_are_those_that_were_not_laid_out(workspace: Path) -> None:
    write(workspace, "notes.txt", "docs/a.md")
    before = files_in(workspace)
    write(workspace, "notes.txt", "b/c.md", "B.md", ".hidden", "node_modules/x.js", ".git/config", "sub/.git/HEAD")
    (workspace / "docs/a.md").unlink()

    assert before == frozenset({"notes.txt", "docs/a.md"})
    assert created_files(before, files_in(workspace)) == (".hidden", "B.md", "b/c.md", "node_modules/x.js")


def test_links_and_pipes_are_neither_listed_nor_followed(workspace: Path, tmp_path: Path) -> None:
    (workspace / "link").symlink_to(tmp_path / "secret.txt")
    (workspace / "folder").symlink_to(tmp_path)
    (workspace / "loop").symlink_to(workspace)
    os.mkfifo(workspace / "pipe")

    assert files_in(workspace) == frozenset()


def test_too_many_files_or_folders_leave_it_open(workspace: Path) -> None:
    write(workspace, *(f"f{number}" for number in range(5)))

    assert len(files_in(workspace, most=5) or ()) == 5
    assert files_in(workspace, most=4) is None
    for number in range(5):
        (workspace / f"d{number}").mkdir()
    assert files_in(workspace, most=5) is None  # the workspace itself is a folder too
    assert created_files(frozenset(), None) is created_files(None, frozenset()) is None


def test_names_that_are_no_utf_8_can_be_stored(workspace: Path) -> None:
    (workspace / os.fsdecode(b"a\xff.txt")).write_bytes(b"")

    assert files_in(workspace) == frozenset({"a\ufffd.txt"})


def test_single_files_are_seen_as_they_are(workspace: Path, tmp_path: Path) -> None:
    write(workspace, "a.txt", "sub/b.txt")
    (workspace / "raw").write_bytes(b"\xff\0")
    (workspace / "inner").symlink_to(workspace / "a.txt")
    (workspace / "outer").symlink_to(tmp_path / "secret.txt")
    (workspace / "gone").symlink_to("nowhere")
    os.mkfifo(workspace / "pipe")
    paths = {
        "a.txt": SeenFile.of(b"a.txt"),
        "./sub/../a.txt": SeenFile.of(b"a.txt"),
        "raw": SeenFile.of(b"\xff\0"),
        "inner": SeenFile.of(b"a.txt"),
        "outer": SeenFile(state="outside"),
        "../secret.txt": SeenFile(state="outside"),
        str(workspace / "a.txt"): SeenFile(state="outside"),
        "sub": SeenFile(state="not_a_file"),
        "pipe": SeenFile(state="not_a_file"),
        "": SeenFile(state="not_a_file"),
        "none.txt": SeenFile(state="missing"),
        "a.txt/x": SeenFile(state="missing"),
        "gone": SeenFile(state="missing"),
        "a\0b": SeenFile(state="unreadable"),
    }

    assert look_at(workspace, list(paths)) == paths


def test_large_files_are_not_kept(workspace: Path) -> None:
    (workspace / "big").write_bytes(b"x" * 11)
    (workspace / "full").write_bytes(b"x" * 10)

    assert look_at(workspace, ["big", "full"], max_bytes=10) == {
        "big": SeenFile(state="too_large"),
        "full": SeenFile.of(b"x" * 10),
    }


def test_a_run_keeps_what_is_looked_at_alone() -> None:
    files = {"a": SeenFile.of(b"a"), "b": SeenFile(state="missing")}
    whole = Run(case_id="c", trace=("{}",), created_files=("a",), seen_files=files)

    assert only_needed(whole, Needs()) == Run(case_id="c")
    assert only_needed(whole, Needs(trace=True, files=("b",))) == Run(
        case_id="c", trace=("{}",), seen_files={"b": SeenFile(state="missing")}
    )


@pytest.mark.parametrize("kind", ["link", "folder", "file"])
def test_nothing_is_seen_of_what_took_the_place_of_the_workspace(workspace: Path, tmp_path: Path, kind: str) -> None:
    made = identity_of(workspace)
    workspace.rename(tmp_path / "moved")
    (tmp_path / "other").mkdir()
    (tmp_path / "other/passwd").write_text("root", "utf-8")
    match kind:
        case "link":
            workspace.symlink_to(tmp_path / "other")
        case "folder":
            (tmp_path / "other").rename(workspace)
        case _:
            workspace.write_text("x", "utf-8")

    assert files_in(workspace, made=made) is None
    assert look_at(workspace, ["passwd"], made=made) == {"passwd": SeenFile(state="outside")}


def test_a_workspace_that_is_gone_holds_nothing(workspace: Path) -> None:
    made = identity_of(workspace)
    workspace.rmdir()

    assert files_in(workspace, made=made) == frozenset()
    assert look_at(workspace, ["a"], made=made) == {"a": SeenFile(state="missing")}


def test_a_path_that_is_too_long_leaves_open_what_is_there(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(workspace)
    for _ in range(30):
        os.mkdir("d" * 200)  # noqa: PTH102 - beyond what a path can say
        os.chdir("d" * 200)
    Path("made.txt").write_text("x", "utf-8")
    monkeypatch.chdir(workspace)

    assert files_in(workspace, made=identity_of(workspace)) is None


def test_a_folder_that_cannot_be_read_leaves_open_what_is_there(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(workspace, "a.txt", "closed/b.txt")
    scan = os.scandir

    def scandir(folder: str) -> Iterator[os.DirEntry[str]]:
        if folder.endswith("closed"):
            raise PermissionError(folder)
        return scan(folder)

    monkeypatch.setattr(os, "scandir", scandir)

    assert files_in(workspace) is None
