"""What is needed late is loaded while the first run goes on."""

import sys
from pathlib import Path

import pytest

from skill_evaluator.api.plugin_eval.meanwhile import load_meanwhile


def test_modules_are_loaded_in_a_thread_and_one_that_is_missing_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "needed_late.py").write_text("import threading\nthread = threading.current_thread()\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)

    thread = load_meanwhile("no_such_module", "needed_late")
    thread.join(60)

    assert sys.modules["needed_late"].thread is thread
    assert capsys.readouterr().err == ""
