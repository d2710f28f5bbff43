"""Suites that the real `claude plugin eval` was given, given to `skill-evaluator plugin-eval`: the same facts.

Its child is the real program, in the version that the answers were recorded with; `requirements-conformance.txt`
brings it, and without it all of this is skipped. No account is needed: it asks a scripted server on the loopback.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conformance.record_runs import SUITES, VERSION
from tests.conformance.suite_run import differences, facts_of, run_suite
from tests.recorded_suites import RECORDED_WITHOUT, RecordedSuite, suites_by_name, suites_of

COMMAND = (sys.executable, "-m", "skill_evaluator", "plugin-eval")
ATTEMPTS_OF_TIMED = 3  # where a signal or a time limit meets a run is a matter of how busy the machine is
OWN = {suite.name: suite for suite in suites_of(SUITES)}
FOLDER = "SKILL_EVALUATOR_CONFORMANCE"
_NO_FOLDER = pytest.param("", marks=pytest.mark.skip(reason=f"{FOLDER} does not name the folder of recorded suites"))


def known(suite: RecordedSuite) -> list[pytest.MarkDecorator]:
    """A deviation that the suite's row gives a reason for; once it is gone, the test fails until the row says so."""
    reason = suite.row.get("deviation")
    return [pytest.mark.xfail(strict=True, reason=reason)] if reason else []


@pytest.fixture(scope="module")
def program(claude_program: Path) -> Path:
    """The program in the version of the recordings, which is what the answers can be expected of."""
    told = subprocess.run([claude_program, "--version"], capture_output=True, text=True, check=True).stdout
    if VERSION not in told.split():
        pytest.skip(f"{claude_program} is {told.strip()}, and {VERSION} was recorded: see requirements-conformance.txt")
    return claude_program


@pytest.fixture
def found(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands find this program and no other one."""
    monkeypatch.setenv("SKILL_EVALUATOR_CLAUDE", str(program))
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.usefixtures("found")
@pytest.mark.parametrize("name", [pytest.param(name, marks=known(suite)) for name, suite in OWN.items()])
def test_our_own_suites_have_the_answers_of_the_real_program(name: str, tmp_path: Path) -> None:
    assert answered_otherwise(OWN[name], tmp_path) == []


@pytest.mark.usefixtures("found")
@pytest.mark.parametrize("name", [*suites_by_name()] or [_NO_FOLDER])
def test_suites_of_the_folder_have_the_answers_of_the_real_program(name: str, tmp_path: Path) -> None:
    without = RECORDED_WITHOUT.get(name)
    if without and all(map(shutil.which, without)):
        pytest.skip(f"recorded without {' and '.join(without)}, which are here")
    assert answered_otherwise(suites_by_name()[name], tmp_path) == []


def answered_otherwise(suite: RecordedSuite, folder: Path) -> list[str]:
    """Where the command's answer differs, at the last of its attempts."""
    attempts = ATTEMPTS_OF_TIMED if suite.row.keys() & {"signal", "is_timed"} else 1
    unlike: list[str] = []
    for unlike in _attempts(suite, folder, attempts):
        if not unlike:
            break
    return unlike


def _attempts(suite: RecordedSuite, folder: Path, attempts: int) -> Iterator[list[str]]:
    for attempt in range(attempts):
        work = folder / str(attempt)
        work.mkdir()
        yield list(differences(suite.expected, facts_of(run_suite(COMMAND, suite, work))))
