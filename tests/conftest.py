"""What all tests share: hypothesis that repeats itself, and the folder of real skills and test sets.

pytest loads this file at start-up, for doctests too, because `tests` is one of its test paths.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from tests.browser import Browser

# A failure must come back on the next machine, and a slow machine must not look like a failure.
settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.load_profile("repeatable")


NAMED_PROGRAM = os.environ.get("SKILL_EVALUATOR_CLAUDE")


@pytest.fixture(autouse=True)
def _unnamed_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable names the program for tests that need the real one; no other may come upon it."""
    monkeypatch.delenv("SKILL_EVALUATOR_CLAUDE", raising=False)


@pytest.fixture(autouse=True)
def _outside_github(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that want annotations and a summary say so themselves, also where GitHub runs the tests."""
    for name in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT", "GITHUB_WORKSPACE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of skills and test sets that people made for themselves."""
    folder = os.environ.get("SKILL_EVALUATOR_CORPUS")
    if not folder:
        pytest.skip("SKILL_EVALUATOR_CORPUS does not name the folder of real skills and test sets")
    if not Path(folder).is_dir():
        pytest.fail(f"SKILL_EVALUATOR_CORPUS names {folder!r}, which is no folder")
    return Path(folder)


@pytest.fixture(scope="session")
def conformance() -> Path:
    """The folder of eval suites that the real `claude plugin eval` was given, with its answers."""
    folder = os.environ.get("SKILL_EVALUATOR_CONFORMANCE")
    if not folder:
        pytest.skip("SKILL_EVALUATOR_CONFORMANCE does not name the folder of recorded suites")
    if not Path(folder).is_dir():
        pytest.fail(f"SKILL_EVALUATOR_CONFORMANCE names {folder!r}, which is no folder")
    return Path(folder)


@pytest.fixture(scope="session")
def claude_program() -> Path:
    """The real program Claude Code; no account is needed, since it asks a server on the loopback."""
    from skill_evaluator.agents.claude_code.program import GET_PROGRAM, find_program  # noqa: PLC0415 - for few tests

    named = NAMED_PROGRAM
    found = find_program(Path(named) if named else None, {"PATH": os.environ.get("PATH", os.defpath)})
    if found is None and named:
        pytest.fail(f"SKILL_EVALUATOR_CLAUDE names {named!r}, which is no program")
    if found is None:
        pytest.skip(f"Claude Code is not there: {GET_PROGRAM}, or name it in SKILL_EVALUATOR_CLAUDE")
    return found


# For one module: while it runs, an event loop of its own does, which other tests must not find.
@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator["Browser"]:
    """A running Chromium; tests are skipped where there is none."""
    from tests.browser import started_browser  # noqa: PLC0415 - for few tests

    with started_browser(tmp_path_factory.mktemp("browser")) as browser:
        yield browser


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let long tests be made longer."""
    parser.addoption("--kills", type=int, default=3, help="how often the evaluator is killed and resumed")


@pytest.fixture(scope="session")
def kill_seeds(request: pytest.FixtureRequest) -> range:
    """One seed for each moment at which an evaluator is killed."""
    return range(request.config.getoption("--kills"))


@pytest.fixture(autouse=True)
def no_credentials(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key of whoever runs the tests must not make them ask a paid model."""
    if request.node.get_closest_marker("live") is None:
        for name in [name for name in os.environ if name.startswith("ANTHROPIC_")]:
            monkeypatch.delenv(name)
