"""What `plugin-eval` starts: the program as an agent, never the command that it stands in for."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.conformance.record_runs import SUITES
from tests.conformance.suite_run import run_suite
from tests.recorded_suites import suites_of

# A call each that loads a plugin, goes on with a session, has stand-ins, is judged, and starts a script.
NAMES = ("two-plugins-in-one-case", "history-by-default", "files-of-the-case-first", "judges-mixed", "glob-and-grep")
SHIM = """\
#!{python}
import json, os, sys
with open({log!r}, "a", encoding="utf-8") as log:
    log.write(json.dumps(sys.argv[1:]) + "\\n")
os.execv({program!r}, [{program!r}, *sys.argv[1:]])
"""
# Python itself tells of all programs that it starts, by whatever function and under whatever name.
HEARD = """\
import json, sys
def hear(event, arguments):
    if event in ("subprocess.Popen", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "pty.spawn"):
        with open({log!r}, "a", encoding="utf-8") as log:
            log.write(json.dumps([event, *map(str, arguments[:2])]) + "\\n")
sys.addaudithook(hear)
sys.argv[0] = "skill-evaluator"
from skill_evaluator.cli import main
sys.exit(main())
"""


@pytest.fixture
def shim(claude_program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that writes down how it is called, and then is the real one; gives the file it writes."""
    log, path = tmp_path / "calls.jsonl", tmp_path / "bin" / "claude"
    path.parent.mkdir()
    path.write_text(SHIM.format(python=sys.executable, log=str(log), program=str(claude_program)), "utf-8")
    path.chmod(0o755)
    monkeypatch.setenv("SKILL_EVALUATOR_CLAUDE", str(path))
    monkeypatch.setenv("PATH", f"{path.parent}:/usr/local/bin:/usr/bin:/bin")
    return log


@pytest.mark.skipif(sys.platform == "win32", reason="a script is no program there")
@pytest.mark.parametrize("name", NAMES)
def test_no_child_evaluates_a_plugin(name: str, shim: Path, tmp_path: Path) -> None:
    """It would have all the right answers and prove nothing."""
    (suite,) = (suite for suite in suites_of(SUITES) if suite.name == f"ours/{name}")
    heard, work = tmp_path / "heard.jsonl", tmp_path / "work"
    work.mkdir()
    run_suite([sys.executable, "-c", HEARD.format(log=str(heard)), "plugin-eval"], suite, work)

    calls = _lines(shim)
    sessions = [words for words in calls if "-p" in words or "--print" in words]
    assert sessions, "the program was asked for nothing"
    assert all(words[:1] != ["plugin"] and "eval" not in words for words in calls)
    assert [line for line in _lines(heard) if "plugin" in line[2] and "'eval'" in line[2]] == []


def _lines(path: Path) -> Sequence[list[str]]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
