"""Claude Code's own files, as they may really lie there."""

import json
import os
from pathlib import Path

import pytest

from skill_evaluator.api.plugin_eval.claude_home import mapping_in


@pytest.mark.parametrize("text", ["", "[1]", "{", '"a"', "\ufffe"])
def test_what_holds_no_mapping_is_as_if_it_were_not_there(tmp_path: Path, text: str) -> None:
    file = tmp_path / "settings.json"
    file.write_bytes(text.encode("utf-16") if text == "\ufffe" else text.encode())

    assert mapping_in(file) is None


def test_a_mapping_is_read(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text(json.dumps({"a": 1}), encoding="utf-8")

    assert mapping_in(file) == {"a": 1}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "settings.json")

    assert mapping_in(tmp_path / "settings.json") is None
    assert mapping_in(tmp_path) is None
