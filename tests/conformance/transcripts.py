"""Recordings of the real program -> runs that can be graded again, and what the program said of them."""

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType

from skill_evaluator.grading import VotesOfRun
from skill_evaluator.model import Arm, Completion, Failure, FailureKind, MockCall, Run, SeenFile, ToolCall
from tests.conformance.json_values import Json, items
from tests.recorded_suites import RecordedSuite, suites_of

HERE = Path(__file__).parent
_TURNS = "Reached maximum number of turns"
_UNTRUSTED = "not one the harness gave"


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """What the program said of one run: its score and, by grader, the facts of the verdict."""

    score: float | None
    passed: bool
    graders: Sequence[Mapping[str, Json]]


@dataclass(frozen=True, kw_only=True, slots=True)
class RunTranscript:
    """One run, the judge's answers about it, and what the program said of it."""

    run: Run
    votes: VotesOfRun
    told: Told


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseTranscript:
    """The runs of one case, by arm, and the aggregates that the program gave."""

    folder: str
    runs: tuple[RunTranscript, ...]
    aggregates: Mapping[str, Json]

    def of(self, arm: Arm) -> list[RunTranscript]:
        """The runs of one arm."""
        return [recorded for recorded in self.runs if recorded.run.arm is arm]


@dataclass(frozen=True, kw_only=True, slots=True)
class SuiteTranscript:
    """What was seen of one suite."""

    name: str
    has_two_arms: bool
    threshold: float
    aggregates: Mapping[str, Json]
    cases: tuple[CaseTranscript, ...]


@cache
def recordings() -> Mapping[str, SuiteTranscript]:
    """All transcripts by name of the suite."""
    lines = gzip.decompress((HERE / "transcripts.jsonl.gz").read_bytes()).decode().split("\n")
    suites = [_suite(json.loads(line)) for line in lines if line]
    return MappingProxyType({suite.name: suite for suite in suites})


@cache
def own_suites() -> Mapping[str, RecordedSuite]:
    """The suites that are kept with this project, by name."""
    return MappingProxyType({suite.name: suite for suite in suites_of(HERE / "own.jsonl")})


def _suite(told: Mapping[str, Json]) -> SuiteTranscript:
    cases = told["cases"]
    return SuiteTranscript(
        name=str(told["suite"]),
        has_two_arms=told["ablation"] == "with-without",
        threshold=_number(told["threshold"]) or 0.0,
        aggregates=dict(items(told["aggregates"])),
        cases=tuple(_case(case) for case in _rows(cases)),
    )


def _case(told: Mapping[str, Json]) -> CaseTranscript:
    folder = str(told["dir"])
    return CaseTranscript(
        folder=folder,
        runs=tuple(_recorded_run(folder, run) for run in _rows(told["runs"])),
        aggregates=dict(items(told["aggregates"])),
    )


def _recorded_run(folder: str, told: Mapping[str, Json]) -> RunTranscript:
    graders = _rows(told["graders"])
    return RunTranscript(
        run=_run(folder, told),
        votes={str(grader["name"]): _votes(grader["answers"]) for grader in graders if "answers" in grader},
        told=Told(score=_number(told["score"]), passed=told["passed"] is True, graders=graders),
    )


def _run(folder: str, told: Mapping[str, Json]) -> Run:
    trace = _trace(told)
    failure = _failure(told, trace)
    messages = [json.loads(line) for line in trace or ()]
    files, seen = told.get("created_files"), told.get("seen_files")
    skills = _skills(messages)
    return Run(
        case_id=folder,
        arm=Arm(str(told["arm"])),
        index=int(str(told["index"])),
        triggered=None if failure else bool(skills),
        output=None if trace is None else _output(messages),
        skills_invoked=skills,
        tool_calls=tuple(
            ToolCall(name=str(call["name"]), arguments=dict(items(call["input"]))) for call in _uses(messages)
        ),
        failure=failure,
        trace=trace,
        created_files=tuple(str(name) for name in files) if isinstance(files, list) else None,
        seen_files={path: SeenFile(**dict(items(file))) for path, file in items(seen)},  # type: ignore[arg-type]
        mock_calls=_mock_calls(told),
    )


def _trace(told: Mapping[str, Json]) -> tuple[str, ...] | None:
    """The messages; None where the program did not believe them."""
    lines = told.get("trace")
    if not isinstance(lines, list) or _UNTRUSTED in str(told["error"]):
        return None
    return tuple(str(line) for line in lines)


def _failure(told: Mapping[str, Json], trace: tuple[str, ...] | None) -> Failure | None:
    error = told["error"]
    if error is None or (_TURNS in str(error) and trace is not None):
        return None
    last = json.loads(trace[-1]) if trace else {}
    refused = bool(last.get("api_error_status"))  # the status of HTTP
    kind = FailureKind.API if refused else FailureKind.TIMEOUT if "timed out" in str(error) else FailureKind.CRASH
    return Failure(kind=kind, message=str(error))


def _mock_calls(told: Mapping[str, Json]) -> tuple[MockCall, ...] | None:
    """The calls of stand-ins; the program is ended at the one that aborts, before it is answered."""
    if told.get("mock_calls") is None:
        return None
    calls = [_mock_call(call) for call in _rows(told["mock_calls"])]
    return tuple(calls if told["aborted"] is None else [*calls[:-1], replace(calls[-1], verdict="abort")])


def _mock_call(told: Mapping[str, Json]) -> MockCall:
    return MockCall(
        tool=str(told["tool"]),
        arguments=dict(items(told["input"])),
        output=str(told["output"]),
        is_error=told["is_error"] is True,
        verdict=str(told["verdict"]),
    )


def _votes(answers: Json) -> list[Completion]:
    refused = Failure(kind=FailureKind.API, message="the server gave an error")
    texts = answers if isinstance(answers, list) else []
    return [Completion(failure=refused) if text is None else Completion(text=str(text)) for text in texts]


def _uses(messages: Sequence[Mapping[str, Json]]) -> list[Mapping[str, Json]]:
    return [block for message in messages for block in _blocks(message) if block.get("type") == "tool_use"]


def _skills(messages: Sequence[Mapping[str, Json]]) -> tuple[str, ...]:
    inputs = [dict(items(use["input"])) for use in _uses(messages) if use["name"] == "Skill"]
    return tuple(str(given.get("skill")) for given in inputs)


def _output(messages: Sequence[Mapping[str, Json]]) -> str:
    own = [message for message in messages if message["type"] == "assistant" and not message.get("parent_tool_use_id")]
    texts = [block["text"] for message in own for block in _blocks(message) if block.get("type") == "text"]
    return str(texts[-1]) if texts else ""


def _blocks(message: Mapping[str, Json]) -> list[Mapping[str, Json]]:
    return _rows(dict(items(message.get("message"))).get("content"))


def _rows(value: Json) -> list[Mapping[str, Json]]:
    return [row for row in value if isinstance(row, Mapping)] if isinstance(value, list) else []


def _number(value: Json) -> float | None:
    return float(value) if isinstance(value, int | float) else None
