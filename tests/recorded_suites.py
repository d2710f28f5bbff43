"""Eval suites that were given to the real `claude plugin eval`: their files, how it was called, and its answer."""

import base64
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.conformance.json_values import Json, items, read_lines, strings

ALL_KINDS = ("static", "run", "cli")
# Suites whose every run fails for what no file tells, and why.
ONLY_KNOWN_BY_RUNNING = {
    "run/scaffold-fails": "the scaffold script may be read and ends with an error",
    "run/bash-grant-no-sandbox": "it grants Bash, and the machine on which it was recorded has no sandbox",
}
# Suites whose answer is another one where these programs are: those of the sandbox that confines what a shell does.
RECORDED_WITHOUT = {"run/bash-grant-no-sandbox": ("bwrap", "socat")}
WORK = "<WORK>"  # stands in files and arguments for the folder that holds the plugin


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordedRun:
    """What became of one run in the arm with the plugin; the verdicts are by name of the grader."""

    is_error: bool
    is_aborted: bool
    verdicts: Sequence[tuple[str, bool]]


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordedSuite:
    """One suite.

    Attributes:
        name: Its kind and a name of its own.
        row: All that is written of it.
    """

    name: str
    row: Mapping[str, Any]

    @property
    def files(self) -> Mapping[str, Mapping[str, str]]:
        """What stands where: a text, bytes in Base64, a link or a folder."""
        files: Mapping[str, Mapping[str, str]] = self.row["files"]
        return files

    @property
    def args(self) -> list[str]:
        """The command line, from `plugin eval` on."""
        return strings(self.row["args"])

    @property
    def target(self) -> str:
        """What the command line names to be evaluated."""
        return next((arg for arg in self.args[2:3] if not arg.startswith("-")), ".")

    @property
    def reads_a_suite(self) -> bool:
        """Whether a suite is read at all; another command makes one."""
        return self.target != "init"

    @property
    def has_stand_ins(self) -> bool:
        """Whether servers are mocked, which is so unless the command line says otherwise."""
        return "off" not in self.options("--mocks")

    @property
    def script(self) -> Mapping[str, Any] | None:
        """What the scripted server answered; None where it answered all requests alike."""
        return self.row.get("script")

    @property
    def expected(self) -> Mapping[str, Any]:
        """The answer of the real program."""
        expected: Mapping[str, Any] = self.row["expected"]
        return expected

    @property
    def refused(self) -> list[str]:
        """Folders of cases that it refused."""
        return strings(self.expected["refused"])

    @property
    def cases(self) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """Its cases by name; there are none where it refused to start."""
        cases: Mapping[str, Sequence[Mapping[str, Any]]] = self.expected.get("cases", {})
        return cases

    @property
    def runs(self) -> Mapping[str, Sequence[RecordedRun]]:
        """Runs with the plugin, by folder of the case, relative to the plugin."""
        cases = [case for same_name in self.cases.values() for case in same_name]
        return {case["dir"]: [_run(run) for run in case["arms"].get("with", ())] for case in cases}

    def options(self, name: str) -> list[str]:
        """The values that the command line gives an option."""
        return [value for option, value in zip(self.args, self.args[1:], strict=False) if option == name]

    def never_started(self, folder: str) -> bool:
        """Whether every run of a case ended in an error before the agent was asked.

        Where other cases were asked, that is known only of a server that answers everything, so that no request failed.
        """
        runs = self.runs.get(folder, ())
        if not runs or not all(run.is_error for run in runs):
            return False
        if not self.expected["agent_was_called"]:
            return True
        return self.script is None and not any(run.verdicts for run in runs)

    def inputs(self, run: int) -> Iterator[Mapping[str, Any]]:
        """The inputs of the calls to stand-ins in one run, in order."""
        for rule in (self.script or {}).get("rules", ()):
            answers = rule["respond"] if isinstance(rule["respond"], list) else [rule["respond"]]
            calls = answers[min(run, len(answers) - 1)].get("tool_use", ())
            yield from (call["input"] for call in calls if call["name"].startswith("mcp__"))

    def placed_in(self, work: Path) -> "RecordedSuite":
        """The same suite with a real folder for the one that holds the plugin."""
        return RecordedSuite(name=self.name, row=json.loads(json.dumps(self.row).replace(WORK, str(work))))

    def lay_out(self, plugin: Path) -> Path:
        """Write its files."""
        for name, entry in self.files.items():
            path = plugin / name
            path.parent.mkdir(parents=True, exist_ok=True)
            match entry:
                case {"dir": _}:
                    path.mkdir(exist_ok=True)
                case {"symlink": goal}:
                    path.symlink_to(goal)
                case {"text": text}:
                    path.write_bytes(text.encode())
                case {"base64": text}:
                    path.write_bytes(base64.b64decode(text))
                case _:
                    raise ValueError(f"{name}: an entry has text, base64, symlink or dir, not {entry!r}")
        for name in strings(self.row.get("mkdirs")):
            (plugin / name).mkdir(parents=True, exist_ok=True)
        return plugin


def suites_of(*files: Path) -> Iterator[RecordedSuite]:
    """Read suites, one JSON object a line."""
    for file in files:
        for row in read_lines(file):
            yield RecordedSuite(name=str(row["name"]), row=row)


def recorded_suites(folder: Path, *kinds: str) -> Iterator[RecordedSuite]:
    """Read the suites of some kinds from the folder of them."""
    return suites_of(*(folder / f"{kind}.jsonl" for kind in kinds))


@cache
def suites_by_name() -> Mapping[str, RecordedSuite]:
    """All suites of the folder that is named to the tests, for tables of tests; empty where none is."""
    folder = Path(os.environ.get("SKILL_EVALUATOR_CONFORMANCE", ""))
    kinds = [kind for kind in ALL_KINDS if (folder / f"{kind}.jsonl").is_file()]
    return {suite.name: suite for suite in recorded_suites(folder, *kinds)}


def _run(told: Mapping[str, Json]) -> RecordedRun:
    graders = told["graders"]
    graded = [dict(items(grader)) for grader in graders] if isinstance(graders, list) else []
    return RecordedRun(
        is_error=bool(told["error"]),
        is_aborted=bool(told.get("aborted")),
        verdicts=[(str(grader["name"]), grader["passed"] is True) for grader in graded],
    )
