"""Whether many runs of the messages agent all arrive, and what memory they take: 1,000 cases x 10 runs, 64 at once.

A server that answers at once, in a process of its own. Told are calls that failed, and by how much the process grew
between the first thousand runs and the last, beside what the journal grew by: transcripts are kept for the report,
nothing else should be. Prints; never fails because of a figure.

    python benchmarks/many_runs.py [CASES]
"""

import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import overhead
import psutil

from skill_evaluator.api.evaluate import evaluate
from skill_evaluator.api.request import Request
from skill_evaluator.model import Run

RUNS, CONCURRENCY, FIRST = 10, 64, 1_000
CHILD = "--child"
MIB = 1 << 20


class Watch:
    """Told of each run; remembers memory and journal at the thousandth."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.states: Counter[str] = Counter()
        self.first = (0, 0)

    def __call__(self, run: Run) -> None:
        """Count a run."""
        self.states["error" if run.failure else "valid"] += 1
        if self.states.total() == FIRST:
            self.first = self.now()

    def now(self) -> tuple[int, int]:
        """Give the memory of the process and the size of the journal, both in bytes."""
        kept = sum(file.stat().st_size for file in self._folder.rglob("journal.jsonl"))
        return psutil.Process().memory_info().rss, kept


def child(skill: Path, folder: Path) -> None:
    """Ask everything and print what it took."""
    watch = Watch(folder)
    request = Request(
        skill=skill,
        agent="messages",
        model="trivial",
        runs=RUNS,
        concurrency=CONCURRENCY,
        state_dir=folder / "state",
    )
    last = (0, 0)

    def progress(run: Run) -> None:
        nonlocal last
        watch(run)
        last = watch.now() if watch.states.total() % FIRST == 0 else last

    report = evaluate(request, progress=progress)
    memory, journal = (after - before for before, after in zip(watch.first, last, strict=True))
    print(f"{watch.states.total()} runs in {report.volatile.duration_s:.0f} s, {watch.states['error']} failed")
    print(f"from run {FIRST} on: memory +{memory / MIB:.1f} MiB, journal +{journal / MIB:.1f} MiB")


def main() -> None:
    """Serve, and measure in a process of its own."""
    if CHILD in sys.argv:
        child(Path(sys.argv[2]), Path(sys.argv[3]))
        return
    overhead.CASES = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    with tempfile.TemporaryDirectory() as name, overhead.server() as url:
        skill = overhead.make_suite(Path(name))
        command = (sys.executable, __file__, CHILD, str(skill), name)
        paths = os.pathsep.join((str(overhead.ROOT), str(overhead.HERE)))
        subprocess.run(command, check=True, env={**overhead.environment(url), "PYTHONPATH": paths})


if __name__ == "__main__":
    main()
