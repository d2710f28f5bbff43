"""`run` at a terminal, as its user sees it."""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.api_server import Answer, delayed
from tests.unit.messages_setup import Body, model, serve

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

from tests.unit.terminal import Terminal

PLAIN_SCREEN = {"TERM": "xterm", "NO_COLOR": "", "CLICOLOR": "", "COLUMNS": "", "LINES": ""}


def replayed(skill_dir: Path, recordings: Path, *options: str) -> list[str]:
    return ["run", str(skill_dir), "--agent", "replay", "--recordings", str(recordings), *options]


def text_of(screen: str) -> str:
    """What is shown without the escapes that move and colour."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen).replace("\r", "")


def test_verdict_table_and_question_stand_on_one_screen(
    skill_dir: Path, record: Callable[..., Path], tmp_path: Path
) -> None:
    terminal = Terminal(tmp_path, replayed(skill_dir, record()), PLAIN_SCREEN, columns=80)
    terminal.wait_for("[y/N]")
    lines = text_of(terminal.shown).split("\n")
    verdict = next(at for at, line in enumerate(lines) if line.startswith("✅ Result: PASS"))
    assert len(lines) - verdict <= 24
    assert any(re.match(r"Recall +1\.00 +3/3 +0\.44–1\.00", line) for line in lines[verdict:])
    assert not any(line.startswith("| ") for line in lines)
    terminal.type("y\n")
    assert terminal.end() == 0
    whole = next((tmp_path / "reports").glob("*.md")).read_text("utf-8")
    assert "## How to read the numbers" in whole
    assert "How to read the numbers" not in terminal.shown


def test_a_screen_too_low_for_all_repeats_the_verdict_above_the_question(
    skill_dir: Path, record: Callable[..., Path], tmp_path: Path
) -> None:
    terminal = Terminal(tmp_path, replayed(skill_dir, record()), PLAIN_SCREEN, columns=80, lines=10)
    terminal.wait_for("[y/N]")
    assert any("PASS (F1 = 1.00" in line for line in text_of(terminal.shown).split("\n")[-6:])
    terminal.type("n\n")
    assert terminal.end() == 0


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_no_escape_is_sent_where_none_is_wanted(
    skill_dir: Path, record: Callable[..., Path], tmp_path: Path, name: str, value: str, language: str
) -> None:
    words = replayed(skill_dir, record(), "--yes", "--lang", language)
    terminal = Terminal(tmp_path, words, {**PLAIN_SCREEN, name: value, "FORCE_COLOR": "1"}, columns=40)
    assert terminal.end() == 0
    assert "\x1b" not in terminal.shown
    assert "36/36" in terminal.shown


def test_quiet_leaves_the_result(skill_dir: Path, record: Callable[..., Path], tmp_path: Path) -> None:
    words = replayed(skill_dir, record(), "--yes", "--quiet")
    terminal = Terminal(tmp_path, words, PLAIN_SCREEN, columns=80)
    assert terminal.end() == 0
    assert "Result: PASS" in terminal.shown
    assert "36" not in re.sub(r"[-\d]+T\d+Z", "", text_of(terminal.shown))


def test_a_bar_shows_counts_cost_and_outlives_another_width(skill_dir: Path, tmp_path: Path) -> None:
    answers = model()

    def script(asked: Body) -> Answer:
        return delayed(answers(asked), 0.2)

    with serve(script) as server:
        words = [
            "run",
            str(skill_dir),
            "--agent",
            "messages",
            "--model",
            "claude-haiku-4-5",
            "--yes",
            "--concurrency",
            "2",
        ]
        terminal = Terminal(tmp_path, words, {**PLAIN_SCREEN, **server.environment()}, columns=120)
        terminal.wait_for("/36")
        terminal.wait_for("not triggered")
        terminal.wait_for(" so far")
        terminal.resize(40)
        terminal.wait_for("/36")
        assert terminal.end() == 0
    assert "Result: PASS" in terminal.shown
    assert "\x1b[?25h" in terminal.shown  # the cursor is back


def test_a_pipe_gets_the_whole_report(
    skill_dir: Path, record: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from skill_evaluator.cli import main  # noqa: PLC0415 - all else starts the program

    out = tmp_path / "out"
    assert main([*replayed(skill_dir, record()), "--yes", "--output-dir", str(out)]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("# 📊 Skill score: `level-maker`")
    assert json.loads(next(out.glob("*.json")).read_text("utf-8"))["verdict"] == "PASS"
