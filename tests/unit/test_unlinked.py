"""Nothing is written through links that others put where results go."""

import os
from pathlib import Path

import pytest

from skill_evaluator.unlinked import in_the_way, links_on, write_unlinked


def test_a_file_is_written_and_its_folders_made(tmp_path: Path) -> None:
    path = write_unlinked(tmp_path / "out", ("a", "b", "c.txt"), [b"one", b"two"])
    assert path == tmp_path / "out" / "a" / "b" / "c.txt"
    assert path.read_bytes() == b"onetwo"
    write_unlinked(tmp_path / "out", ("a", "b", "c.txt"), [b"three"])
    assert path.read_bytes() == b"three"
    assert [one.name for one in path.parent.iterdir()] == ["c.txt"]


def test_a_link_is_replaced_and_what_it_leads_to_stays(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("precious")
    (tmp_path / "link").symlink_to(precious)
    os.link(precious, tmp_path / "second")
    for name in ("link", "second"):
        assert write_unlinked(tmp_path, (name,), [b"new"]).read_bytes() == b"new"
    assert precious.read_text() == "precious"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_replaced_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert write_unlinked(tmp_path, ("pipe",), [b"new"]).read_bytes() == b"new"


def test_a_folder_that_is_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "traces").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="is a link"):
        write_unlinked(tmp_path / "out", ("traces", "c.jsonl"), [b"x"])
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_what_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        write_unlinked(tmp_path, ("folder",), [b"x"])
    assert [one.name for one in tmp_path.iterdir()] == ["folder"]


def test_links_and_pipes_are_found_however_deep(tmp_path: Path) -> None:
    assert list(in_the_way([tmp_path / "none", tmp_path / "traces"])) == []
    (tmp_path / "traces" / "deep").mkdir(parents=True)
    (tmp_path / "traces" / "fine.jsonl").write_text("{}")
    (tmp_path / "traces" / "deep" / "loop").symlink_to(tmp_path)
    (tmp_path / "result").symlink_to("nowhere")
    found = list(in_the_way([tmp_path / "result", tmp_path / "traces"]))
    assert [line.split(" is a link")[0] for line in found] == [
        str(tmp_path / "result"),
        str(tmp_path / "traces" / "deep" / "loop"),
    ]


def test_links_count_below_the_root_alone(tmp_path: Path) -> None:
    real = tmp_path / "real"
    (real / "evals").mkdir(parents=True)
    (tmp_path / "plugin").symlink_to(real)
    assert list(links_on(tmp_path / "plugin" / "evals" / "results" / "now", tmp_path / "plugin")) == []
    assert list(links_on(tmp_path / "plugin" / "x", tmp_path / "elsewhere")) == []
    (real / "evals" / "results").symlink_to(tmp_path)
    (line,) = links_on(tmp_path / "plugin" / "evals" / "results" / "now", tmp_path / "plugin")
    assert line.startswith(f"{tmp_path / 'plugin' / 'evals' / 'results'} is a link")


def test_a_link_that_stays_in_the_root_is_followed(tmp_path: Path) -> None:
    (tmp_path / "suites").mkdir()
    (tmp_path / "evals").symlink_to("suites")
    assert list(links_on(tmp_path / "evals" / "results" / "now", tmp_path)) == []
