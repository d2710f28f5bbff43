"""Time and memory for scoring many saved runs: 100,000 of them, 10,000 cases asked ten times.

Run folders are made up (with a fixed seed) and scored by `regrade`, with all intervals; then the report is written as
Markdown and JSON, and its JSON is read back and checked. Each size runs in a process of its own, whose peak of memory
is told. Seconds are those of the processor. Prints; never fails because of a figure.

    python benchmarks/scale.py [CASES ...]
"""

import hashlib
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from skill_evaluator.api.regrade import regrade
from skill_evaluator.api.request import RegradeRequest
from skill_evaluator.api.saved import load_report
from skill_evaluator.formats.testset import read_testset_bytes
from skill_evaluator.journal import JournalEnd, JournalHeader, JournalWriter
from skill_evaluator.model import AgentInfo, Case, Failure, FailureKind, Run, Split, ToolCall, Usage
from skill_evaluator.report.files import write_whole
from skill_evaluator.report.render import render
from skill_evaluator.results import Config, SkillInfo, TestsetInfo

SIZES = (1_000, 10_000)
RUNS = 10
AIM_MIB = 1024
SEED = 3
SKILL = "level-maker"
STAGES = ("score", "write", "read back")
CHILD = "--child"
RIGHT, SOUND, FAILED = 0.9, 0.95, 0.01  # shares of the runs
WORDS = ("level", "puzzle", "room", "door", "boss", "map", "stage", "key", "lava", "bridge", "enemy", "chest", "hall")


def rows(cases: int) -> Iterator[dict[str, object]]:
    """Test-set rows, half of them positive with checks of the output, half of them acceptance."""
    draw = random.Random(SEED)  # noqa: S311 - made-up prompts
    for number in range(cases):
        positive = number % 2 == 0
        row: dict[str, object] = {
            "id": f"c{number}",
            "type": "should_trigger" if positive else "should_not_trigger",
            "split": "acceptance" if number // 2 % 2 else "tuning",
            "input": f"{' '.join(draw.choices(WORDS, k=12))} number {number}",
            "tag": [f"tag{number // 2 % 7}"],
        }
        yield {**row, "expected_output_contains": ["level_id"]} if positive else row


def run_of(case: Case, index: int, draw: random.Random) -> Run:
    """One made-up run: right nine times in ten, an error once in a hundred."""
    usage = Usage(input_tokens=draw.randrange(500, 2_000), output_tokens=draw.randrange(20, 400), cost_usd=0.001)
    if draw.random() < FAILED:
        failure = Failure(kind=FailureKind.TIMEOUT, message="no answer after 300 s")
        return Run(case_id=case.id, index=index, failure=failure, usage=usage)
    fired = bool(case.expect_trigger) is (draw.random() < RIGHT)
    output = f'{{"level_id": {draw.randrange(100)}, "rooms": "{" ".join(draw.choices(WORDS, k=20))}"}}'
    return Run(
        case_id=case.id,
        index=index,
        triggered=fired,
        output=output if draw.random() < SOUND else "no level",
        skills_invoked=(SKILL,) if fired else (),
        tool_calls=(ToolCall(name="Skill", arguments={"skill": SKILL}, result="ok"),) if fired else (),
        duration_s=draw.uniform(1, 9),
        usage=usage,
    )


def make_folder(folder: Path, cases: int) -> None:
    """Write a run folder as `run` would have left it."""
    testset = json.dumps(list(rows(cases))).encode()
    suite = read_testset_bytes(testset, "testset.json", pass_threshold=None).suite
    if suite is None:
        raise AssertionError("the made-up test set is not sound")
    header = JournalHeader(
        agent=AgentInfo(name="replay", model="made-up"),
        skill=SkillInfo(name=SKILL, version="1", description="d", sha256="a" * 64, files=("SKILL.md",)),
        testset=TestsetInfo(
            name="t", sha256=suite.sha256, split_sha256=dict.fromkeys(Split, "b" * 64), cases=len(suite.cases)
        ),
        config=Config(runs=RUNS, seed=SEED, pass_threshold=0.85),
        timestamp="2025-11-08T14:30:00Z",
        skill_path=str(folder / "SKILL.md"),
        testset_path="testset.json",
        testset_file_sha256=hashlib.sha256(testset).hexdigest(),
        concurrency=1,
    )
    draw = random.Random(SEED)  # noqa: S311 - made-up runs
    with JournalWriter(folder, header, testset) as journal:
        for index in range(RUNS):
            for case in suite.cases:
                journal.append(run_of(case, index, draw), prompt_sha256=case.prompt_sha256)
        journal.finish(JournalEnd(duration_s=1.0))


def score(folder: Path) -> None:
    """What a child process does: score, write, read back; prints seconds and peak memory after each as JSON."""
    report_path = folder.parent / "report.json"
    start = time.process_time()
    report = regrade(RegradeRequest(path=folder, output_dir=folder.parent / "reports"))
    start = told(start)
    write_whole({report_path: render(report, "json", "en"), report_path.with_suffix(".md"): render(report, "md", "en")})
    start = told(start)
    del report
    load_report(report_path)
    told(start)


def told(start: float) -> float:
    """Print the seconds of the processor since `start` and the peak memory so far, and give the time now."""
    now = time.process_time()
    print(json.dumps([now - start, peak_mib()]), flush=True)
    return now


def peak_mib() -> float:
    """Peak memory of this process in MiB; Linux counts in KiB, macOS in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def measure(cases: int) -> list[tuple[float, float]]:
    """Seconds and peak MiB after each stage, for so many cases."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "run"
        make_folder(folder, cases)
        command = (sys.executable, __file__, CHILD, str(folder))
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        size_mib = (folder / "journal.jsonl").stat().st_size / 2**20
        report_mib = (Path(place) / "report.json").stat().st_size / 2**20
    print(f"{cases:>7,} cases x {RUNS}: journal {size_mib:.0f} MiB, report {report_mib:.0f} MiB")
    return [(seconds, mib) for seconds, mib in map(json.loads, printed.splitlines())]


def main(sizes: Sequence[int]) -> None:
    """Print a table for each size, and how much the largest takes of what the smallest does."""
    figures: Mapping[int, list[tuple[float, float]]] = {cases: measure(cases) for cases in sizes}
    for cases, stages in figures.items():
        for name, (seconds, mib) in zip(STAGES, stages, strict=True):
            print(f"{cases:>7,} cases  {name:<10} {seconds:>8.2f} s   peak {mib:>7.0f} MiB   (aim: below {AIM_MIB})")
    first, last = min(sizes), max(sizes)
    if first < last:
        for place, name in enumerate(STAGES):
            ratio = figures[last][place][0] / figures[first][place][0]
            print(f"{name:<10} {ratio:.1f} times the seconds for {last / first:.0f} times the cases")


if __name__ == "__main__":
    if sys.argv[1:2] == [CHILD]:
        score(Path(sys.argv[2]))
    else:
        main([int(size) for size in sys.argv[1:]] or SIZES)
