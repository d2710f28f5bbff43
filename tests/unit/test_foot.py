"""Lines at the foot of a terminal are drawn by a thread of their own."""

import threading

from skill_evaluator.cli.foot import Foot
from skill_evaluator.cli.language import speak, spoken


def test_the_lines_are_in_the_language_of_the_user_in_every_thread() -> None:
    seen: list[tuple[bool, str]] = []
    enough = threading.Event()

    def draw(_: int) -> str:
        is_own = threading.current_thread() is not threading.main_thread()
        seen.append((is_own, spoken()))
        if is_own:
            enough.set()
        return "·"

    speak("zh")
    try:
        foot = Foot(draw)
        foot.begin()
        assert enough.wait(30)
        foot.end()
    finally:
        speak("en")

    assert {language for _, language in seen} == {"zh"}
