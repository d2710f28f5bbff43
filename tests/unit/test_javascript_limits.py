"""A pattern that takes too long ends by its limit, and nothing of it is left."""

import hashlib
import subprocess
import sys
import threading
import time
from pathlib import Path

from skill_evaluator.graders.javascript import NoAnswer, count_matches, has_match

CATASTROPHE = "^(a+)+$"
TEXT = "a" * 40 + "b"


def test_a_catastrophic_pattern_runs_out_of_time() -> None:
    answer = has_match(CATASTROPHE, "", TEXT)

    assert answer == NoAnswer(why="timed_out", message="it takes too long")
    assert has_match("b$", "", TEXT) is True


def test_matches_before_the_one_that_takes_too_long_are_counted() -> None:
    assert count_matches("x|(?:a+)+$", "", "xxx" + TEXT) == NoAnswer(
        why="timed_out", message="it takes too long", found=3
    )
    assert count_matches("x", "", "xxx") == 3


def test_other_threads_go_on_meanwhile() -> None:
    """The turns of another thread while a pattern hangs are far more than it could get between two questions."""
    turns, done = [0], threading.Event()

    def work() -> None:
        while not done.is_set():
            turns[0] += 1

    worker = threading.Thread(target=work)
    worker.start()
    before = turns[0]
    answer = has_match(CATASTROPHE, "", TEXT)
    made = turns[0] - before
    done.set()
    worker.join()

    assert isinstance(answer, NoAnswer)
    assert made > 10_000


def slow_text(target_s: float) -> str:
    """Find a text on which `^a*a*a*b` takes about so much processor time: it grows with the cube of the length."""
    length = 100
    for _ in range(4):
        started = time.thread_time()
        assert has_match("^a*a*a*b", "", "a" * length) is False
        length = round(length * (target_s / max(time.thread_time() - started, 0.001)) ** (1 / 3))
    return "a" * length


def test_the_work_of_other_threads_does_not_shorten_the_time_of_a_pattern() -> None:
    """The engine measures the processor time of the whole process; a pattern that needs half its time has it."""
    text, done, block = slow_text(0.5), threading.Event(), bytes(1_000_000)

    def work() -> None:
        while not done.is_set():
            hashlib.sha256(block).digest()  # lets other threads go on, as the engine does

    workers = [threading.Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    answer = has_match("^a*a*a*b", "", text)
    done.set()
    for worker in workers:
        worker.join()

    assert answer is False


def test_patterns_of_several_threads_each_run_out_of_their_own_time() -> None:
    answers: list[object] = []
    threads = [threading.Thread(target=lambda: answers.append(has_match(CATASTROPHE, "", TEXT))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert answers == [NoAnswer(why="timed_out", message="it takes too long")] * 3


def test_each_thread_has_an_engine_of_its_own() -> None:
    answers: list[object] = []

    def ask() -> None:
        answers.extend(count_matches("a", "", "a" * length) for length in range(200))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(map(str, answers)) == sorted(str(length) for length in range(200) for _ in range(4))


def run_python(code: str, *folders: Path) -> subprocess.CompletedProcess[str]:
    search = [str(folder) for folder in folders]
    code = f"import sys\nsys.path[:0] = {search!r}\n{code}"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300)


def test_no_thread_and_no_process_is_left_behind() -> None:
    left = run_python(
        "import threading, psutil\n"
        "from skill_evaluator.graders.javascript import has_match\n"
        f"print(has_match({CATASTROPHE!r}, '', {TEXT!r}).why)\n"
        "print(threading.active_count(), psutil.Process().children())\n"
        "print(psutil.Process().num_threads() <= 1 or sys.platform != 'linux')"
    )

    assert left.stdout.split("\n") == ["timed_out", "1 []", "True", ""]


def test_the_engine_is_loaded_for_the_first_pattern_only() -> None:
    loaded = run_python(
        "import skill_evaluator.graders.suite\n"
        "from skill_evaluator.graders.javascript import has_match\n"
        "before = '_quickjs' in sys.modules\n"
        "has_match('a', '', 'a')\n"
        "print(before, '_quickjs' in sys.modules)"
    )

    assert loaded.stdout == "False True\n"


def test_another_package_of_the_same_module_name_is_told_apart(tmp_path: Path) -> None:
    """The older `quickjs` installs modules of the same names; it knows neither the flag `v` nor `(?i:...)`."""
    (tmp_path / "_quickjs.py").write_text(
        "class JSException(Exception): pass\n"
        "class Context:\n"
        "    def eval(self, code): raise JSException('SyntaxError: invalid regular expression flags')\n"
    )
    asked = run_python("from skill_evaluator.graders.javascript import has_match\nhas_match('a', '', 'a')", tmp_path)

    assert asked.stderr.splitlines()[-1] == (
        f"skill_evaluator.errors.EvaluatorError: the module at {tmp_path / '_quickjs.py'} is not that of quickjs-ng, "
        "which JavaScript patterns need: uninstall the package quickjs, then install quickjs-ng again"
    )
