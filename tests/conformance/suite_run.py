"""A suite given to a command that evaluates it -> the facts of the answer, without its words."""

import json
import os
import re
import signal
import subprocess
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.api_server import ApiServer
from tests.conformance.json_values import Json
from tests.conformance.rules import Request, Script, applies
from tests.recorded_suites import WORK, RecordedSuite

LIMIT_S = 300
_ROOT = Path(__file__).resolve().parents[2]
_REFUSED = re.compile(rf"^✗ ({WORK}/plugin.*?)(?:/case\.yaml)?: ", re.MULTILINE)
_ALONE = ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_AUTOUPDATER")  # set, they keep the program to its server
_PASSED_ON = ("VIRTUAL_ENV", "SKILL_EVALUATOR_CLAUDE")
_CASE = ("dir", "source", "promptMarkdown", "runsPerCase", "timeoutSeconds", "maxTurns", "model")
JUDGED_OK: Mapping[str, Any] = {
    "rules": [{"when": {"system_contains": "evaluation judge"}, "respond": {"text": "PASS"}}],
    "default": {"text": "ok"},
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Answered:
    """How a command ended.

    Attributes:
        status: Its exit status.
        stdout, stderr: What it printed, with a word for the folder that holds the plugin.
        result: Its `aggregate-result.json`, or None where it wrote none.
        agent_was_called: Whether the server was asked by an agent, which has tools.
    """

    status: int
    stdout: str
    stderr: str
    result: Mapping[str, Any] | None
    agent_was_called: bool


def run_suite(command: Sequence[str], suite: RecordedSuite, work: Path) -> Answered:
    """Give a suite to a command, with a scripted server on the loopback in place of the API.

    Args:
        command: What to start; the suite's own arguments follow.
        suite: The suite.
        work: An empty folder; plugin, home and answer are put in it.
    """
    placed = suite.placed_in(work)
    plugin = placed.lay_out(work / "plugin")
    (work / "home").mkdir()
    with ApiServer(Script.of(placed.script or JUDGED_OK)) as server:
        environment = {**_surroundings(work / "home", server), **placed.row.get("env", {})}
        command = [*command, *_arguments(placed, work)]
        with _process(command, plugin / placed.row.get("cwd", "."), environment, work) as process:
            if "signal" in placed.row:
                _signal(process, placed.row["signal"], server)
            status = process.wait(placed.row.get("limit", LIMIT_S))
        called = any(request.get("tools") for request in server.requests)
    result = work / "out" / "aggregate-result.json"
    return Answered(
        status=status,
        stdout=_read(work / "stdout", work),
        stderr=_read(work / "stderr", work),
        result=json.loads(_read(result, work)) if result.exists() else None,
        agent_was_called=called,
    )


def facts_of(answered: Answered) -> dict[str, Json]:
    """What two programs must have in common."""
    facts: dict[str, Json] = {
        "rc": answered.status,
        "refused": sorted(set(_REFUSED.findall(answered.stderr))),
        "agent_was_called": answered.agent_was_called,
    }
    result = answered.result
    if result is None:
        return facts
    facts["partial"] = bool(result.get("partial"))
    if result.get("partialReason"):
        facts["partialReason"] = result["partialReason"]
    told = result["suite"]
    names = [plugin.get("name") for plugin in told.get("plugins", ())]
    facts["suite"] = {"ablation": told.get("ablation"), "threshold": _number(told.get("threshold")), "plugins": names}
    runs = [run for case in result["cases"] for arm in case["arms"].values() for run in arm]
    if not any(run.get("error") == "interrupted" for run in runs):  # how far it got is a race
        facts["aggregates"] = _numbers(result.get("aggregates", {}))
        facts["cases"] = _cases(result["cases"])
    return facts


def differences(expected: Json, got: Json, where: str = "") -> Iterator[str]:
    """One line for each place at which two values are not equal."""
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        for key in sorted({*expected, *got}):
            yield from differences(expected.get(key, "(none)"), got.get(key, "(none)"), f"{where}.{key}")
    elif isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        for index, (one, other) in enumerate(zip(expected, got, strict=True)):
            yield from differences(one, other, f"{where}[{index}]")
    elif expected != got:
        yield f"{where.removeprefix('.')}: expected {str(expected)[:200]}, got {str(got)[:200]}"


def _arguments(suite: RecordedSuite, work: Path) -> list[str]:
    arguments = suite.args[2:] if suite.args[:2] == ["plugin", "eval"] else suite.args
    has_folder = not suite.row.get("outdir", True) or "--output-dir" in arguments
    return arguments if has_folder else [*arguments, "--output-dir", str(work / "out")]


def _surroundings(home: Path, server: ApiServer) -> dict[str, str]:
    """What the command sees of the machine: an empty home, a server on the loopback, no terminal for colours."""
    passed_on = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    fixed = {"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TERM": "dumb", "PYTHONPATH": str(_ROOT)}
    return {**dict.fromkeys(_ALONE, "1"), **passed_on, **fixed, **server.environment()}


@contextmanager
def _process(
    command: Sequence[str], cwd: Path, env: Mapping[str, str], work: Path
) -> Iterator["subprocess.Popen[bytes]"]:
    with (work / "stdout").open("wb") as stdout, (work / "stderr").open("wb") as stderr:
        process = subprocess.Popen(
            command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, start_new_session=True
        )
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _signal(process: "subprocess.Popen[bytes]", wanted: Mapping[str, Any], server: ApiServer) -> None:
    """Send a signal once the server was asked what the suite says, as often as it says, or after some seconds."""
    start = time.monotonic()
    is_due = _asked(wanted["when"], wanted.get("count", 1), server) if "when" in wanted else None
    limit_s = LIMIT_S if is_due else wanted["after"]
    while process.poll() is None and time.monotonic() - start < limit_s and not (is_due and is_due()):
        time.sleep(0.05)
    if process.poll() is None:
        process.send_signal(signal.Signals[wanted["name"]])


def _asked(when: Mapping[str, Any], count: int, server: ApiServer) -> Callable[[], bool]:
    return lambda: sum(applies(when, Request(body=body)) for body in list(server.requests)) >= count


def _read(path: Path, work: Path) -> str:
    text = path.read_bytes().decode(errors="replace")
    return text.replace(str(work.resolve()), WORK).replace(str(work), WORK)


def _cases(cases: Sequence[Mapping[str, Any]]) -> Json:
    by_name: defaultdict[str, list[Json]] = defaultdict(list)
    for case in cases:
        by_name[case["name"]].append(_case(case))
    return by_name


def _case(case: Mapping[str, Any]) -> Json:
    return {
        **{key: case.get(key) for key in _CASE},
        "graders": [
            {"name": grader["name"], "type": grader["type"], "weight": _number(grader["weight"])}
            for grader in case["graders"]
        ],
        "aggregates": _numbers(case["aggregates"]),
        "arms": {arm: [_run(run) for run in runs] for arm, runs in case["arms"].items()},
    }


def _run(run: Mapping[str, Any]) -> Json:
    facts: dict[str, Json] = {
        "score": _number(run.get("score")),
        "passed": run.get("passed"),
        "error": bool(run.get("error")),
        "skippedPaidGraders": bool(run.get("skippedPaidGraders")),
        "graders": [_verdict(grader) for grader in run.get("graders", ())],
    }
    if run.get("aborted"):
        facts["aborted"] = {key: run["aborted"].get(key) for key in ("server", "tool")}
    return facts


def _verdict(grader: Mapping[str, Any]) -> Json:
    votes = {"judgeVotes": grader["judgeVotes"]} if "judgeVotes" in grader else {}
    named = {"name": grader["name"], "passed": grader["passed"], "weight": _number(grader["weight"])}
    return {**named, "withOnly": bool(grader.get("withOnly")), "scored": grader.get("scored"), **votes}


def _numbers(values: Mapping[str, Any]) -> dict[str, Json]:
    return {key: _number(value) for key, value in values.items()}


def _number(value: Any) -> Json:  # noqa: ANN401 - a number or what stands in its place
    """Sums of floats differ in their last digits between two correct programs."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    number: Json = round(value, 9) if is_number else value
    return number
