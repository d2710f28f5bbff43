import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from skill_evaluator.errors import InputError
from skill_evaluator.report.files import write_whole

NOBODY = 65_534


def everything_in(folder: Path) -> dict[str, str | None]:
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8") if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """A folder of the user who runs the test body; the superuser would be let in everywhere."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        superuser = os.geteuid() == 0
        if superuser:
            os.seteuid(NOBODY)
        try:
            yield folder
        finally:
            if superuser:
                os.seteuid(0)


def test_files_are_written_as_utf8_with_their_line_ends_and_folders_are_made(tmp_path: Path) -> None:
    write_whole({tmp_path / "a/b/report.md": "做\n", tmp_path / "a/report.json": "{}\n"})

    assert (tmp_path / "a/b/report.md").read_bytes() == "做\n".encode()
    assert everything_in(tmp_path) == {"a": None, "a/b": None, "a/b/report.md": "做\n", "a/report.json": "{}\n"}


def test_a_file_that_stands_is_replaced_and_keeps_its_permissions(tmp_path: Path) -> None:
    target = tmp_path / "r.md"
    target.write_text("old", "utf-8")
    target.chmod(0o640)

    write_whole({target: "new"})

    assert everything_in(tmp_path) == {"r.md": "new"}
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()

    write_whole({tmp_path / "r.md": "x"})

    assert (tmp_path / "r.md").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real.md").write_text("old", "utf-8")
    (tmp_path / "link.md").symlink_to("real.md")

    write_whole({tmp_path / "link.md": "new"})

    assert (tmp_path / "link.md").is_symlink()
    assert (tmp_path / "real.md").read_text("utf-8") == "new"


def test_a_folder_in_the_way_leaves_all_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "old.md").write_text("old", "utf-8")
    (tmp_path / "r.json").mkdir()
    before = everything_in(tmp_path)

    with pytest.raises(InputError) as caught:
        write_whole({tmp_path / "old.md": "new", tmp_path / "new/r.md": "new", tmp_path / "r.json": "{}"})

    assert everything_in(tmp_path) == before
    [finding] = caught.value.findings
    assert (finding.code, finding.file) == ("cannot-write", str(tmp_path / "r.json"))


def test_a_device_is_never_replaced(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a folder or a device"):
        write_whole({tmp_path / "r.md": "x", Path(os.devnull): "x"})

    assert everything_in(tmp_path) == {}


def test_a_file_where_a_folder_should_be_leaves_all_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", "utf-8")

    with pytest.raises(InputError, match="cannot be written"):
        write_whole({tmp_path / "r.md": "x", tmp_path / "file/r.json": "{}"})

    assert everything_in(tmp_path) == {"file": "x"}


def test_a_text_that_is_no_unicode_leaves_all_as_it_was(tmp_path: Path) -> None:
    with pytest.raises(UnicodeEncodeError):
        write_whole({tmp_path / "r.md": "x", tmp_path / "r.json": "\ud800"})

    assert everything_in(tmp_path) == {}


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs POSIX permissions")
def test_a_folder_that_cannot_be_written_leaves_all_as_it_was(unprivileged: Path) -> None:
    locked = unprivileged / "locked"
    locked.mkdir()
    (locked / "r.md").write_text("old", "utf-8")
    locked.chmod(0o555)
    before = everything_in(unprivileged)

    with pytest.raises(InputError, match="Permission denied"):
        write_whole({unprivileged / "new/r.json": "{}", locked / "r.md": "new"})

    assert everything_in(unprivileged) == before
    locked.chmod(0o755)


FULL_DISK = """
import resource, sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from skill_evaluator.errors import InputError
from skill_evaluator.report.files import write_whole

folder = Path(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, resource.RLIM_INFINITY))
try:
    write_whole({folder / "old.md": "new", folder / "new" / "big.json": "x" * 100_000})
except InputError as error:
    sys.exit(str(error))
"""


def test_a_disk_that_runs_full_leaves_all_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "old.md").write_text("old", "utf-8")

    result = subprocess.run([sys.executable, "-c", FULL_DISK, tmp_path], capture_output=True, text=True, check=False)

    assert result.returncode == 1
    assert "big.json" in result.stderr
    assert "File too large" in result.stderr
    assert everything_in(tmp_path) == {"old.md": "old"}


def put_a_folder_there(target: Path) -> None:
    target.unlink()
    target.mkdir()
    (target / "x").touch()


def take_the_new_files_away(target: Path) -> None:
    for path in target.parent.glob(".*.tmp"):
        path.unlink()


@pytest.mark.parametrize(
    ("meanwhile", "left"),
    [(put_a_folder_there, {"late.md": None, "late.md/x": ""}), (take_the_new_files_away, {"late.md": "old"})],
)
def test_a_rename_that_fails_takes_the_earlier_ones_back(
    meanwhile: Callable[[Path], None], left: dict[str, str | None], tmp_path: Path
) -> None:
    """All files are ready and the first are in place when another program spoils the last."""
    late = Late(tmp_path / "late.md")
    late.meanwhile = meanwhile
    late.write_text("old", "utf-8")
    first, second = tmp_path / "first" / "r.md", tmp_path / "first" / "new.md"
    first.parent.mkdir()
    first.write_text("old", "utf-8")

    with pytest.raises(InputError):
        write_whole({first: "new", second: "new", late: "new"})

    assert everything_in(tmp_path) == {"first": None, "first/r.md": "old", **left}


class Late(type(Path())):  # type: ignore[misc]  # the concrete class of this platform
    """A path where another program does something between the writing and the renaming."""

    asked = 0
    meanwhile: Callable[[Path], None]

    def resolve(self, strict: bool = False) -> Path:  # noqa: FBT002 - the signature of Path.resolve
        self.asked += 1
        if self.asked == 2:
            self.meanwhile(Path(self))
        return Path(super().resolve(strict=strict))


def test_writers_that_all_make_the_folder_lose_no_file(tmp_path: Path) -> None:
    for turn in range(40):
        folder = tmp_path / str(turn) / "deep" / "reports"
        together = threading.Barrier(8)

        def write(number: int, folder: Path = folder, together: threading.Barrier = together) -> None:
            together.wait()
            write_whole({folder / f"{number}.md": "x"})

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(write, range(8)))
        assert len(list(folder.iterdir())) == 8
