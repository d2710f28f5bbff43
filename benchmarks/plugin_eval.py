"""How long `skill-evaluator plugin-eval` takes beside `claude plugin eval`: whole time, from start to exit.

Twelve runs (two cases, three runs, two arms) on one scripted server that answers at once, at one run after another and
at eight at once; a second suite has judges and stand-ins too. The two commands are timed in turn, and their answers
must be the same. What is left of the time is the child's own, which is the same program in both.

Prints; never fails because of a ratio.

    python benchmarks/plugin_eval.py [ROUNDS] [--claude PROGRAM]
"""

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # it is started as a script, from any folder

from tests.conformance.suite_run import Answered, differences, facts_of, run_suite  # noqa: E402 - after the line above
from tests.recorded_suites import RecordedSuite  # noqa: E402 - after the line above

DEFAULT_ROUNDS = 3
AIM = 1.10
AT_ONCE = (1, 8)
SKILL = "---\nname: label-maker\ndescription: Names jars. Use when the user wants labels.\n---\n\nPut the year first.\n"
PROMPT = "---\nmax_turns: 8\nallowed_tools: [Read, Skill, ToolSearch]\n---\n\nLabel my {}.\n"
TOOL = "mcp__plugin_pantry_stock__{}"
FIRST: Mapping[str, Any] = {"has_tools": True, "tool_results": 0}
PLUGIN = {
    ".claude-plugin/plugin.json": '{"name": "pantry", "version": "1.0.0"}\n',
    "skills/label-maker/SKILL.md": SKILL,
}
CASES = {
    f"evals/{name}/{file}": text
    for name in ("jars", "tins")
    for file, text in {
        "prompt.md": PROMPT.format(name),
        "graders/says.md": "---\ntype: regex\n---\nlabelled\n",
        "graders/fired.md": "---\ntype: tool_used\ntool: Skill\n---\n",
    }.items()
}
STAND_INS = {
    ".mcp.json": '{"mcpServers": {"stock": {"command": "false"}}}\n',
    "evals/mocks/stock/find.md": "{{input.jar}} is on the shelf\n",
    "evals/mocks/stock/count.md": "---\ntype: agent\n---\nYou count jars.\n",
    **{f"evals/{name}/graders/judged.md": "---\ntype: llm\n---\nPASS if labelled.\n" for name in ("jars", "tins")},
}


class Pair(NamedTuple):
    """Seconds of both commands in one round."""

    ours: float
    theirs: float


def suites() -> Mapping[str, RecordedSuite]:
    """Both suites by what they have."""
    fires = {"when": {**FIRST, "system_contains": "pantry:label-maker"}, "respond": _call("Skill", skill="label-maker")}
    looks = {"when": {**FIRST, "body_contains": "mcp__"}, "respond": _call("ToolSearch", query="select:find,count")}
    finds = {"when": {"has_tools": True, "tool_results": 1}, "respond": _call(TOOL.format("find"), jar="fig")}
    counts = {"when": {"has_tools": True, "tool_results": 2}, "respond": _call(TOOL.format("count"), jar="fig")}
    judge = {"when": {"system_contains": "evaluation judge"}, "respond": {"text": "PASS"}}
    return {
        "graders that cost nothing": _suite({**PLUGIN, **CASES}, fires),
        "judges and stand-ins": _suite({**PLUGIN, **CASES, **STAND_INS}, judge, looks, fires, finds, counts),
    }


def _call(name: str, **arguments: str) -> Mapping[str, Any]:
    return {"tool_use": [{"name": name, "input": arguments}]}


def _suite(files: Mapping[str, str], *rules: Mapping[str, Any]) -> RecordedSuite:
    script = {"rules": rules, "default": {"text": "labelled"}}
    row = {"files": {name: {"text": text} for name, text in files.items()}, "args": [], "script": script}
    return RecordedSuite(name="benchmark", row=row)


def timed(command: Sequence[str], suite: RecordedSuite, at_once: int) -> tuple[float, Answered]:
    """Run a suite once; gives seconds, from start to exit, and the answer."""
    args = [".", "--trust-plugin", "--no-publish", "-j", str(at_once)]
    with tempfile.TemporaryDirectory(prefix="benchmark-", ignore_cleanup_errors=True) as work:
        placed = RecordedSuite(name=suite.name, row={**suite.row, "args": args})
        start = time.perf_counter()
        answered = run_suite(command, placed, Path(work))
        return time.perf_counter() - start, answered


def rounds_of(suite: RecordedSuite, at_once: int, count: int, claude: str) -> Iterator[Pair]:
    """Give the times of each round, both commands timed in turn."""
    for _ in range(count):
        theirs, expected = timed([claude, "plugin", "eval"], suite, at_once)
        ours, got = timed([sys.executable, "-m", "skill_evaluator", "plugin-eval"], suite, at_once)
        if unlike := list(differences(facts_of(expected), facts_of(got))):
            raise SystemExit("\n".join(["the two commands did not measure the same:", *unlike, got.stderr]))
        yield Pair(ours, theirs)


def main() -> None:
    """Print the ratio for each suite and number of runs at once."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rounds", nargs="?", type=int, default=DEFAULT_ROUNDS, metavar="ROUNDS")
    parser.add_argument("--claude", default="claude", help="the program (default: %(default)s, found on PATH)")
    options = parser.parse_args()
    os.environ.setdefault("SKILL_EVALUATOR_CLAUDE", shutil.which(options.claude) or options.claude)
    folder = str(Path(options.claude).resolve().parent)
    os.environ["PATH"] = (
        os.pathsep.join([folder, os.environ["PATH"]]) if os.sep in options.claude else os.environ["PATH"]
    )
    print(f"12 runs, {options.rounds} rounds in turn; seconds are medians (aim: a ratio of at most {AIM:.2f})")
    for name, suite in suites().items():
        for at_once in AT_ONCE:
            pairs = list(rounds_of(suite, at_once, options.rounds, options.claude))
            ours, theirs = (statistics.median(getattr(pair, side) for pair in pairs) for side in Pair._fields)
            print(f"{name:<28}-j {at_once}   {ours:6.2f} s beside {theirs:6.2f} s   {ours / theirs:.2f} x")


if __name__ == "__main__":
    main()
