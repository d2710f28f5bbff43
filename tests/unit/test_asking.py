"""A question at a terminal takes a line, the end of the input and Ctrl-C, and leaves signals as they were."""

import importlib.util
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(importlib.util.find_spec("pty") is None, reason="no pseudo terminals here")

_ASK_TWICE = """
import signal
from skill_evaluator.cli.asking import ask
try:
    print("first", repr(ask("One?")))
    print("second", repr(ask("Two?")))
except KeyboardInterrupt:
    print("heard")
print("wakes", signal.set_wakeup_fd(-1))
"""


@pytest.mark.parametrize(
    ("keys", "shown"),
    [
        (("a b\n", "\n"), ("first 'a b'", "second ''")),
        (("\x04", "\x04"), ("first None", "second None")),
        (("a\n", "\x03"), ("first 'a'", "heard")),
    ],
)
def test_a_question_takes_what_the_keyboard_gives(
    keys: tuple[str, str], shown: tuple[str, str], tmp_path: Path
) -> None:
    from tests.unit.terminal import Terminal  # noqa: PLC0415 - not everywhere

    terminal = Terminal(tmp_path, ["-c", _ASK_TWICE], module=None)
    for question, key, said in zip(("One?", "Two?"), keys, shown, strict=True):
        terminal.wait_for(question)
        terminal.type(key)
        terminal.wait_for(said)
    terminal.wait_for("wakes -1")
    assert terminal.end() == 0
