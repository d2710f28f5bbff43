import os
from pathlib import Path

import pytest

from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.folders import Entry, list_folder, walk_folders
from skill_evaluator.formats.suite.reading import MAX_BYTES, FileText, read_inside


@pytest.fixture
def root(tmp_path: Path) -> Path:
    plugin = tmp_path / "plugin"
    plugin.mkdir()
    (tmp_path / "secret.md").write_text("secret", encoding="utf-8")
    return plugin


def read(path: Path, root: Path) -> FileText:
    found = read_inside(path, root=root)
    assert isinstance(found, FileText), found
    return found


def code_of(path: Path, root: Path) -> str:
    found = read_inside(path, root=root)
    assert isinstance(found, SuiteFault), found
    assert found.message.isprintable()
    return found.code


def folders_of(_folder: Path, entries: tuple[Entry, ...]) -> list[Entry]:
    return [entry for entry in entries if entry.kind == "folder"]


@pytest.mark.parametrize(
    ("content", "text", "line"),
    [
        (b"a\r\nb\rc\n", "a\r\nb\rc\n", None),
        (b"\xef\xbb\xbfa", "a", None),
        (b"\xef\xbb\xbf\xff", "\ufffd", 1),
        (b"", "", None),
        (b"a\nb\xff\xfec", "a\nb��c", 2),
        (b"\xed\xa0\x80", "���", 1),  # half of a pair, as TextDecoder of the web reads it
        ("a\u2028b\0".encode(), "a\u2028b\0", None),
    ],
)
def test_text_comes_as_the_real_program_reads_it(root: Path, content: bytes, text: str, line: int | None) -> None:
    (root / "f").write_bytes(content)

    found = read(root / "f", root)

    assert (found.text, found.not_utf8_line, found.has_mark) == (text, line, content.startswith(b"\xef"))


def test_a_file_may_have_a_mebibyte_and_no_more(root: Path) -> None:
    (root / "f").write_bytes(b"x" * MAX_BYTES)
    (root / "g").write_bytes(b"x" * (MAX_BYTES + 1))

    assert len(read(root / "f", root).text) == 1_048_576
    assert code_of(root / "g", root) == "too-large"


def test_a_huge_file_is_refused_by_its_size(root: Path) -> None:
    with (root / "f").open("wb") as stream:
        stream.truncate(100 * 1024 * 1024)

    fault = read_inside(root / "f", root=root)

    assert isinstance(fault, SuiteFault)
    assert fault.values == {"bytes": 104_857_600, "limit": 1_048_576}


def test_what_leads_outside_is_not_read(root: Path) -> None:
    (root / "to-file").symlink_to(root.parent / "secret.md")
    (root / "to-folder").symlink_to("..")
    (root / "twice").symlink_to("to-file")

    for path in (
        root / "to-file",
        root / "twice",
        root / "to-folder" / "secret.md",
        root / ".." / "secret.md",
        root.parent / "secret.md",
        Path("/etc/hostname"),
        root / "/etc/passwd",
        root.parent / "plugin-2" / "f",  # begins with the same letters
    ):
        assert code_of(path, root) == "leads-outside"


def test_links_inside_are_read(root: Path) -> None:
    (root / "f").write_text("x", encoding="utf-8")
    (root / "l").symlink_to("f")
    (root / "here").symlink_to(".")

    assert read(root / "l", root).text == "x"
    assert read(root / "here" / "here" / "l", root).text == "x"


def test_links_in_a_loop_are_one_fault(root: Path) -> None:
    (root / "a").symlink_to("b")
    (root / "b").symlink_to("a")

    assert code_of(root / "a", root) == "unreadable"


def test_what_is_no_file_is_not_waited_for(root: Path) -> None:
    os.mkfifo(root / "pipe")
    (root / "dangling").symlink_to("nothing")
    (root / "f").write_bytes(b"")

    assert code_of(root / "pipe", root) == "not-regular"
    assert code_of(root, root) == "is-a-folder"
    assert code_of(root / "dangling", root) == "not-found"
    assert code_of(root / "nothing", root) == "not-found"
    assert code_of(root / "f" / "g", root) == "not-found"
    assert code_of(root / "nul\0", root) == "not-found"
    assert code_of(root / ("x" * 300), root) == "unreadable"


def test_entries_stand_in_the_order_of_javascript_and_say_what_they_are(root: Path) -> None:
    for name in ("b", "B", "_", "\uffff", "\U0001f600", "a\nb"):
        (root / name).write_bytes(b"")
    (root / "folder").mkdir()
    (root / "l-folder").symlink_to("folder")
    (root / "l-file").symlink_to("b")
    (root / "l-none").symlink_to("none")
    (root / "l-loop").symlink_to("l-loop")
    os.mkfifo(root / "pipe")

    entries = list_folder(root, root=root)

    assert isinstance(entries, tuple)
    assert [(entry.name, entry.kind) for entry in entries] == [
        ("B", "file"),
        ("_", "file"),
        ("a\nb", "file"),
        ("b", "file"),
        ("folder", "folder"),
        ("l-file", "file-link"),
        ("l-folder", "folder-link"),
        ("l-loop", "looping-link"),
        ("l-none", "broken-link"),
        ("pipe", "other"),
        ("\U0001f600", "file"),
        ("\uffff", "file"),
    ]


def test_a_walk_enters_no_link(root: Path) -> None:
    (root / "a" / "b").mkdir(parents=True)
    (root / "a" / "b" / "up").symlink_to("../..")
    (root / "out").symlink_to("/usr")

    assert [folder for folder, _ in walk_folders(root, root=root, descend=folders_of)] == [
        root,
        root / "a",
        root / "a" / "b",
    ]


def test_a_walk_from_a_link_out_lists_nothing(root: Path) -> None:
    (root / "out").symlink_to("/usr")

    [(folder, fault)] = walk_folders(root / "out", root=root, descend=folders_of)

    assert folder == root / "out"
    assert isinstance(fault, SuiteFault)
    assert fault.code == "leads-outside"


def test_a_very_deep_tree_ends_with_one_fault(root: Path) -> None:
    folder = root
    for _ in range(1000):
        folder /= "d"
        folder.mkdir()

    try:
        walked = list(walk_folders(root, root=root, descend=folders_of))
    finally:
        while folder != root:  # so deep a tree is not removed by shutil
            folder.rmdir()
            folder = folder.parent

    assert [fault.code for _, fault in walked if isinstance(fault, SuiteFault)] == ["too-deep"]
    assert len(walked) == 17


def test_a_very_wide_tree_ends_with_one_fault(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skill_evaluator.formats.suite.folders.MAX_ENTRIES", 50)
    for folder in "abc":
        (root / folder).mkdir()
        for number in range(30):
            (root / folder / str(number)).touch()

    walked = list(walk_folders(root, root=root, descend=folders_of))

    assert [(folder.name, isinstance(found, SuiteFault)) for folder, found in walked] == [
        ("plugin", False),
        ("a", False),
        ("b", True),
    ]
