"""What is left of a suite that a signal ends."""

import os
import signal
import threading
from pathlib import Path

import pytest

from skill_evaluator.model import Arm
from tests.unit.scripted_suites import ScriptedAgent, case_files, run, suite

_NEVER_S = 60.0


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_it_and_what_ended_before_is_written(tmp_path: Path, number: signal.Signals, status: int) -> None:
    loaded = suite(tmp_path / "p", {**case_files("a"), **case_files("b", runs=3), **case_files("c")})
    second = threading.Event()

    def gate(case: object, _arm: Arm, _index: int) -> float:
        is_second = getattr(case, "id", None) == "b"
        if is_second:
            second.set()
        return _NEVER_S if is_second else 0.0

    def interrupt() -> None:
        assert second.wait(_NEVER_S)
        os.kill(os.getpid(), number)

    killer = threading.Thread(target=interrupt)
    killer.start()
    ran = run(loaded, tmp_path / "out", agent=ScriptedAgent(gate=gate), ablation="none", concurrency=2)
    killer.join()
    result = ran.evaluated.result
    assert result is not None
    assert (ran.evaluated.exit_status, result.partial_reason) == (status, "interrupted")
    assert [case.name for case in result.cases] == ["a", "b"]
    entries = result.cases[1].with_plugin
    assert {(entry.error, entry.score, entry.started_at is None) for entry in entries} == {("interrupted", 0.0, False)}
    assert not ran.agent.is_open
    assert (tmp_path / "out" / "aggregate-result.json").is_file()
    assert ran.heard.lines[-1].startswith("done b")
