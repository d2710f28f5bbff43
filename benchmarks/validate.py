"""How long `validate` takes over large eval suites, beside a bare loop over the same files and the program's start-up.

Suites are made in a temporary folder: each case has a prompt.md and two graders, one in ten its own mock. Prints; never
fails because of a time.

    python benchmarks/validate.py [CASES ...]
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import yaml

from skill_evaluator.formats.suite.checked import check_suite

SIZES = (250, 500, 1_000, 2_000)
ROUNDS = 3
AIM_CASES, AIM_S = 1_000, 2.0  # seconds beyond start-up
PROMPT = """\
---
description: Case {number} of many.
tags: [smoke, part-{tag}]
max_turns: 8
allowed_tools: [Read, Glob]
---

When is high water at berth {number}, and may a boat that draws two metres enter?
"""
ANSWER = "---\ntype: regex\nflags: i\nweight: 2\n---\n\\bberth {number}\\b.*\\d\\d:\\d\\d\n"
FIRES = '---\ntype: tool_used\ntool: Skill\ninput_match: \'"skill"\\s*:\\s*"(?:[\\w-]+:)?tide-table"\'\n---\n'
QUIET = "---\ntype: tool_used\ntool: Skill\nmin: 0\nmax: 0\narm: both\n---\n"
MOCK = "---\nexpect:\n  berth: number\n  day: /^[A-Z][a-z]+$/\n---\n\nhigh water at {{{{input.berth}}}}\n"
SKILL = "---\nname: tide-table\ndescription: Gives tides. Use when the user asks for a tide.\n---\n\nLook it up.\n"


def make_plugin(root: Path, cases: int) -> Path:
    """Write a plugin with a suite of so many cases.

    Returns:
        Its root.
    """
    files = {
        ".claude-plugin/plugin.json": '{"name": "harbour", "version": "1.0.0"}',
        "skills/tide-table/SKILL.md": SKILL,
        "evals/mocks/tides/next.md": MOCK.format(),
    }
    for number in range(cases):
        folder = f"evals/part-{number % 10}/case-{number:04}"
        files[f"{folder}/prompt.md"] = PROMPT.format(number=number, tag=number % 10)
        files[f"{folder}/graders/answer.md"] = ANSWER.format(number=number)
        files[f"{folder}/graders/skill.md"] = QUIET if number % 3 else FIRES
        if number % 10 == 0:
            files[f"{folder}/mocks/tides/next.md"] = MOCK.format()
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    return root


def bare_loop(root: Path) -> None:
    """Read every file of the suite and parse its block with libyaml: the least that any reader has to do."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    for path in sorted((root / "evals").rglob("*.md")):
        block = path.read_text("utf-8").split("---\n")[1]
        yaml.load(block, Loader=loader)  # noqa: S506 - a safe loader


def seconds(work: Callable[[], object]) -> float:
    """The shortest of a few tries, wall time."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def command(*arguments: str) -> Callable[[], object]:
    """A call of the program in a process of its own."""
    program = [sys.executable, "-m", "skill_evaluator", *arguments]
    return lambda: subprocess.run(program, check=True, capture_output=True)


def measured(root: Path) -> Mapping[str, float]:
    """Seconds of each way to go through a suite."""
    suite = check_suite(root)
    if suite.findings or suite.refused:
        raise SystemExit(f"the made suite is not sound: {suite.findings[:1]}")
    return {
        "bare": seconds(lambda: bare_loop(root)),
        "load": seconds(lambda: check_suite(root)),
        "command": seconds(command("validate", str(root))),
    }


def main() -> None:
    """Print one line a size."""
    sizes = [int(text) for text in sys.argv[1:]] or SIZES
    start_up = seconds(command("validate", "--help"))
    print(f"start-up (validate --help): {start_up:.2f} s; best of {ROUNDS} each\n")
    print(f"{'cases':>6} {'bare loop':>10} {'load':>8} {'x bare':>7} {'ms/case':>8} {'validate beyond start-up':>25}")
    for cases in sizes:
        with tempfile.TemporaryDirectory() as folder:
            times = measured(make_plugin(Path(folder), cases))
        beyond = times["command"] - start_up
        aim = f"   (aim: below {AIM_S:g} s)" if cases == AIM_CASES else ""
        print(
            f"{cases:>6,} {times['bare']:>8.2f} s {times['load']:>6.2f} s {times['load'] / times['bare']:>7.1f}"
            f" {1000 * times['load'] / cases:>8.2f} {beyond:>23.2f} s{aim}"
        )


if __name__ == "__main__":
    main()
