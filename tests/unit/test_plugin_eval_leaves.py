"""Nothing of a run of `plugin-eval` survives it, and the plugin is what it was, however the run ends."""

import json
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.api_server import ApiServer
from tests.conformance.rules import Script
from tests.scripted_child import program
from tests.suite_place import NOBODY, Place
from tests.survivors import survivors

if TYPE_CHECKING:
    import subprocess

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals and sessions")

# Windows has no such signal.
QUIT = [(number, 131) for number in signal.Signals if number.name == "SIGQUIT"]
SCAFFOLD = 'schema_version: "1.1"\nname: jars\ncontext: {scaffold_script: make.sh}\n'
HOOKS = {"SessionStart": [{"hooks": [{"type": "command", "command": "setsid sleep 300 >/dev/null 2>&1 & true"}]}]}
WAITS = Script.of({"rules": [{"when": {"has_tools": True}, "respond": {"text": "labelled", "delay": 120}}]})
ANSWERS = Script.of({"default": {"text": "labelled"}})


@pytest.fixture
def scripted(tmp_path: Path) -> Path:
    return program(tmp_path / "bin")


@pytest.fixture
def place(tmp_path: Path) -> Callable[..., Place]:
    return lambda prompt, files=None: Place(tmp_path, prompt, files)


@pytest.mark.parametrize(("prompt", "status"), [("Label it.", 0), ("crash", 1), ("fork", 0)])
def test_nothing_is_left_when_it_ends(place: Callable[..., Place], scripted: Path, prompt: str, status: int) -> None:
    here = place(prompt)
    returned, said = here.ended(scripted)

    assert (returned, len(here.results())) == (status, 1), said
    assert "Traceback" not in said
    here.assert_nothing_left()


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), *QUIT])
def test_nothing_is_left_after_a_signal(
    place: Callable[..., Place], scripted: Path, number: signal.Signals, status: int
) -> None:
    here = place("hang")
    with here.started(scripted, NOBODY) as process:
        until(lambda: any("stream-json" in line for line in survivors(here.temporary)), process)
        process.send_signal(number)
        _, said = process.communicate(timeout=60)

    assert process.returncode == status, said
    assert "Traceback" not in said
    assert [(result["partial"], result["partialReason"]) for result in here.results()] == [(True, "interrupted")]
    here.assert_nothing_left()


def test_what_a_scaffold_started_ends_with_the_run(place: Callable[..., Place], scripted: Path) -> None:
    """It was started outside of any sandbox, and may have left its process group."""
    script = "setsid sleep 300 >/dev/null 2>&1 &\nsleep 300 >/dev/null 2>&1 &\necho made > made.txt\n"
    here = place("Label it.", {"evals/jars/case.yaml": SCAFFOLD, "evals/jars/make.sh": script})
    status, said = here.ended(scripted, NOBODY, "--scaffold")

    assert status == 0, said
    here.assert_nothing_left()


@pytest.mark.parametrize("delay", [0, 60])
def test_nothing_of_the_real_program_is_left(place: Callable[..., Place], claude_program: Path, delay: int) -> None:
    """Its hooks start processes too; a signal ends it in the middle of a request."""
    here = place("Label it.", {"hooks/hooks.json": json.dumps({"hooks": HOOKS})})
    with ApiServer(WAITS if delay else ANSWERS) as server, here.started(claude_program, server.url) as process:
        if delay:
            until(lambda: any(request.get("tools") for request in server.requests), process)
            process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=120)

    assert process.returncode == (130 if delay else 0), said
    here.assert_nothing_left()


def until(happened: Callable[[], bool], process: "subprocess.Popen[str]", limit_s: float = 120) -> None:
    """Wait for something that a process does."""
    end = time.monotonic() + limit_s
    while not happened():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)
