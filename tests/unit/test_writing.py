"""Preview first, then the question, then the files (seed step 6)."""

import os
import pty
import select
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from skill_evaluator.cli import main, writing
from skill_evaluator.report.render import render
from skill_evaluator.report.words import Lang
from skill_evaluator.results import Report


def at_a_terminal(arguments: list[str], folder: Path, answer: str) -> tuple[str, int]:
    """Run the program at a pseudo-terminal, answer its question, and give what the screen showed and the status."""
    pid, terminal = pty.fork()
    if pid == 0:  # pragma: no cover - the child is the program
        os.chdir(folder)
        os.execv(sys.executable, [sys.executable, "-m", "skill_evaluator", *arguments])  # noqa: S606 - the program itself
    screen, answered, deadline = "", False, time.monotonic() + 60
    while time.monotonic() < deadline:
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            screen += os.read(terminal, 4096).decode("utf-8", "replace")
        except OSError:
            break
        if "[y/N]" in screen and not answered:
            os.write(terminal, answer.encode())
            answered = True
    _, status = os.waitpid(pid, 0)
    return screen, os.waitstatus_to_exitcode(status)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("answer", "written"), [("y\n", True), ("n\n", False), ("\n", False), ("\x04", False)])
def test_files_are_written_only_when_agreed_to(
    skill_dir: Path, record: Callable[..., Path], tmp_path: Path, answer: str, written: bool
) -> None:
    arguments = ["run", str(skill_dir), "--agent", "replay", "--recordings", str(record())]

    screen, status = at_a_terminal(arguments, tmp_path, answer)

    assert status == 0, screen
    assert screen.index("level-maker") < screen.index("[y/N]")
    assert len(list(tmp_path.glob("reports/*"))) == (3 if written else 0)
    assert ("<promise>DONE</promise>" in screen) is written


@pytest.mark.parametrize("where", ["page", "writing"])
def test_an_interrupt_before_the_report_stands_leaves_no_file_and_says_where_the_runs_are(
    skill_dir: Path,
    record: Callable[..., Path],
    tmp_path: Path,
    where: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def interrupted(*_: object) -> str:
        raise KeyboardInterrupt

    def page_interrupted(report: Report, format_: str, lang: Lang) -> str:
        return interrupted() if format_ == "html" else render(report, format_, lang)

    name, instead = ("render", page_interrupted) if where == "page" else ("write_whole", interrupted)
    monkeypatch.setattr(writing, name, instead)
    folder = tmp_path / "reports"
    arguments = ["run", str(skill_dir), "--agent", "replay", "--recordings", str(record()), "--yes"]

    status = main([*arguments, "--output-dir", str(folder), "--csv", str(folder / "runs.csv")])

    assert status == 130
    assert not [*folder.glob("*")]
    assert "no report was written; the runs are kept in" in capsys.readouterr().err
