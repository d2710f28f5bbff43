"""What the evaluator adds to the calls it makes: its time as a ratio to a bare loop that makes the same ones.

A server that answers at once, in a process of its own; 100 cases x 3 runs and the canary, 16 at once. First the
evaluator's requests are kept, then both are timed in turn, each in a process of its own:

- inner loop: from opening the client to the last answer kept, beside the bare loop's;
- whole process: from start to exit, the report written, beside the bare process; the import of the numeric packages
  that only the report needs is timed for itself and taken off.

Prints; never fails because of a ratio.

    python benchmarks/overhead.py [ROUNDS]
"""

import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
HERE = Path(__file__).resolve().parent
CASES, RUNS, CONCURRENCY = 100, 3, 16
DEFAULT_ROUNDS = 9
INNER, APART = "inner loop", "whole process, numeric imports apart"
AIMS = {INNER: 1.10, APART: 1.25}
NUMERIC = ("numpy",)  # what the intervals of the report load, and nothing else does
SKILL_MD = """\
---
name: level-maker
description: Designs and generates levels for puzzle games. Use when the user asks for a new level, a map or a stage.
---

# Level maker

Write the level as JSON with `level_id`.
"""


class Times(NamedTuple):
    """Seconds of one process."""

    inner: float
    whole: float


@contextlib.contextmanager
def server(*arguments: str) -> Iterator[str]:
    """Serve in a process of its own; gives the URL."""
    command = (sys.executable, str(HERE / "trivial_server.py"), *arguments)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None  # noqa: S101 - asked for
        try:
            yield process.stdout.readline().strip()
        finally:
            process.communicate("")


def environment(url: str) -> dict[str, str]:
    """What both processes get: the server, and a key that opens nothing."""
    others = {name: value for name, value in os.environ.items() if not name.startswith("ANTHROPIC_")}
    return {**others, "ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "not-a-key", "PYTHONPATH": str(ROOT)}


class Round(NamedTuple):
    """Both sides of one round, and the seconds that the numeric packages took to import."""

    ours: Times
    theirs: Times
    imports: float


def make_suite(folder: Path) -> Path:
    """Write a skill with a test set of trigger-only cases."""
    skill = folder / "level-maker"
    skill.mkdir()
    (skill / "SKILL.md").write_text(SKILL_MD, "utf-8")
    rows = [
        {
            "id": f"c{number}",
            "type": "should_trigger" if number % 2 else "should_not_trigger",
            "split": "tuning" if number // 2 % 2 else "acceptance",
            "input": f"Question number {number * 7919 % 1000} about thing {number}",
        }
        for number in range(CASES)
    ]
    (skill / "testset.json").write_text(json.dumps(rows), "utf-8")
    return skill


def evaluate(skill: Path, folder: Path, url: str) -> Times:
    """Time the evaluator once."""
    report = folder / "report.json"
    command = (
        *(sys.executable, "-m", "skill_evaluator", "run", str(skill), "--agent", "messages", "--model", "trivial"),
        *("--runs", str(RUNS), "--concurrency", str(CONCURRENCY), "--json", str(report), "--quiet", "--yes"),
    )
    start = time.perf_counter()
    done = subprocess.run(command, cwd=folder, env=environment(url), capture_output=True, check=False)
    whole = time.perf_counter() - start
    content = json.loads(report.read_text("utf-8")) if report.exists() else {}
    errors = [run for case in content.get("cases", ()) for run in case["runs"] if run["state"] == "error"]
    if not content or errors or content["verdict"] != "FAIL":  # nothing fires: F1 is 0, and every call was answered
        raise SystemExit(f"the evaluator did not measure: {done.stdout.decode()} {done.stderr.decode()}")
    report.unlink()
    return Times(content["volatile"]["duration_s"], whole)


def bare(bodies: Path, url: str) -> Times:
    """Time the bare loop once."""
    command = (sys.executable, str(HERE / "bare_loop.py"), str(bodies), str(CONCURRENCY))
    start = time.perf_counter()
    done = subprocess.run(command, env=environment(url), capture_output=True, check=True)
    return Times(float(done.stdout), time.perf_counter() - start)


def import_s() -> float:
    """Seconds that the numeric packages take to import."""
    code = f"import time; start = time.perf_counter(); import {', '.join(NUMERIC)}; print(time.perf_counter() - start)"
    return float(subprocess.run((sys.executable, "-c", code), capture_output=True, check=True).stdout)


def rounds_of(rounds: int) -> Iterator[Round]:
    """Give the times of each round, both processes timed in turn."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        skill, bodies = make_suite(folder), folder / "bodies.jsonl"
        with server(str(bodies)) as url:
            evaluate(skill, folder, url)
        with server() as url:
            for _ in range(rounds):
                yield Round(evaluate(skill, folder, url), bare(bodies, url), import_s())


def ratios(rounds: Sequence[Round], middle: Callable[[Iterable[float]], float]) -> Mapping[str, float]:
    """Give each ratio of the times that `middle` picks out of all rounds."""
    imports = middle(one.imports for one in rounds)
    ours, theirs = ([getattr(one, side) for one in rounds] for side in ("ours", "theirs"))
    inner = middle(one.inner for one in ours) / middle(one.inner for one in theirs)
    whole, bare_whole = middle(one.whole for one in ours), middle(one.whole for one in theirs)
    return {INNER: inner, APART: (whole - imports) / bare_whole, "whole process": whole / bare_whole}


def main() -> None:
    """Print each ratio, of the best times and of the medians."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_ROUNDS
    measured = list(rounds_of(count))
    best, usual = ratios(measured, min), ratios(measured, statistics.median)
    print(f"{CASES} cases x {RUNS} runs, {CONCURRENCY} at once, against a bare loop; {count} rounds in turn")
    for name in best:
        aim = f"   (aim: at most {AIMS[name]:.2f})" if name in AIMS else ""
        print(f"{name:<40}best times {best[name]:.2f} x   medians {usual[name]:.2f} x{aim}")


if __name__ == "__main__":
    main()
