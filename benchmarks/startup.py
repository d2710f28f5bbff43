"""How long the commands that need no model take to start, as a ratio to an empty Python.

Both are timed in turn, so that a busy machine slows both. Prints; never fails because of a time.

    python benchmarks/startup.py [ROUNDS]
"""

import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
AIM = 12.0
DEFAULT_ROUNDS = 5
EMPTY = "python -c pass"


def commands() -> dict[str, tuple[str, ...]]:
    """Command lines by the name they are printed under, the empty Python first."""
    program = (sys.executable, "-m", "skill_evaluator")
    skill, testset = str(ROOT / "SKILL.md"), str(ROOT / "testsets" / "skill-evaluator.json")
    report = str(ROOT / "reports" / "example" / "skill-evaluator.json")
    return {
        EMPTY: (sys.executable, "-c", "pass"),
        "skill-evaluator --help": (*program, "--help"),
        "skill-evaluator validate SKILL TESTSET": (*program, "validate", skill, testset),
        "skill-evaluator report REPORT --format md": (*program, "report", report, "--format", "md"),
    }


def seconds(command: Sequence[str]) -> float:
    """Wall time of one command in seconds.

    Raises:
        subprocess.CalledProcessError: If the command fails: its time would mean nothing.
    """
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - start


def best_times(rounds: int) -> dict[str, float]:
    """The shortest time of each command in seconds, over `rounds` rounds through all of them."""
    timed = [{name: seconds(command) for name, command in commands().items()} for _ in range(rounds)]
    return {name: min(times[name] for times in timed) for name in timed[0]}


def table(times: Mapping[str, float]) -> str:
    """One line a command: seconds, ratio to the empty Python, and the aim beside it."""
    empty = times[EMPTY]
    rows = [f"{name:<44}{time_s:>8.3f} s{time_s / empty:>8.1f} x" for name, time_s in times.items()]
    return "\n".join((rows[0], *(f"{row}   (aim: at most {AIM:.0f} x)" for row in rows[1:])))


def main() -> None:
    """Print the table for the number of rounds given on the command line."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_ROUNDS
    print(f"best of {rounds}")
    print(table(best_times(rounds)))


if __name__ == "__main__":
    main()
