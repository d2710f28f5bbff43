"""Small suites with what the real `claude plugin eval` made of them, laid out for tests."""

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordedRun:
    """What became of one run in the arm with the plugin."""

    is_error: bool
    is_aborted: bool
    grader_count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordedSuite:
    """One recorded suite."""

    name: str
    args: Sequence[str]
    files: Mapping[str, Mapping[str, object]]
    folders: Sequence[str]
    inputs: Sequence[Mapping[str, object]]
    refused: Sequence[str]
    agent_was_called: bool
    runs: Mapping[str, Sequence[RecordedRun]]  # by folder of the case, relative to the plugin

    def lay_out(self, plugin: Path) -> Path:
        """Write the files of the suite."""
        for name, entry in self.files.items():
            path = plugin / name
            path.parent.mkdir(parents=True, exist_ok=True)
            match entry:
                case {"dir": _}:
                    path.mkdir(exist_ok=True)
                case {"symlink": str(goal)}:
                    path.symlink_to(goal)
                case {"text": str(text)}:
                    path.write_bytes(text.encode())
                case {"base64": str(text)}:
                    path.write_bytes(base64.b64decode(text))
                case _:
                    raise ValueError(entry)
        for name in self.folders:
            (plugin / name).mkdir(parents=True, exist_ok=True)
        return plugin


def recorded_suites(folder: Path, *kinds: str) -> Iterator[RecordedSuite]:
    """Read the recorded suites of some kinds: `static`, `run`, `cli`."""
    for kind in kinds:
        for line in (folder / f"{kind}.jsonl").read_text(encoding="utf-8").split("\n"):
            if line:
                yield _suite(json.loads(line))


def _suite(row: Mapping[str, object]) -> RecordedSuite:
    match row:
        case {"name": str(name), "args": list(args), "files": dict(files), "expected": dict(expected)}:
            pass
        case _:
            raise ValueError(row)
    return RecordedSuite(
        name=name,
        args=args,
        files=files,
        folders=_list(row.get("mkdirs")),
        inputs=list(_inputs(row.get("script"))),
        refused=_list(expected.get("refused")),
        agent_was_called=bool(expected.get("agent_was_called")),
        runs=dict(_runs(expected)),
    )


def _runs(expected: Mapping[str, object]) -> Iterator[tuple[str, list[RecordedRun]]]:
    cases = expected.get("cases")
    for same_name in cases.values() if isinstance(cases, dict) else ():
        for case in same_name:
            yield case["dir"], [_run(run) for run in case["arms"]["with"]]


def _run(run: Mapping[str, object]) -> RecordedRun:
    return RecordedRun(
        is_error=bool(run["error"]),
        is_aborted=bool(run.get("aborted")),
        grader_count=len(_list(run["graders"])),
    )


def _inputs(script: object) -> Iterator[Mapping[str, object]]:
    """Give the inputs of the calls to stand-ins, in order."""
    match script:
        case {"rules": list(rules)}:
            for rule in rules:
                yield from _inputs(rule["respond"])
        case list():
            for answer in script:
                yield from _inputs(answer)
        case {"tool_use": list(calls)}:
            yield from (call["input"] for call in calls if call["name"].startswith("mcp__"))
        case _:
            pass


def _list(value: object) -> list[str]:
    return value if isinstance(value, list) else []
