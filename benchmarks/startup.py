"""How long the commands that need no model take to start, as a ratio to an empty Python.

Both are timed in turn, so that a busy machine slows both, and with compiled modules, as an installed program has them.
Prints; never fails because of a time.

    python benchmarks/startup.py [ROUNDS]
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
AIM = 12.0
DEFAULT_ROUNDS = 5
EMPTY = "python -c pass"


def commands(folder: Path) -> dict[str, tuple[str, ...]]:
    """Command lines by the name they are printed under, the empty Python first; what they read is put in a folder."""
    program = (sys.executable, "-m", "skill_evaluator")
    skill, testset = str(ROOT / "SKILL.md"), str(ROOT / "testsets" / "skill-evaluator.json")
    report = str(ROOT / "reports" / "example" / "skill-evaluator.json")
    return {
        EMPTY: (sys.executable, "-c", "pass"),
        "skill-evaluator --help": (*program, "--help"),
        "skill-evaluator validate SKILL TESTSET": (*program, "validate", skill, testset),
        "skill-evaluator translation check CASES CANDIDATES": (*program, "translation", "check", *_pair(folder)),
        "skill-evaluator report REPORT --format md": (*program, "report", report, "--format", "md"),
    }


def _pair(folder: Path) -> tuple[str, str]:
    """Write one translation case and a candidate of it."""
    case = {
        "schema_version": 1,
        "id": "placeholder.printf.001",
        "source_locale": "en-US",
        "target_locale": "de",
        "domain": "startup",
        "source": "%s files",
        "assertions": [{"name": "placeholder_integrity", "severity": "hard"}],
        "provenance": {"kind": "synthetic", "license": "CC0-1.0"},
    }
    cases, candidates = folder / "cases.jsonl", folder / "candidates.jsonl"
    cases.write_text(json.dumps(case), encoding="utf-8")
    candidates.write_text(json.dumps({"case_id": case["id"], "text": "%s Dateien"}), encoding="utf-8")
    return str(cases), str(candidates)


def seconds(command: Sequence[str], environment: Mapping[str, str]) -> float:
    """Wall time of one command in seconds.

    Raises:
        subprocess.CalledProcessError: If the command fails: its time would mean nothing.
    """
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=environment)
    return time.perf_counter() - start


def best_times(rounds: int) -> dict[str, float]:
    """The shortest time of each command in seconds, over `rounds` rounds; one before them compiles the modules."""
    with tempfile.TemporaryDirectory() as compiled:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": compiled}
        timed_commands = commands(Path(compiled))
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        _, *timed = [
            {name: seconds(command, environment) for name, command in timed_commands.items()} for _ in range(rounds + 1)
        ]
    return {name: min(times[name] for times in timed) for name in timed[0]}


def table(times: Mapping[str, float]) -> str:
    """One line a command: seconds, ratio to the empty Python, and the aim beside it."""
    empty = times[EMPTY]
    rows = [f"{name:<50}{time_s:>8.3f} s{time_s / empty:>8.1f} x" for name, time_s in times.items()]
    return "\n".join((rows[0], *(f"{row}   (aim: at most {AIM:.0f} x)" for row in rows[1:])))


def main() -> None:
    """Print the table for the number of rounds given on the command line."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_ROUNDS
    print(f"best of {rounds}")
    print(table(best_times(rounds)))


if __name__ == "__main__":
    main()
