"""A disk that is really full, in the middle of a run: nothing of it becomes a score, and what was kept can be read."""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from skill_evaluator.journal import read_journal
from tests.unit.command_setup import config

QUICK = """
import asyncio, functools, sys
from skill_evaluator.cli import run

async def sleep(seconds):
    await asyncio.sleep(0)

run.run_prepared = functools.partial(run.run_prepared, sleep=sleep)
from skill_evaluator.cli import main
sys.exit(main())
"""


@contextlib.contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """A file system of its own; only an administrator of a Linux system can make one."""
    folder.mkdir(parents=True)
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(folder)], capture_output=True, check=False
    ) if sys.platform == "linux" and os.geteuid() == 0 else None  # fmt: skip
    if made is None or made.returncode:
        pytest.skip("no file system can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def score(skill_dir: Path, path: Path, folder: Path, *options: str, **env: str) -> "subprocess.CompletedProcess[str]":
    words = ["run", str(skill_dir), "--agent", "command", "--agent-config", str(path), "--yes", "--quiet", *options]
    return subprocess.run(
        [sys.executable, "-c", QUICK, *words],
        cwd=folder, env={**os.environ, **env}, capture_output=True, text=True, encoding="utf-8", timeout=300,
        check=False,
    )  # fmt: skip


def test_an_agent_that_fills_its_disk_is_an_error_that_is_named_once(skill_dir: Path, tmp_path: Path) -> None:
    """It answers the canary; afterwards nobody has room, the runs beside it neither."""
    with small_disk(tmp_path / "temporary", "2m") as disk:
        done = score(skill_dir, config(tmp_path, "fills"), tmp_path, TMPDIR=str(disk))
        assert list(disk.iterdir()) == []

    assert done.returncode == 2, done.stderr
    (path,) = (tmp_path / "reports").glob("*.json")
    report = json.loads(path.read_text("utf-8"))
    assert (report["verdict"], report["stopped_by"]) == ("INVALID", "error_budget")
    assert set(report["metrics"].values()) == {None}
    causes = [reason["values"] for reason in report["reasons"] if reason["code"] == "cause"]
    assert [cause["kind"] for cause in causes] == ["crash"]
    assert "No space left on device" in causes[0]["message"]


@pytest.mark.parametrize("room", ["100k", "160k"])
def test_no_room_to_keep_the_runs_ends_the_run_and_it_can_be_resumed(
    skill_dir: Path, tmp_path: Path, room: str
) -> None:
    """What was paid for before the disk was full is read back, and not asked again."""
    path = config(tmp_path, "talkative")
    with small_disk(tmp_path / "work" / ".skill-evaluator", room) as disk:
        done = score(skill_dir, path, tmp_path / "work")
        assert done.returncode == 2, done.stderr
        assert "runs cannot be kept (No space left on device)" in done.stderr
        assert "Traceback" not in done.stderr
        (run,) = (disk / "runs").iterdir()
        kept = len(read_journal(run).entries)
        assert 0 < kept < 36

        subprocess.run(["mount", "-o", "remount,size=8m", str(disk)], check=True)
        again = score(skill_dir, path, tmp_path / "work", "--resume")

        assert again.returncode == 0, again.stderr
        (written,) = (tmp_path / "work" / "reports").glob("*.json")
        report = json.loads(written.read_text("utf-8"))
        assert report["verdict"] == "PASS"
        assert len(read_journal(run).entries) == 36
