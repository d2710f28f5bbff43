"""The evaluator is killed while its agent works: the next one goes on, asks nothing twice, and clears away."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psutil
import pytest

from skill_evaluator.api.probe import probe_skill
from tests.unit.command_setup import READ, left_behind

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals and a shell")

PLANNED, CANARY = 36, 2
PROBE = probe_skill().name
# A shell starts in a moment. Each question is noted outside of the run's folder before it is answered.
AGENT = f"""
printf '%s\\n' "$1" >> "$ASKED"
echo '{{"type": "start", "skills": ["level-maker", "{PROBE}"]}}'
sleep 0.05
case "$1" in
    *{PROBE}*) echo '{{"type": "skill", "name": "{PROBE}"}}' ;;
    *level* | *stage* | *map*) echo '{{"type": "skill", "name": "level-maker"}}' ;;
esac
echo '{{"type": "text", "text": "Done."}}'
"""


class Bench:
    """One skill, one agent, and folders in which evaluators are killed."""

    def __init__(self, folder: Path, skill_dir: Path) -> None:
        self.folder, self.temporary = folder, folder / "temporary"
        self.temporary.mkdir()
        (folder / "agent.sh").write_text(AGENT, "utf-8")
        self.config = folder / "agent.toml"
        argv = json.dumps(["/bin/sh", str(folder / "agent.sh"), "{prompt}"])
        self.config.write_text(f'argv = {argv}\nformat = "jsonl"\nenv_from = ["ASKED"]\n{READ}', "utf-8")
        self._words = ["run", str(skill_dir), "--agent", "command", "--agent-config", str(self.config), "--yes"]

    def start(self, work: Path, *options: str) -> "subprocess.Popen[bytes]":
        """Start an evaluator in a working folder of its own."""
        work.mkdir(exist_ok=True)
        root = str(Path(__file__).parents[2])
        env = {**os.environ, "TMPDIR": str(self.temporary), "PYTHONPATH": root, "ASKED": str(work / "asked.log")}
        return subprocess.Popen(
            [sys.executable, "-m", "skill_evaluator", *self._words, "--quiet", *options],
            cwd=work, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )  # fmt: skip

    def finish(self, work: Path, *options: str) -> int:
        """See an evaluator to its end."""
        process = self.start(work, *options)
        _, err = process.communicate(timeout=120)
        assert b"Traceback" not in err, err
        return process.returncode

    def kill(self, work: Path, chance: random.Random) -> int:
        """Kill an evaluator some time after some question, and tell its number."""
        process = self.start(work, "--concurrency", str(chance.choice((1, 4, 8))))
        questions, deadline = chance.randrange(PLANNED + CANARY), time.monotonic() + 120
        while len(asked(work)) < questions:
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < deadline, "the run never came so far"
            time.sleep(0.002)
        time.sleep(chance.random() * 0.1)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
        while self._is_at_work():  # an agent that is left may note its question only now
            assert time.monotonic() < deadline, "an agent never came to its end"
            time.sleep(0.01)
        return process.pid

    def _is_at_work(self) -> bool:
        lines = (process.info["cmdline"] or () for process in psutil.process_iter(["cmdline"]))
        return any(str(self.folder) in word for line in lines for word in line)


@pytest.fixture
def bench(tmp_path: Path, skill_dir: Path) -> Bench:
    return Bench(tmp_path, skill_dir)


def asked(work: Path) -> Sequence[str]:
    log = work / "asked.log"
    return log.read_text("utf-8").splitlines() if log.exists() else []


def kept(work: Path) -> Counter[str]:
    """How many runs of each question had come to their end."""
    (testset,) = (json.loads(path.read_text("utf-8")) for path in (work.parent / "level-maker").glob("testset.json"))
    inputs = {row["id"]: row["input"] for row in testset}
    files = (work / ".skill-evaluator" / "runs").glob("*/journal.jsonl")
    lines = [line for file in files for line in file.read_bytes().split(b"\n")[:-1]]
    return Counter(inputs[json.loads(line)["run"]["case_id"]] for line in lines)


def report(work: Path) -> dict[str, Any]:
    """The only report, without what differs between equal runs."""
    (path,) = (work / "reports").glob("*.json")
    content = json.loads(path.read_text("utf-8"))
    return {key: value for key, value in content.items() if key not in {"volatile", "timestamp"}}


def test_killed_at_any_moment_the_resumed_run_equals_an_undisturbed_one(
    bench: Bench, tmp_path: Path, kill_seeds: Sequence[int]
) -> None:
    assert bench.finish(tmp_path / "undisturbed") == 0
    undisturbed = report(tmp_path / "undisturbed")
    for seed in kill_seeds:
        work, chance = tmp_path / f"killed-{seed}", random.Random(seed)  # noqa: S311 - a moment, no secret
        killed = bench.kill(work, chance)
        before, measured = len(asked(work)), kept(work)
        print(f"seed {seed}: killed with {measured.total()} runs kept")  # noqa: T201 - shown when it fails

        assert bench.finish(work, "--resume", "--concurrency", str(chance.choice((1, 4)))) == 0

        again = Counter(asked(work)[before:])
        assert again.total() == (0 if measured.total() == PLANNED else PLANNED - measured.total() + CANARY)
        assert all(again[question] == 3 - count for question, count in measured.items())
        assert report(work) == undisturbed
        assert left_behind(bench.temporary, killed) == []
        assert list(bench.temporary.iterdir()) == []


def test_a_run_that_is_killed_again_and_again_comes_to_its_end(bench: Bench, tmp_path: Path) -> None:
    """Each process but the last is killed: one in its canary, one later, one with a ceiling between."""
    work = tmp_path / "work"
    for ceiling in ("1", "9", "9", "20"):
        assert bench.finish(work, "--resume", "--max-calls", ceiling) == 2
    measured = kept(work).total()
    for path in (work / "reports").iterdir():
        path.unlink()
    (run,) = (work / ".skill-evaluator" / "runs").iterdir()
    (run / "end.json").write_bytes((run / "end.json").read_bytes()[:40])  # killed while it wrote
    with (run / "journal.jsonl").open("ab") as journal:
        journal.write(b'{"agent": "comm')

    assert bench.finish(work, "--resume") == 0

    assert 0 < measured < PLANNED
    assert kept(work).total() == PLANNED
    assert report(work)["verdict"] == "PASS"
    assert bench.finish(tmp_path / "undisturbed") == 0
    assert report(work) == report(tmp_path / "undisturbed")


def test_two_evaluators_never_go_on_with_one_run(bench: Bench, tmp_path: Path) -> None:
    work = tmp_path / "work"
    assert bench.finish(work, "--max-calls", "10") == 2
    for path in (work / "reports").iterdir():
        path.unlink()

    both = [bench.start(work, "--resume") for _ in range(2)]
    said = [process.communicate(timeout=120)[1] for process in both]

    statuses = sorted(process.returncode for process in both)
    assert statuses in ([0, 1], [0, 0])  # the second was refused, or came so late that nothing was left
    assert all(b"Traceback" not in err for err in said)
    assert statuses == [0, 0] or any(b"still under way in another process" in err for err in said)
    assert kept(work).total() == PLANNED
